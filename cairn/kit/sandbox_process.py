"""Runs functions that strangers can make expensive in a separate process, with limited memory and time.

A kilobyte of PDF can expand to gigabytes in any parser, and a long text takes minutes to typeset. In the separate
process only that one call fails, and its memory is free again afterwards.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from pathlib import Path

from cairn.kit.dataclasses import frozen_dataclass
from cairn.kit.sandbox_reply import CallFailed, LimitExceeded, Reply, SandboxFailed, TookTooLong, call, decode, encode

# A call that has used the processor for longer than this gets a low priority, so that it does not delay short calls.
_LOW_PRIORITY_AFTER_SECONDS = 1.0
_LOW_PRIORITY = 10
_CHECK_PRIORITY_EVERY_SECONDS = 0.5
_LIMIT_BY_SIGNAL: dict[int, str] = {}
if sys.platform != "win32":
    _LIMIT_BY_SIGNAL = {signal.SIGXCPU: "processor time", signal.SIGABRT: "memory"}


@frozen_dataclass
class SandboxLimits:
    """What one call may use. Without the limit in `wall_seconds`, a call that waits for a server would never end."""

    cpu_seconds: int
    wall_seconds: float
    memory_bytes: int
    output_bytes: int


class SandboxProcess:
    """Runs one call at a time. `SandboxPool` decides after each call whether the process is used again."""

    def __init__(self, limits: SandboxLimits) -> None:
        self._limits = limits
        self._connection, child_connection = multiprocessing.Pipe()
        # A daemon process never outlives the server. The type stubs of a context do not know its Process class.
        self._process = process_context().Process(  # type: ignore[attr-defined] # see above
            target=_answer_calls, args=(child_connection, limits), daemon=True
        )
        self._process.start()
        child_connection.close()
        self.calls = 0
        self.resident_bytes = 0
        self.has_low_priority = False

    @property
    def id(self) -> int:
        process_id: int = self._process.pid
        return process_id

    def run(self, function: Callable[..., object], args: tuple[object, ...]) -> object:
        """Blocks until the function has returned. Raises its Problem, or SandboxFailed."""
        self.calls += 1
        try:
            self._connection.send((function, args))
            self._wait_for_reply()
            reply: Reply = decode(self._connection.recv_bytes(self._limits.output_bytes))
        except (EOFError, ConnectionError) as closed:
            raise self._reason_of_end() from closed
        except OSError as error:
            # `recv_bytes` raises this if the reply is longer than allowed.
            raise LimitExceeded("output") from error
        self.resident_bytes = reply.resident_bytes
        return reply.value()

    def kill(self) -> None:
        """Makes a running call fail. It may be called while another thread waits for the call."""
        self._process.kill()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self._connection.close()

    def _wait_for_reply(self) -> None:
        """Raises an error if there is no reply in time."""
        ends_at = time.monotonic() + self._limits.wall_seconds
        used_before = _processor_seconds(self.id)
        while (remaining := ends_at - time.monotonic()) > 0:
            if self._connection.poll(min(_CHECK_PRIORITY_EVERY_SECONDS, remaining)):
                return
            used = _processor_seconds(self.id) - used_before
            if used > _LOW_PRIORITY_AFTER_SECONDS and not self.has_low_priority:
                self.has_low_priority = True
                _lower_priority(self.id)
        # On a busy machine, a call may not get all of the processor time that it is allowed. If it has used half of
        # that time, it counts as too expensive.
        used = _processor_seconds(self.id) - used_before
        if used > self._limits.cpu_seconds / 2:
            raise LimitExceeded("processor time")
        raise TookTooLong

    def _reason_of_end(self) -> SandboxFailed:
        self._process.join(timeout=5)
        exit_code = self._process.exitcode or 0
        if exit_code >= 0:
            return CallFailed(f"the process ended with {exit_code}")
        limit = _LIMIT_BY_SIGNAL.get(-exit_code)
        return LimitExceeded(limit) if limit else CallFailed(f"the process was ended by signal {-exit_code}")


def preload(modules: Iterable[str]) -> None:
    """Names the modules that the fork server loads once for all processes. It has no effect after the first process."""
    _preloaded.update(dict.fromkeys(modules))


_preloaded: dict[str, None] = {}


@cache
def process_context() -> BaseContext:
    """Each process is forked in milliseconds from a fork server that has the needed libraries loaded."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_preloaded])
    return context


def _processor_seconds(pid: int) -> float:
    """Returns 0 on systems other than Linux, where no call gets a lower priority."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    user_ticks, system_ticks = int(fields[11]), int(fields[12])
    return (user_ticks + system_ticks) / os.sysconf("SC_CLK_TCK")


def _lower_priority(pid: int) -> None:
    # Linux has one priority for each thread. A process that ends meanwhile needs none.
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.setpriority(os.PRIO_PROCESS, int(thread.name), _LOW_PRIORITY)


def _answer_calls(connection: Connection, limits: SandboxLimits) -> None:
    """The main function of the process."""
    # Ctrl-C is meant for the server, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The typesetter would start a thread for every core, and each thread reserves address space.
    os.environ["RAYON_NUM_THREADS"] = "1"
    _limit_memory(limits)
    while True:
        try:
            function, args = connection.recv()
        except EOFError:
            return
        _limit_processor_time(limits)
        connection.send_bytes(encode(call(function, args)))


def _limit_memory(limits: SandboxLimits) -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not available on Windows

    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_processor_time(limits: SandboxLimits) -> None:
    """Linux counts the time of the whole process, so each call gets its seconds on top of those used before."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not available on Windows

    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard_limit = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime) + 1 + limits.cpu_seconds, hard_limit))
