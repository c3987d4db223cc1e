"""Runs the checks, at most two at the same time, and reports at the end which of them failed.

`python -m tools.check` runs all checks, and `python -m tools.check lint types` only the checks `lint` and `types`.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Thread
from typing import IO

from cairn.kit import frozen_dataclass
from tools.runner_reports import REPORTS, read_failures

ROOT = Path(__file__).parent.parent
VENV_BIN = ROOT / ".venv" / "bin"
PYTHON = [sys.executable, "-m"]
PYTEST = [*PYTHON, "pytest"]
NPM = ["npm", "run", "--silent"]
MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - used only for a temporary folder inside it
# The Python tests wait more than half of their time, so three processes keep two cores busy, as two browsers do.
PYTHON_PROCESSES, BROWSER_PROCESSES = 3, 2
WITHOUT_BROWSER = ["--dist", "loadgroup", "--ignore=tests/e2e"]
# Each of the processes has a database server, whose data and write-ahead log are temporary files. Together they need up
# to this much space, because one test creates about a million rows.
NEEDED_BYTES = 6 * 1024**3
# At the end, at most this many failures of each check are printed again.
MAX_PRINTED_FAILURES = 10


running_processes: "set[subprocess.Popen[bytes]]" = set()


@frozen_dataclass
class Check:
    name: str
    title: str
    command: Sequence[str]
    folder: str = "."
    # The name of an earlier check, during which this one runs. Several checks beside it run one after the other.
    beside: str | None = None
    # After this time, a check is stopped and counts as failed. On a slow machine, a check takes about half of it.
    limit_minutes: float = 30
    # The name of the report that the command writes into the folder of the reports.
    report: str | None = None


def check_with_pytest(name: str, title: str, arguments: Sequence[str], processes: int, limit_minutes: float) -> Check:
    report = f"{name}.xml"
    command = [*PYTEST, "-n", str(processes), *arguments, f"--junitxml={REPORTS / report}"]
    return Check(name, title, command, limit_minutes=limit_minutes, report=report)


def check_with_vitest(name: str, title: str, script: str) -> Check:
    """Returns a check that runs beside the Python tests. `script` is a script of web/package.json."""
    report = f"{name}.json"
    command = [*NPM, script, "--", "--reporter=default", "--reporter=json", f"--outputFile.json={REPORTS / report}"]
    return Check(name, title, command, "web", beside="python", report=report)


CHECKS = [
    Check("lint", "Python lint", [*PYTHON, "ruff", "check", "--quiet", "."]),
    Check("format", "Python format", [*PYTHON, "ruff", "format", "--quiet", "--check", "."]),
    Check("layers", "Import layers", [str(VENV_BIN / "lint-imports"), "--no-logo"]),
    Check("types", "Python types", [*PYTHON, "mypy", "cairn", "tests", "tools", "bench"]),
    Check("web-lint", "TypeScript lint", [*NPM, "lint"], "web", beside="types"),
    Check("web-format", "TypeScript format", [*NPM, "format:check"], "web"),
    Check("web-types", "TypeScript types", [*NPM, "typecheck"], "web"),
    Check("budget", "Page weights", [*NPM, "budget"], "web"),
    check_with_pytest(
        "python",
        "Python tests",
        [*WITHOUT_BROWSER, "-m", "not timing and not faults"],
        PYTHON_PROCESSES,
        limit_minutes=75,
    ),
    check_with_vitest("web", "TypeScript tests", "test"),
    check_with_vitest("contract", "Contract tests", "test:contract"),
    check_with_pytest("timing", "Timing tests", [*WITHOUT_BROWSER, "-m", "timing"], processes=1, limit_minutes=40),
    check_with_pytest(
        "browser", "Browser tests", ["--dist", "loadfile", "tests/e2e"], BROWSER_PROCESSES, limit_minutes=60
    ),
    # Reads the reports of the five checks above, and writes docs/acceptance.md.
    Check("acceptance", "Acceptance rows", [*PYTHON, "tools.acceptance"]),
]
# The checks "python" and "timing" include these tests, so this check runs only if it is named on the command line.
FAST = Check(
    "fast", "Fast Python tests", [*PYTEST, "-n", str(PYTHON_PROCESSES), "-m", "not slow", "--ignore=tests/e2e"]
)
# Fault tests that take long. The check "python" includes the short ones.
FAULTS = Check("faults", "Long fault tests", [*PYTEST, "-m", "faults", "tests/faults"], limit_minutes=40)


def main(names: Sequence[str]) -> int:
    selected_checks = [check for check in [*CHECKS, FAST, FAULTS] if check.name in names] if names else CHECKS
    unknown_names = set(names) - {check.name for check in selected_checks}
    if unknown_names:
        raise SystemExit(f"error: no such check: {', '.join(sorted(unknown_names))}")
    started_at = time.monotonic()
    remove_reports(selected_checks)
    with environment() as variables:
        failed_checks = [check for step in group_steps(selected_checks) for check in run_step(step, variables)]
    duration = f"{time.monotonic() - started_at:.0f} s"
    if failed_checks:
        titles = ", ".join(check.title for check in failed_checks)
        counts = f"{len(failed_checks)} of {len(selected_checks)} checks"
        # The outputs of the checks are long, and other checks have printed after them.
        for failure in [failure for check in failed_checks for failure in failures_of(check)]:
            print(f"\n{failure}", flush=True)
        print(f"\nFAILED in {duration}: {titles} ({counts})", flush=True)
        return 1
    print(f"\nAll {len(selected_checks)} checks passed in {duration}", flush=True)
    return 0


def failures_of(check: Check) -> list[str]:
    """Returns the names and messages of the first tests that failed, if the check has written a report."""
    report = REPORTS / check.report if check.report else None
    return read_failures(report)[:MAX_PRINTED_FAILURES] if report and report.is_file() else []


def remove_reports(checks: Sequence[Check]) -> None:
    """Removes the reports of earlier runs, so that a check that is stopped before it writes its report has none."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    for check in checks:
        if check.report:
            (REPORTS / check.report).unlink(missing_ok=True)


@contextmanager
def environment() -> Iterator[dict[str, str]]:
    """Yields environment variables that put temporary files into memory, if there is enough space.

    A test database consists of six hundred files, and creating them on a disk takes ten times as long. The tests start
    hundreds of Python processes, so the compiled modules are stored too, even where PYTHONDONTWRITEBYTECODE is set.
    """
    variables = {**os.environ, "PATH": f"{VENV_BIN}{os.pathsep}{os.environ['PATH']}"}
    if not _is_usable(MEMORY_FOLDER):
        yield variables
        return
    with TemporaryDirectory(prefix="cairn-", dir=MEMORY_FOLDER, ignore_cleanup_errors=True) as folder:
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        yield {**variables, "TMPDIR": folder, "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}


def _is_usable(folder: Path) -> bool:
    if not os.access(folder, os.W_OK | os.X_OK) or shutil.disk_usage(folder).free < NEEDED_BYTES:
        return False
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC


def group_steps(checks: Sequence[Check]) -> Iterator[list[Check]]:
    """Yields lists of checks. The second and later checks of a list run beside the first one."""
    step: list[Check] = []
    for check in checks:
        if step and check.beside != step[0].name:
            yield step
            step = []
        step.append(check)
    if step:
        yield step


def run_step(step: Sequence[Check], variables: Mapping[str, str]) -> list[Check]:
    """Runs the checks of one step and returns those that failed."""
    print(f"\n== {' and '.join(check.title for check in step)}", flush=True)
    started_at = time.monotonic()
    first_check, *later_checks = step
    # Mixed outputs would be unreadable, so the output of the later checks is printed when all checks are done.
    with TemporaryFile() as captured_output, ThreadPoolExecutor(1) as thread:
        later_results = [thread.submit(passes, check, variables, captured_output) for check in later_checks]
        try:
            results = [passes(first_check, variables), *(result.result() for result in later_results)]
        except KeyboardInterrupt:
            # The checks are not in the process group of the terminal, so Ctrl-C reaches only this process.
            for process in list(running_processes):
                kill_with_children(process)
            raise
        captured_output.seek(0)
        print(captured_output.read().decode(errors="replace"), end="")
    for check, has_passed in zip(step, results, strict=True):
        print(f"-- {check.title}: {'ok' if has_passed else 'FAILED'}", flush=True)
    print(f"   {time.monotonic() - started_at:.0f} s", flush=True)
    return [check for check, has_passed in zip(step, results, strict=True) if not has_passed]


def passes(check: Check, variables: Mapping[str, str], output: IO[bytes] | None = None) -> bool:
    """Runs the check, which prints to the terminal unless `output` is given, and returns whether it has passed."""
    process = subprocess.Popen(
        check.command, cwd=ROOT / check.folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    running_processes.add(process)
    # A process that outlives the check keeps its output open. If that were the output of this script, a program that
    # reads it would wait forever. So it is a pipe, and its content is copied.
    copying = Thread(target=copy_output, args=(process, output or sys.stdout.buffer), daemon=True)
    copying.start()
    try:
        return process.wait(check.limit_minutes * 60) == 0
    except subprocess.TimeoutExpired:
        print(f"\n{check.title} did not end within {check.limit_minutes:g} minutes and were stopped.", flush=True)
        return False
    finally:
        running_processes.remove(process)
        kill_with_children(process)
        copying.join(timeout=5)


def copy_output(process: "subprocess.Popen[bytes]", output: IO[bytes]) -> None:
    assert process.stdout is not None
    with process.stdout as pipe:
        while part := os.read(pipe.fileno(), 65536):
            output.write(part)
            output.flush()


def kill_with_children(process: "subprocess.Popen[bytes]") -> None:
    """Kills the process and its children, for example servers that the tests of an ended check have left behind."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
