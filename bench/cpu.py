"""Reads the CPU time of processes from Linux. Other work on the machine hardly changes CPU time."""

import os
from pathlib import Path


def thread_seconds(pid: int) -> dict[int, float]:
    """Returns CPU seconds by thread id. The main thread has the id of the process."""
    return {int(thread.name): _cpu_seconds(thread) for thread in Path(f"/proc/{pid}/task").iterdir()}


def process_seconds(pid: int) -> float:
    return sum(thread_seconds(pid).values())


def tree_seconds(pid: int) -> float:
    """Returns the CPU seconds of a process and all processes that it has started, including those that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(int(field) for field in fields[11:15])
    children = [
        child for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
    return ticks / os.sysconf("SC_CLK_TCK") + sum(tree_seconds(int(child)) for child in children)


def _cpu_seconds(thread: Path) -> float:
    fields = (thread / "stat").read_text().rpartition(")")[2].split()
    # These fields are the ticks in user mode and in kernel mode.
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def precise_seconds(pid: int) -> float:
    """Returns the CPU seconds of a process with one thread. Unlike ticks, they are exact to the nanosecond."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
