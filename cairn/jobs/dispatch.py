"""Turns events into jobs: each event once, in the same transaction that moves the reader past it."""

import json
from collections.abc import Iterable

from cairn.db import SERVICE, Connection, Database
from cairn.jobs.outbox import Event, claim_position, events_after, move_position
from cairn.jobs.queue import QUEUE, Job

READER = "worker"
# Old events are kept a while for whoever reconnects, then swept.
_KEEP = "1 day"


async def dispatch(database: Database, jobs: Iterable[Job]) -> int:
    """Queue the jobs of the next batch of events; returns how many events were passed, 0 when there are none."""
    # procrastinate's functions name their own tables without a schema.
    async with database.acting_as(SERVICE, {"search_path": "jobs"}) as connection:
        position = await claim_position(connection, READER)
        if position is None:
            return 0
        events = await events_after(connection, position)
        if not events:
            return 0
        await _queue(connection, events, jobs)
        await move_position(connection, READER, events[-1].position)
        return len(events)


async def sweep(database: Database) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            f"""
            delete from jobs.events e using jobs.readers r
             where r.name = $1 and (e.xid, e.id) <= (r.xid, r.id) and e.at < now() - interval '{_KEEP}'
            """,
            READER,
        )


async def _queue(connection: Connection, events: list[Event], jobs: Iterable[Job]) -> None:
    rows = [
        {"task": job.name, "priority": job.priority, "args": {"facts": event.facts}}
        for event in events
        for job in jobs
        if job.on == event.name
    ]
    if not rows:
        return
    await connection.fetchval(
        """
        select jobs.procrastinate_defer_jobs_v1(array(
            select row($1, task, priority, null, null, args, null)::jobs.procrastinate_job_to_defer_v1
              from jsonb_to_recordset($2) as asked (task text, priority int, args jsonb)))
        """,
        QUEUE,
        json.dumps(rows),
    )
