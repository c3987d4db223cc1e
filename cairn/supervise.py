"""Keeps the worker process and the embedded PostgreSQL running: starts each of them again when it has ended.

The pauses between starts grow, so that a part that cannot start does not flood the log.
"""

import asyncio
import contextlib
import logging
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from cairn.db import EmbeddedPostgres
from cairn.kit import Problem

log = logging.getLogger(__name__)

# After the server has stopped, running jobs have this long to finish.
_WORKER_GRACE_SECONDS = 30
_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
# A part that ran for this long has started well, so the next pause is short again.
_STABLE_AFTER_SECONDS = 60.0
_CHECK_POSTGRES_EVERY_SECONDS = 1.0


class Backoff:
    """Says how long to wait before the next start. Each failure in a row doubles the pause."""

    def __init__(self) -> None:
        self._failures = 0

    def record_run(self, seconds: float) -> float:
        """Returns the pause after a run of this length."""
        self._failures = 0 if seconds >= _STABLE_AFTER_SECONDS else self._failures
        pause = min(_FIRST_PAUSE_SECONDS * 2.0**self._failures, _LONGEST_PAUSE_SECONDS)
        # The exponent is limited, because the number would grow without end.
        self._failures = min(self._failures + 1, 10)
        return pause


@asynccontextmanager
async def supervised_worker(command: Sequence[str], variables: Mapping[str, str]) -> AsyncIterator[None]:
    """Runs `cairn worker` in a separate process, so that rendering documents does not slow down requests.

    `variables` are added to its environment.
    """

    async def keep_running(stopping: asyncio.Event) -> None:
        backoff = Backoff()
        while not stopping.is_set():
            started_at = time.monotonic()
            outcome = await _run_worker(command, variables, stopping)
            if stopping.is_set():
                return
            pause = backoff.record_run(time.monotonic() - started_at)
            log.error("The worker ended (%s). It is started again in %.0f s.", outcome, pause)
            await _wait(stopping, pause)

    async with _running(keep_running):
        yield


@asynccontextmanager
async def supervised_postgres(postgres: EmbeddedPostgres) -> AsyncIterator[None]:
    """Starts the embedded PostgreSQL again when it has ended. It must be running already."""

    async def keep_running(stopping: asyncio.Event) -> None:
        backoff, started_at = Backoff(), time.monotonic()
        while not stopping.is_set():
            await _wait(stopping, _CHECK_POSTGRES_EVERY_SECONDS)
            if stopping.is_set() or await asyncio.to_thread(postgres.accepts_connections):
                continue
            pause = backoff.record_run(time.monotonic() - started_at)
            log.error("PostgreSQL has ended; see %s. It is started again in %.0f s.", postgres.log_file, pause)
            await _wait(stopping, pause)
            started_at = time.monotonic()
            if not stopping.is_set():
                await _start_postgres(postgres)

    async with _running(keep_running):
        yield


@asynccontextmanager
async def _running(keep_running: Callable[[asyncio.Event], Awaitable[None]]) -> AsyncIterator[None]:
    """Runs the supervisor until the end of this context, then lets it finish its current step."""
    stopping = asyncio.Event()
    task = asyncio.ensure_future(keep_running(stopping))
    try:
        yield
    finally:
        stopping.set()
        await task


async def _run_worker(command: Sequence[str], variables: Mapping[str, str], stopping: asyncio.Event) -> str:
    """Runs the worker until it ends or `stopping` is set, and returns how it ended."""
    try:
        # In a new session the worker does not receive the Ctrl-C of the terminal. It is stopped after the server.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cairn", *command,
            stdin=PIPE, start_new_session=True, env={**os.environ, **variables},
        )  # fmt: skip
    except OSError as error:
        return f"it could not be started: {error}"
    ended, stop_requested = asyncio.create_task(process.wait()), asyncio.create_task(stopping.wait())
    await asyncio.wait((ended, stop_requested), return_when=asyncio.FIRST_COMPLETED)
    stop_requested.cancel()
    if not ended.done():
        await _stop_worker(process)
    return f"exit status {await ended}"


async def _stop_worker(process: Process) -> None:
    """Closes the worker's stdin, which stops it, and kills it if it takes too long."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(_WORKER_GRACE_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()


async def _start_postgres(postgres: EmbeddedPostgres) -> None:
    try:
        await asyncio.to_thread(postgres.start)
    except (Problem, OSError) as error:
        log.error("%s", error)
    else:
        log.info("PostgreSQL is running again.")


async def _wait(stopping: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopping.wait()
