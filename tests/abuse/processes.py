"""Finds the processes of a running server in /proc."""

from pathlib import Path

from tests.serving import RunningServer


def worker_pid(server: RunningServer) -> int:
    [pid] = [pid for pid in children(server.process.pid) if b"worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return pid


def children(parent: int) -> list[int]:
    return [int(stat.parent.name) for stat in Path("/proc").glob("[0-9]*/stat") if _parent_of(stat) == parent]


def _parent_of(stat: Path) -> int | None:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        # The process has ended meanwhile.
        return None
