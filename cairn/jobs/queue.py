"""Declares jobs, and runs and retries them in a worker."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import procrastinate

from cairn.db import SERVICE, DatabaseUnreachable, is_connection_lost
from cairn.jobs.notifier import OutboxNotifier
from cairn.kit import frozen_dataclass

log = logging.getLogger(__name__)

QUEUE = "cairn"
_CONCURRENCY = 8
_HEARTBEAT_SECONDS = 1.0
_STALLED_AFTER_SECONDS = 4.0

Payload = dict[str, Any]


@frozen_dataclass
class Job:
    """Work that follows from an event. `run` must be idempotent, because it may be called again after a crash."""

    name: str
    on: str
    """The name of the event."""
    run: Callable[[Payload, bool], Awaitable[None]]
    """Called with the payload of the event and whether this is the last try."""
    max_tries: int = 10
    retry_delay_seconds: int = 2
    """The delay before the first retry. Each further delay is longer by the same factor."""
    priority: int = 0
    """Jobs with a lower number wait until no others are queued."""
    former_names: Sequence[str] = ()
    """Names under which an earlier version may have queued this job."""


@asynccontextmanager
async def open_queue(url: str, jobs: Sequence[Job], notifier: OutboxNotifier) -> AsyncIterator[procrastinate.App]:
    """Opens the queue. Do this before starting other tasks: a connection pool cancelled while it opens never closes."""
    app = _create_app(url, jobs, notifier)
    async with app.open_async():
        yield app


async def work(queue: procrastinate.App) -> None:
    """Runs jobs until this task is cancelled or the connection is lost. The worker then finishes its current jobs."""
    requeue_task = asyncio.create_task(_requeue_stalled(queue))
    try:
        await queue.run_worker_async(
            queues=[QUEUE],
            concurrency=_CONCURRENCY,
            install_signal_handlers=False,
            fetch_job_polling_interval=2.0,
            update_heartbeat_interval=_HEARTBEAT_SECONDS,
            stalled_worker_timeout=_STALLED_AFTER_SECONDS,
            shutdown_graceful_timeout=20,
            delete_jobs="successful",
        )
    except procrastinate.exceptions.ConnectorException as error:
        if error.__cause__ is not None and is_connection_lost(error.__cause__):
            raise DatabaseUnreachable from error
        raise
    finally:
        requeue_task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await requeue_task


def _create_app(url: str, jobs: Sequence[Job], notifier: OutboxNotifier) -> procrastinate.App:
    options = f"-c role={SERVICE.role} -c search_path=jobs"
    connector = procrastinate.PsycopgConnector(conninfo=url, kwargs={"options": options}, min_size=1, max_size=4)
    app = procrastinate.App(connector=connector)
    for job in jobs:
        retry = procrastinate.RetryStrategy(max_attempts=job.max_tries - 1, exponential_wait=job.retry_delay_seconds)
        app.task(name=job.name, aliases=[*job.former_names], queue=QUEUE, pass_context=True, retry=retry)(
            _task_function(job, notifier)
        )
    return app


def _task_function(job: Job, notifier: OutboxNotifier) -> Callable[..., Awaitable[None]]:
    async def run(context: procrastinate.JobContext, **arguments: Payload) -> None:
        # The only argument is the payload. Version 0.1 queued it under another name.
        (payload,) = arguments.values()
        try:
            await job.run(payload, context.job.attempts + 1 >= job.max_tries)
        finally:
            # The job may have raised events.
            notifier.notify()

    return run


async def _requeue_stalled(app: procrastinate.App) -> None:
    """Requeues the jobs of workers that were killed, which are still marked as running."""
    task = asyncio.current_task()
    # The connector may turn a cancellation into another exception, so the cancellation is checked explicitly.
    while task is not None and not task.cancelling():
        try:
            for stalled in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_STALLED_AFTER_SECONDS):
                log.warning("job %s of a lost worker is queued again", stalled.id)
                await app.job_manager.retry_job(stalled)
        except procrastinate.exceptions.ConnectorException as error:
            log.info("looking for stalled jobs failed: %s", error)
        await asyncio.sleep(_HEARTBEAT_SECONDS)
