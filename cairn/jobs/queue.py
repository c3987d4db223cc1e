"""Runs and retries jobs in a worker."""

import asyncio
import select
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import procrastinate
import psycopg
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from cairn.db import SERVICE, DatabaseUnreachable, is_connection_lost
from cairn.jobs.fair_jobs import FairJobManager, QueueWorker
from cairn.jobs.job import DEFAULT_QUEUE, Job, Payload, Queue
from cairn.jobs.lost_workers import HEARTBEAT_SECONDS, hold_locks, requeue_jobs_of_lost_workers
from cairn.jobs.notifier import OutboxNotifier
from cairn.jobs.retry import CappedRetry
from cairn.kit import cancel_and_wait, count, frozen_dataclass, span

MAX_QUEUE_CONNECTIONS = 6
_CANCEL_AGAIN_SECONDS = 1.0


@frozen_dataclass
class OpenQueue:
    app: procrastinate.App
    url: str
    # The default queue is always among them, because it may contain jobs of earlier versions.
    queues: Sequence[Queue]


@asynccontextmanager
async def open_queue(url: str, jobs: Sequence[Job], notifier: OutboxNotifier) -> AsyncIterator[OpenQueue]:
    """Opens the queue. Do this before starting other tasks: a pool that is cancelled while it opens never closes."""
    app = _create_app(url, jobs, notifier)
    async with app.open_async():
        yield OpenQueue(app, url, [*{DEFAULT_QUEUE, *(job.queue for job in jobs)}])


async def work(open_queue: OpenQueue) -> None:
    """Runs the jobs of all queues until this task is cancelled or the connection is lost.

    The workers then finish their current jobs.
    """
    workers = [_create_worker(open_queue.app, queue) for queue in open_queue.queues]
    side_tasks = [
        asyncio.create_task(requeue_jobs_of_lost_workers(open_queue.app)),
        asyncio.create_task(hold_locks(open_queue.url, workers)),
    ]
    runs = {
        asyncio.create_task(worker.run()): worker  # type: ignore[no-untyped-call] # the library does not annotate it
        for worker in workers
    }
    try:
        # A worker ends only if it fails. Its error is raised below.
        await asyncio.wait(runs, return_when=asyncio.FIRST_COMPLETED)
    finally:
        outcomes = await _end_runs(runs)
        await cancel_and_wait(side_tasks)
    error = next((outcome for outcome in outcomes if isinstance(outcome, Exception)), QueueStopped())
    if error.__cause__ is not None and is_connection_lost(error.__cause__):
        raise DatabaseUnreachable from error
    raise error


async def _end_runs(runs: "Mapping[asyncio.Task[None], QueueWorker]") -> list[BaseException | None]:
    """Stops the workers, waits until they have finished their current jobs, and returns their errors."""
    for run, worker in runs.items():
        worker.stop()  # type: ignore[no-untyped-call] # the library does not annotate it
        run.cancel()
    running = set(runs)
    while running:
        _, running = await asyncio.wait(running, timeout=_CANCEL_AGAIN_SECONDS)
        for run in running:
            # A worker without an id is still starting and has no jobs, but it may have missed the cancellation. One
            # with an id ends by itself, and another cancellation would interrupt its jobs.
            if runs[run].worker_id is None:
                run.cancel()
    return await asyncio.gather(*runs, return_exceptions=True)


class QueueStopped(Exception):
    """A worker of the queue has ended, although the program is still running."""


def _create_worker(app: procrastinate.App, queue: Queue) -> QueueWorker:
    return QueueWorker(
        app,
        queue,
        install_signal_handlers=False,
        fetch_job_polling_interval=2.0,
        update_heartbeat_interval=HEARTBEAT_SECONDS,
        # A worker with a late heartbeat may be alive. `lost_workers` decides whether it is lost.
        stalled_worker_timeout=3600,
        shutdown_graceful_timeout=20,
        delete_jobs="successful",
    )


def _create_app(url: str, jobs: Sequence[Job], notifier: OutboxNotifier) -> procrastinate.App:
    connector = procrastinate.PsycopgConnector(
        conninfo=url,
        pool_factory=_create_pool,
        kwargs={"application_name": "cairn queue"},
        configure=_prepare_session,
        min_size=1,
        max_size=MAX_QUEUE_CONNECTIONS,
    )
    app = procrastinate.App(connector=connector)
    app.job_manager = FairJobManager(connector, {DEFAULT_QUEUE, *(job.queue for job in jobs)})
    for job in jobs:
        app.task(
            name=job.name,
            aliases=[*job.former_names],
            queue=job.queue.name,
            pass_context=True,
            retry=CappedRetry(job),
        )(_task_function(job, notifier))
    return app


def _create_pool(**options: Any) -> "AsyncConnectionPool[psycopg.AsyncConnection[TupleRow]]":
    return AsyncConnectionPool(**{**options, "check": _check})


async def _check(connection: "psycopg.AsyncConnection[TupleRow]") -> None:
    """Raises an error if the server has closed the connection.

    An idle connection has nothing to read, unless the server has closed it. The library's own check would send an
    empty query before each query.
    """
    if select.select([connection], [], [], 0)[0]:
        await AsyncConnectionPool.check_connection(connection)


async def _prepare_session(connection: "psycopg.AsyncConnection[TupleRow]") -> None:
    """Sets the role and the schema. A parameter `options` of the connection would do so too, but poolers refuse it."""
    # Every query of the queue is one statement, so a transaction around it would only cost two more round trips.
    await connection.set_autocommit(True)
    await connection.execute(f"set role {SERVICE.role}")
    await connection.execute("set search_path = jobs")


def _task_function(job: Job, notifier: OutboxNotifier) -> Callable[..., Awaitable[None]]:
    async def run(context: procrastinate.JobContext, **arguments: Payload) -> None:
        # The only argument is the payload. Version 0.1 queued it under another name.
        (payload,) = arguments.values()
        is_last_try = context.job.attempts + 1 >= job.max_tries
        outcome = "failed" if is_last_try else "retried"
        try:
            with span(f"job {job.name}"):
                await job.run(payload, is_last_try)
            outcome = "succeeded"
        finally:
            count("jobs", job.name, outcome)
            # The job may have raised events.
            notifier.notify()

    return run
