"""Runs functions in a few sandbox processes, which are started when needed and used again."""

import asyncio
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import ParamSpec, TypeVar, cast

from cairn.kit.dataclasses import frozen_dataclass
from cairn.kit.fair_turns import FairTurns
from cairn.kit.problem import Problem
from cairn.kit.sandbox_process import SandboxLimits, SandboxProcess

_P = ParamSpec("_P")
_Result = TypeVar("_Result")

_CLOSE_SECONDS = 3.0


@frozen_dataclass
class PoolSize:
    processes: int
    """How many calls run at once."""
    processes_per_key: int
    """How many calls of one company or network run at once."""
    calls_per_process: int
    """A process is replaced after this many calls. With 1, no call can affect a later one."""
    waiting: int = 1000
    waiting_per_key: int = 1000
    keep_below_bytes: int = 256 * 1024 * 1024
    """A process that has grown larger is replaced."""
    idle_seconds: float = 30
    """A process that has had no call for this long is ended, which frees its memory."""
    always_idle: int = 0
    """This many idle processes are kept even then, so that the next call finds one."""


class SandboxPool:
    """Calls with different keys take turns. No process is started before the first call, or before `warm_up`."""

    def __init__(self, limits: SandboxLimits, size: PoolSize) -> None:
        self._limits, self._size = limits, size
        self._turns = FairTurns(
            running=size.processes,
            running_per_key=size.processes_per_key,
            waiting=size.waiting,
            waiting_per_key=size.waiting_per_key,
        )
        # Waiting for a process blocks a thread, and the threads of the event loop are needed for other work.
        self._threads = ThreadPoolExecutor(size.processes, thread_name_prefix="sandbox")
        self._lock = Lock()
        # Each idle process, with the time at which it became idle. The one that was used last is at the end.
        self._idle: list[tuple[SandboxProcess, float]] = []
        self._busy: set[SandboxProcess] = set()
        weakref.finalize(self, _stop_all, self._idle)

    @property
    def size(self) -> PoolSize:
        return self._size

    @property
    def idle_process_ids(self) -> list[int]:
        with self._lock:
            return [process.id for process, _ in self._idle]

    async def run(self, key: str, function: Callable[_P, _Result], *args: _P.args, **kwargs: _P.kwargs) -> _Result:
        """Returns the result. Raises the Problem that the function raised, SandboxFailed, or TooBusy."""
        assert not kwargs, "only positional arguments are supported"
        await self._turns.enter(key)
        loop = asyncio.get_running_loop()
        call = loop.run_in_executor(self._threads, self._run_in_process, function, args)
        # The turn lasts until the call has ended, even if the caller is cancelled before that.
        call.add_done_callback(lambda _: self._end_turn(key, loop))
        return cast("_Result", await asyncio.shield(call))

    def warm_up(self) -> None:
        """Starts a process in the background, because the first one takes seconds: it loads all modules."""
        self._threads.submit(lambda: self._give_back(SandboxProcess(self._limits)))

    async def close(self) -> None:
        """Lets running calls finish for a few seconds, and then ends them, so that a server can stop."""
        ends_at = time.monotonic() + _CLOSE_SECONDS
        while self._busy and time.monotonic() < ends_at:  # noqa: ASYNC110 - threads change it
            await asyncio.sleep(0.05)
        with self._lock:
            idle, busy = [*self._idle], [*self._busy]
            self._idle.clear()
        for process in busy:
            process.kill()
        _stop_all(idle)

    def _end_turn(self, key: str, loop: asyncio.AbstractEventLoop) -> None:
        self._turns.leave(key)
        loop.call_later(self._size.idle_seconds, self._threads.submit, self._stop_idle)

    def _run_in_process(self, function: Callable[..., object], args: tuple[object, ...]) -> object:
        process = self._take()
        is_reusable = False
        try:
            result = process.run(function, args)
            is_reusable = self._is_reusable(process)
        except Problem:
            is_reusable = self._is_reusable(process)
            raise
        else:
            return result
        finally:
            self._busy.discard(process)
            if is_reusable:
                self._give_back(process)
            else:
                process.stop()

    def _take(self) -> SandboxProcess:
        with self._lock:
            process = self._idle.pop()[0] if self._idle else None
        process = process or SandboxProcess(self._limits)
        self._busy.add(process)
        return process

    def _is_reusable(self, process: SandboxProcess) -> bool:
        return (
            process.calls < self._size.calls_per_process
            and process.resident_bytes < self._size.keep_below_bytes
            and not process.has_low_priority
        )

    def _give_back(self, process: SandboxProcess) -> None:
        with self._lock:
            self._idle.append((process, time.monotonic()))

    def _stop_idle(self) -> None:
        expiry = time.monotonic() - self._size.idle_seconds
        with self._lock:
            # The processes at the start have been idle for longest, because a call takes the one at the end.
            spare = self._idle[: max(len(self._idle) - self._size.always_idle, 0)]
            expired = [(process, idle_since) for process, idle_since in spare if idle_since <= expiry]
            del self._idle[: len(expired)]
        _stop_all(expired)


def _stop_all(idle: list[tuple[SandboxProcess, float]]) -> None:
    for process, _ in idle:
        process.stop()
