"""Repeats a test that failed while the machine's host gave the processors to other machines.

The tests have time limits that a machine keeps easily, however busy it is with its own work. A virtual machine whose
host takes its processors away for seconds cannot keep them, and that says nothing about the product. Linux counts this
time, so such a failure can be distinguished from a real one. No test is repeated on a machine that keeps its
processors.
"""

from pathlib import Path

import pytest

MAX_STOLEN_SHARE = 0.05
MAX_REPEATS = 3
# The processors often come back within this time.
SECONDS_BEFORE_REPEAT = 10

_STATISTICS = Path("/proc/stat")
# In the first line, the first eight numbers are separate times. The later numbers are parts of these times.
_TIMES, _STOLEN = slice(1, 9), 7


class StolenTime:
    """Measures which share of the processor time the host has taken away since the start of a test."""

    def __init__(self) -> None:
        self._at_start = read_processor_times()

    def restart(self) -> None:
        self._at_start = read_processor_times()

    def is_too_long(self) -> bool:
        passed = [now - before for now, before in zip(read_processor_times(), self._at_start, strict=True)]
        return sum(passed) > 0 and passed[_STOLEN] / sum(passed) > MAX_STOLEN_SHARE


def read_processor_times() -> list[int]:
    """Returns the times that Linux has counted since the machine started; on other systems zeros."""
    if not _STATISTICS.exists():
        return [0] * 8
    return [int(number) for number in _STATISTICS.read_text().splitlines()[0].split()[_TIMES]]


_stolen_time = StolenTime()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    _stolen_time.restart()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    repeated = pytest.mark.flaky(
        reruns=MAX_REPEATS, reruns_delay=SECONDS_BEFORE_REPEAT, condition=_stolen_time.is_too_long
    )
    for item in items:
        item.add_marker(repeated)
