"""Requeues the jobs of killed workers, which are still marked as running, and jobs whose next try is too far away.

A worker is lost if its heartbeat is old and its connection has ended. The heartbeat alone says too little: on a busy
machine it can be late, and then the jobs of a worker that is still alive would run twice.
"""

import asyncio
import itertools
import logging
from collections.abc import Sequence

import procrastinate
from procrastinate.worker import Worker

from cairn.db import RetryPolicy, open_session

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 1.0
_LATE_AFTER_SECONDS = 4.0
_CHECK_RETRIES_EVERY_SECONDS = 5
# The first key of the advisory locks that workers hold. The second one is the id of the worker.
LOCK_CLASS = 1_668_246_898
# No job waits for longer than half an hour before its next try (see `CappedRetry`). A much later time was stored before
# the clock was set back.
_MAKE_LATE_RETRIES_DUE = """
update jobs.procrastinate_jobs set scheduled_at = now()
 where id in (select id from jobs.procrastinate_jobs
               where status = 'todo' and scheduled_at > now() + interval '1 hour'
               limit 1000 for update skip locked)
"""
_CONNECTED_WORKERS = """
select l.objid::bigint as id
  from pg_locks l
 where l.locktype = 'advisory' and l.classid = %(lock_class)s::oid and l.objsubid = 2
   and l.database = (select d.oid from pg_database d where d.datname = current_database())
"""


async def hold_locks(url: str, workers: Sequence[Worker]) -> None:
    """Holds a lock for each worker. PostgreSQL releases the locks as soon as this process ends."""
    retry = RetryPolicy(log, "the locks of the worker", delay_seconds=HEARTBEAT_SECONDS)
    await retry.run_forever(lambda: _hold_locks_once(url, workers, retry))


async def _hold_locks_once(url: str, workers: Sequence[Worker], retry: RetryPolicy) -> None:
    connection = await open_session(url, "cairn worker locks")
    try:
        locked: set[int] = set()
        while not connection.is_closed():
            for worker_id in {worker.worker_id for worker in workers if worker.worker_id is not None} - locked:
                await connection.execute("select pg_advisory_lock_shared($1, $2)", LOCK_CLASS, worker_id)
                locked.add(worker_id)
                retry.record_success()
            await asyncio.sleep(HEARTBEAT_SECONDS)
    finally:
        connection.terminate()


async def requeue_jobs_of_lost_workers(app: procrastinate.App) -> None:
    task = asyncio.current_task()
    # The connector may turn a cancellation into another exception, so the cancellation is checked explicitly.
    for second in itertools.count():
        if task is None or task.cancelling():
            return
        try:
            await _requeue_once(app)
            if second % _CHECK_RETRIES_EVERY_SECONDS == 0:
                await app.connector.execute_query_async(query=_MAKE_LATE_RETRIES_DUE)
        except procrastinate.exceptions.ConnectorException as error:
            log.info("looking for stalled jobs failed: %s", error)
        await asyncio.sleep(HEARTBEAT_SECONDS)


async def _requeue_once(app: procrastinate.App) -> None:
    late_jobs = list(await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_LATE_AFTER_SECONDS))
    if not late_jobs:
        return
    rows = await app.connector.execute_query_all_async(query=_CONNECTED_WORKERS, lock_class=LOCK_CLASS)
    connected_ids = {row["id"] for row in rows}
    for job in late_jobs:
        if job.worker_id not in connected_ids:
            log.warning("job %s of a lost worker is queued again", job.id)
            await app.job_manager.retry_job(job)
