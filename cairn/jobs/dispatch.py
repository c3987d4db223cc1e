"""Turns events into jobs. Each event is dispatched once, in the transaction that advances the reader's position."""

import json
from collections.abc import Iterable

from cairn.db import SERVICE, Connection, Database
from cairn.jobs.outbox import Event, claim_position, events_after, move_position
from cairn.jobs.queue import QUEUE, Job

READER = "worker"
# Dispatched events are kept for realtime subscribers that reconnect.
_RETENTION = "1 day"


async def dispatch(database: Database, jobs: Iterable[Job]) -> int:
    """Queues the jobs for the next batch of events and returns the number of events."""
    # The SQL functions of procrastinate refer to their tables without a schema.
    async with database.acting_as(SERVICE, {"search_path": "jobs"}) as connection:
        position = await claim_position(connection, READER)
        if position is None:
            return 0
        events = await events_after(connection, position)
        if not events:
            return 0
        await _queue_jobs(connection, events, jobs)
        await move_position(connection, READER, events[-1].position)
        return len(events)


async def sweep(database: Database) -> None:
    """Deletes events that the worker has dispatched and that are older than the retention period."""
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            f"""
            delete from jobs.events e using jobs.readers r
             where r.name = $1 and (e.xid, e.id) <= (r.xid, r.id) and e.at < now() - interval '{_RETENTION}'
            """,
            READER,
        )


async def _queue_jobs(connection: Connection, events: list[Event], jobs: Iterable[Job]) -> None:
    rows = [
        {"task": job.name, "priority": job.priority, "args": {"payload": event.payload}}
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
              from jsonb_to_recordset($2) as job (task text, priority int, args jsonb)))
        """,
        QUEUE,
        json.dumps(rows),
    )
