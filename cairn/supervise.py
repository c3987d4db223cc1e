"""Keeps the processes of `cairn serve` and the embedded PostgreSQL running: starts each again when it has ended.

The pauses between starts grow, so that a part that cannot start does not flood the log.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Self

from cairn.db import EmbeddedPostgres
from cairn.kit import Problem, frozen_dataclass

log = logging.getLogger(__name__)

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
        # The exponent is limited, because the number would otherwise grow without end.
        self._failures = min(self._failures + 1, 10)
        return pause


@frozen_dataclass
class Program:
    """A `cairn` command that runs in a process of its own. It stops when its stdin is closed.

    `variables` are added to its environment, and it inherits the open files of `descriptors`.
    """

    name: str
    command: Sequence[str]
    variables: Mapping[str, str]
    grace_seconds: float
    descriptors: tuple[int, ...] = ()


class Supervisor:
    """Runs each program in a separate process, so that for example rendering documents does not slow down requests.

    At the end of this context, all of them are stopped at the same time.
    """

    def __init__(self, programs: Sequence[Program]) -> None:
        self._programs = programs
        self._processes: set[Process] = set()
        self._context = _running(self._keep_all_running)

    async def __aenter__(self) -> Self:
        await self._context.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._context.__aexit__(None, None, None)

    def interrupt(self) -> None:
        """Passes a Ctrl-C on. A process that is already stopping then no longer waits for open connections."""
        for process in self._processes:
            process.send_signal(signal.SIGINT)

    async def _keep_all_running(self, stopping: asyncio.Event) -> None:
        await asyncio.gather(*(self._keep_running(program, stopping) for program in self._programs))

    async def _keep_running(self, program: Program, stopping: asyncio.Event) -> None:
        backoff = Backoff()
        while not stopping.is_set():
            started_at = time.monotonic()
            outcome = await self._run(program, stopping)
            if stopping.is_set():
                return
            pause = backoff.record_run(time.monotonic() - started_at)
            log.error("The %s ended (%s). It is started again in %.0f s.", program.name, outcome, pause)
            await _wait(stopping, pause)

    async def _run(self, program: Program, stopping: asyncio.Event) -> str:
        """Runs the program until it ends or `stopping` is set, and returns how it ended."""
        try:
            # In a new session the process does not receive the Ctrl-C of the terminal. It is stopped by us.
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "cairn", *program.command,
                stdin=PIPE, start_new_session=True, env={**os.environ, **program.variables},
                pass_fds=program.descriptors,
            )  # fmt: skip
        except OSError as error:
            return f"it could not be started: {error}"
        self._processes.add(process)
        ended, stop_requested = asyncio.create_task(process.wait()), asyncio.create_task(stopping.wait())
        await asyncio.wait((ended, stop_requested), return_when=asyncio.FIRST_COMPLETED)
        stop_requested.cancel()
        if not ended.done():
            await _stop(process, program.grace_seconds)
        self._processes.discard(process)
        return f"exit status {await ended}"


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


async def _stop(process: Process, grace_seconds: float) -> None:
    """Stops the process, and kills it if it takes too long.

    A process that is still starting reads no stdin, but SIGTERM ends it.
    """
    assert process.stdin is not None
    process.stdin.close()
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(grace_seconds):
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
