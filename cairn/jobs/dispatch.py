"""Turns events into jobs. Each event is dispatched once, in the transaction that advances the reader's position."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from uuid import UUID

from cairn.db import SERVICE, Connection, Database, delete_old_rows, run_in_batches
from cairn.jobs.job import Job, Payload
from cairn.jobs.notifier import OutboxNotifier
from cairn.jobs.outbox import Event, claim_position, events_after, move_position

log = logging.getLogger(__name__)

# A queue and a company in it.
TurnKey = tuple[str, str]

READER = "worker"
# Dispatched events are kept for realtime subscribers that reconnect.
_RETENTION = "1 day"
# For this long, an operator can look at a job that failed for good and try it again.
_FAILED_JOB_RETENTION = timedelta(days=90)
_POLL_SECONDS = 2.0
# Every job of the worker may raise events. A first event is dispatched immediately, the following ones together.
_DEBOUNCE_SECONDS = 0.05
# Events are nearly in the order of their times, so it is enough to look at the first $1 events.
DELETE_OLD_EVENTS = f"""
with first as (
    select e.id, e.at from jobs.events e
     where (e.xid, e.id) <= (select r.xid, r.id from jobs.readers r where r.name = $2)
     order by e.xid, e.id
     limit $1),
deleted as (
    delete from jobs.events e using first
     where e.id = first.id and first.at < now() - interval '{_RETENTION}'
    returning 1)
select count(*) from deleted
"""


async def dispatch_forever(
    database: Database, notifier: OutboxNotifier, jobs: Sequence[Job], *, poll_seconds: float = _POLL_SECONDS
) -> None:
    """Dispatches all events whenever the notifier wakes it, and every `poll_seconds` in case a notification is lost."""
    async with notifier.listening() as woken:
        while True:
            woken.clear()
            while await dispatch(database, jobs):
                pass
            await asyncio.sleep(_DEBOUNCE_SECONDS)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(poll_seconds):
                    await woken.wait()


async def dispatch(database: Database, jobs: Collection[Job]) -> int:
    """Queues the jobs for the next batch of events and returns the number of events."""
    # The SQL functions of procrastinate refer to their tables without a schema.
    async with database.acting_as(SERVICE, {"search_path": "jobs"}) as connection:
        position = await claim_position(connection, READER)
        if position is None:
            return 0
        events = await events_after(connection, position, with_payload={job.on for job in jobs})
        if not events:
            return 0
        await _queue_jobs(connection, events, jobs)
        await move_position(connection, READER, events[-1].position)
        return len(events)


async def sweep(database: Database) -> None:
    """Deletes old events that the worker has dispatched, ended pauses, and jobs that failed long ago."""
    await run_in_batches(database, DELETE_OLD_EVENTS, READER)
    await run_in_batches(database, delete_old_rows("jobs.pauses", "until"), timedelta())
    count = await run_in_batches(database, "select jobs.delete_failed_jobs($1, $2)", _FAILED_JOB_RETENTION)
    if count:
        log.warning("%s jobs that failed more than %s days ago were deleted", count, _FAILED_JOB_RETENTION.days)


async def _queue_jobs(connection: Connection, events: list[Event], jobs: Collection[Job]) -> None:
    new_jobs = await _jobs_with_work(connection, events, jobs)
    if not new_jobs:
        return
    priorities = await _priorities(connection, new_jobs)
    rows = [
        {"queue": job.queue.name, "task": job.name, "priority": priority, "args": {"payload": payload}}
        for (job, payload), priority in zip(new_jobs, priorities, strict=True)
    ]
    await connection.fetchval(
        """
        select jobs.procrastinate_defer_jobs_v1(array(
            select row(queue, task, priority, null, null, args, null)::jobs.procrastinate_job_to_defer_v1
              from jsonb_to_recordset($1) as job (queue text, task text, priority int, args jsonb)))
        """,
        json.dumps(rows),
    )


async def _jobs_with_work(
    connection: Connection, events: list[Event], jobs: Collection[Job]
) -> list[tuple[Job, Payload]]:
    """Leaves out the jobs that would find nothing to do. One query for many events is cheaper than a job for each."""
    companies_by_job: dict[str, set[str]] = {}
    for job in jobs:
        companies = {_company(event.payload) for event in events if event.name == job.on} - {""}
        if job.companies_with_work is None or not companies:
            continue
        with_work = await job.companies_with_work(connection, [UUID(company) for company in companies])
        companies_by_job[job.name] = {str(company) for company in with_work}
    return [
        (job, event.payload)
        for event in events
        for job in jobs
        if job.on == event.name
        and (job.companies_with_work is None or _company(event.payload) in companies_by_job.get(job.name, ()))
    ]


async def _priorities(connection: Connection, new_jobs: list[tuple[Job, Payload]]) -> list[int]:
    """Where companies take turns, the priority of a job is its negative turn, so that the lowest turn comes first."""
    keys = {_turn_key(job, payload) for job, payload in new_jobs if job.queue.concurrency_per_company is not None}
    next_turns = await _next_turns(connection, keys) if keys else {}
    priorities: list[int] = []
    for job, payload in new_jobs:
        if job.queue.concurrency_per_company is None:
            priorities.append(0)
            continue
        key = _turn_key(job, payload)
        priorities.append(-next_turns[key])
        next_turns[key] += 1
    return priorities


def _turn_key(job: Job, payload: Payload) -> TurnKey:
    return (job.queue.name, _company(payload))


def _company(payload: Payload) -> str:
    """Returns the company in the form in which `jobs.company_of` returns it."""
    return payload.get("company_id") or ""


async def _next_turns(connection: Connection, keys: Iterable[TurnKey]) -> dict[TurnKey, int]:
    """Returns the turn of the first new job of each company."""
    queues, companies = zip(*keys, strict=True)
    rows = await connection.fetch(
        "select queue, company, turn from jobs.next_turns($1, $2)", list(queues), list(companies)
    )
    return {(row["queue"], row["company"]): row["turn"] for row in rows}
