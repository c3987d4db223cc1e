"""A failed test is repeated only if the host has taken the processors away while it ran."""

import subprocess
import sys
from pathlib import Path

import pytest

# Processor times of a machine: first it was busy for 100 ticks, then for 100 more, of which the host took some away.
BEFORE = "cpu 60 0 40 0 0 0 0 0 0 0\n"
AFTER = "cpu 120 0 {system} 0 0 0 0 {stolen} 0 0\n"
# A test that fails at the first try and passes at the second.
SECOND_TRY = """
from pathlib import Path

def test_second_try():
    tries = Path(__file__).with_name("tries")
    tries.write_text(tries.read_text() + "x" if tries.exists() else "x")
    Path({statistics!r}).write_text({after!r})
    assert tries.read_text() == "xx"
"""
CONFTEST = """
from pathlib import Path
from tests import stolen_time

stolen_time._STATISTICS = Path({statistics!r})
stolen_time.SECONDS_BEFORE_REPEAT = 0
"""


@pytest.mark.parametrize(
    ("stolen", "exit_status", "line", "summary"),
    [
        (6, 0, "test_second_try is repeated, because the host took the processors away", "1 passed, 1 rerun"),
        (4, 1, "test_second_try failed: AssertionError: assert 'x' == 'xx'", "1 failed"),
    ],
)
def test_a_failed_test_is_repeated_if_the_host_took_the_processors_away(
    tmp_path: Path, root: Path, stolen: int, exit_status: int, line: str, summary: str
) -> None:
    statistics = tmp_path / "stat"
    statistics.write_text(BEFORE)
    names = {"statistics": str(statistics), "after": AFTER.format(system=80 - stolen, stolen=stolen)}
    (tmp_path / "conftest.py").write_text(CONFTEST.format(**names))
    (tmp_path / "test_second_try.py").write_text(SECOND_TRY.format(**names))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")

    plugins = ["-p", "tests.stolen_time", "-p", "tests.immediate_failures"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, f"--rootdir={tmp_path}", str(tmp_path)]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)

    assert line in run.stdout
    assert summary in run.stdout, run.stdout
    assert run.returncode == exit_status
