"""The CPU time of processes, as Linux reports it. Other work on the machine hardly changes it."""

import os
from pathlib import Path


def thread_seconds(pid: int) -> dict[int, float]:
    """CPU seconds by thread id. The main thread has the id of the process."""
    return {int(thread.name): _seconds(thread) for thread in Path(f"/proc/{pid}/task").iterdir()}


def process_seconds(pid: int) -> float:
    return sum(thread_seconds(pid).values())


def _seconds(thread: Path) -> float:
    fields = (thread / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
