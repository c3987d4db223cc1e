"""The job queue: the declaration of a job, and the worker that runs and retries it."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import procrastinate

from cairn.db import SERVICE
from cairn.jobs.notifier import OutboxNotifier

log = logging.getLogger(__name__)

QUEUE = "cairn"
_CONCURRENCY = 8
_HEARTBEAT_SECONDS = 1.0
_STALLED_AFTER_SECONDS = 4.0

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """Work that follows from an event. `run` must be idempotent, because it may be called again after a crash."""

    name: str
    on: str
    run: Callable[[Payload, bool], Awaitable[None]]
    """Takes the payload of the event, and whether this is the last try."""
    tries: int = 10
    wait_seconds: int = 2
    priority: int = 0
    """Jobs with a lower priority wait until no others are queued."""
    former_names: Sequence[str] = ()
    """Names under which an earlier version may have queued this job."""


@asynccontextmanager
async def open_queue(url: str, jobs: Sequence[Job], notifier: OutboxNotifier) -> AsyncIterator[procrastinate.App]:
    """Open the queue before starting tasks that may cancel it: a pool cancelled while it opens never closes."""
    app = _app(url, jobs, notifier)
    async with app.open_async():
        yield app


async def work(queue: procrastinate.App) -> None:
    """Runs jobs until cancelled; a cancelled worker finishes its current jobs."""
    requeueing = asyncio.create_task(_requeue_stalled(queue))
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
    finally:
        requeueing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await requeueing


def _app(url: str, jobs: Sequence[Job], notifier: OutboxNotifier) -> procrastinate.App:
    options = f"-c role={SERVICE.role} -c search_path=jobs"
    connector = procrastinate.PsycopgConnector(conninfo=url, kwargs={"options": options}, min_size=1, max_size=4)
    app = procrastinate.App(connector=connector)
    for job in jobs:
        retry = procrastinate.RetryStrategy(max_attempts=job.tries - 1, exponential_wait=job.wait_seconds)
        app.task(name=job.name, aliases=[*job.former_names], queue=QUEUE, pass_context=True, retry=retry)(
            _task(job, notifier)
        )
    return app


def _task(job: Job, notifier: OutboxNotifier) -> Callable[..., Awaitable[None]]:
    async def run(context: procrastinate.JobContext, **arguments: Payload) -> None:
        # The only argument is the payload; version 0.1 queued it under another name.
        (payload,) = arguments.values()
        try:
            await job.run(payload, context.job.attempts + 1 >= job.tries)
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
