"""The queue: what a room declares as a job, and the worker that runs it until it is done."""

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

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """What follows from an event. `run` may be called again after a crash, so it must not mind."""

    name: str
    on: str
    run: Callable[[Facts, bool], Awaitable[None]]
    """Takes the event's facts, and whether this is the last try."""
    tries: int = 10
    wait_seconds: int = 2
    priority: int = 0
    """Lower ones wait until nobody else is in the queue."""
    former_names: Sequence[str] = ()
    """Names under which an earlier version may have queued this job."""


@asynccontextmanager
async def open_queue(url: str, jobs: Sequence[Job], notifier: OutboxNotifier) -> AsyncIterator[procrastinate.App]:
    """Opened by itself, before anything may cancel it: a pool that is cancelled while it opens does not close."""
    app = _app(url, jobs, notifier)
    async with app.open_async():
        yield app


async def work(queue: procrastinate.App) -> None:
    """Runs jobs until cancelled; a cancelled worker finishes what it is doing."""
    rescue = asyncio.create_task(_rescue_stalled(queue))
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
        rescue.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await rescue


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
    async def run(context: procrastinate.JobContext, facts: Facts) -> None:
        try:
            await job.run(facts, context.job.attempts + 1 >= job.tries)
        finally:
            # What the job wrote may itself have raised events.
            notifier.notify()

    return run


async def _rescue_stalled(app: procrastinate.App) -> None:
    """A worker that was killed leaves its jobs marked as being done; they are put back."""
    this = asyncio.current_task()
    # The connector may turn a cancellation into an error of its own, so being cancelled is also asked for.
    while this is not None and not this.cancelling():
        try:
            for stalled in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_STALLED_AFTER_SECONDS):
                log.warning("job %s of a lost worker is put back", stalled.id)
                await app.job_manager.retry_job(stalled)
        except procrastinate.exceptions.ConnectorException as lost:
            log.info("could not look for stalled jobs: %s", lost)
        await asyncio.sleep(_HEARTBEAT_SECONDS)
