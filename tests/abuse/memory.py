"""Measures the memory of a running server while it is attacked."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.memory import megabytes
from tests.serving import RunningServer


@contextmanager
def memory_stays_within(server: RunningServer, times: float) -> Iterator[None]:
    """Fails if the web server's memory ever exceeds this many times its memory at the start."""
    with process_memory_stays_within(server.process.pid, times):
        yield


@contextmanager
def memory_of_server_and_worker_stays_within(server: RunningServer, times: float) -> Iterator[None]:
    with (
        process_memory_stays_within(server.process.pid, times),
        process_memory_stays_within(server.worker_pid, times),
    ):
        yield


@contextmanager
def process_memory_stays_within(pid: int, times: float, *, idle_megabytes: float | None = None) -> Iterator[None]:
    """Fails if the memory ever exceeds this many times `idle_megabytes`, or its size at the start if that is None."""
    idle_megabytes = idle_megabytes or megabytes(pid)
    # Linux resets the peak of the process (VmHWM) when 5 is written to this file.
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    yield
    peak = megabytes(pid, "VmHWM")
    assert peak <= times * idle_megabytes, f"{idle_megabytes:.0f} MB when idle, {peak:.0f} MB during the attack"
