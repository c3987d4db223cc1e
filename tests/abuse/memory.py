"""Measures the memory of a running server while it is attacked."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serving import RunningServer


@contextmanager
def memory_stays_within(server: RunningServer, times: float) -> Iterator[None]:
    """Fails if the web server's memory ever exceeds this many times its memory at the start."""
    with process_memory_stays_within(server.process.pid, times):
        yield


@contextmanager
def process_memory_stays_within(pid: int, times: float, *, idle: float | None = None) -> Iterator[None]:
    """Compares with the memory `idle` in megabytes, or with the memory at the start."""
    idle = idle or megabytes(pid)
    # Linux resets the peak of the process when 5 is written to this file.
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    yield
    peak = megabytes(pid, "VmHWM")
    assert peak <= times * idle, f"{idle:.0f} MB when idle, {peak:.0f} MB during the attack"


def megabytes(pid: int, name: str = "VmRSS") -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    match = re.search(rf"{name}:\s+(\d+) kB", status)
    assert match is not None
    return int(match[1]) / 1024
