"""Runs the checks one after another and reports at the end which of them failed.

`python -m tools.check` runs them all; names choose some: `python -m tools.check lint types`.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

ROOT = Path(__file__).parent.parent
VENV = ROOT / ".venv" / "bin"
PYTHON = [sys.executable, "-m"]
NPM = ["npm", "run", "--silent"]
MEMORY = Path("/dev/shm")  # noqa: S108 - used only for a temporary folder inside it
SPACE = 6 * 1024**3
"""Bytes needed for two databases with their logs, one of which has a million waivers."""


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    title: str
    command: Sequence[str]
    folder: str = "."
    with_next: bool = False
    """Uses only one core, so the next check runs at the same time."""


CHECKS = [
    Check("lint", "Python lint", [*PYTHON, "ruff", "check", "--quiet", "."]),
    Check("format", "Python format", [*PYTHON, "ruff", "format", "--quiet", "--check", "."]),
    Check("layers", "Import layers", [str(VENV / "lint-imports"), "--no-logo"]),
    Check("types", "Python types", [*PYTHON, "mypy", "cairn", "tests", "tools", "bench"], with_next=True),
    Check("web-lint", "TypeScript lint", [*NPM, "lint"], "web"),
    Check("web-format", "TypeScript format", [*NPM, "format:check"], "web"),
    Check("web-types", "TypeScript types", [*NPM, "typecheck"], "web"),
    Check("budget", "Page weights", [*NPM, "budget"], "web"),
    Check("python", "Python tests", [*PYTHON, "pytest", "-n", "2", "--dist", "loadgroup", "--ignore=tests/e2e"]),
    Check("web", "TypeScript tests", [*NPM, "test"], "web", with_next=True),
    Check("contract", "Contract tests", [*NPM, "test:contract"], "web"),
    Check("browser", "Browser tests", [*PYTHON, "pytest", "-n", "2", "--dist", "loadfile", "tests/e2e"]),
]
# Included in "python", so it runs only when it is named.
FAST = Check("fast", "Fast Python tests", [*PYTHON, "pytest", "-n", "2", "-m", "not slow", "--ignore=tests/e2e"])


def main(names: Sequence[str]) -> int:
    chosen = [check for check in [*CHECKS, FAST] if check.name in names] if names else CHECKS
    unknown = set(names) - {check.name for check in chosen}
    if unknown:
        raise SystemExit(f"error: no such check: {', '.join(sorted(unknown))}")
    began = time.monotonic()
    with environment() as variables:
        failed = [check.title for step in steps(chosen) for check in failing(step, variables)]
    took = f"{time.monotonic() - began:.0f} s"
    if failed:
        print(f"\nFAILED in {took}: {', '.join(failed)} ({len(failed)} of {len(chosen)} checks)", flush=True)
        return 1
    print(f"\nAll {len(chosen)} checks passed in {took}", flush=True)
    return 0


@contextmanager
def environment() -> Iterator[dict[str, str]]:
    """Puts temporary files into memory if there is space: a test database is six hundred files, and creating those on a
    disk takes ten times as long."""
    variables = {**os.environ, "PATH": f"{VENV}{os.pathsep}{os.environ['PATH']}"}
    if not _is_usable(MEMORY):
        yield variables
        return
    with TemporaryDirectory(prefix="cairn-", dir=MEMORY) as folder:
        yield {**variables, "TMPDIR": folder}


def _is_usable(folder: Path) -> bool:
    if not os.access(folder, os.W_OK | os.X_OK) or shutil.disk_usage(folder).free < SPACE:
        return False
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC


def steps(checks: Sequence[Check]) -> Iterator[list[Check]]:
    """Groups of checks that run at the same time: mostly one, sometimes two."""
    step: list[Check] = []
    for check in checks:
        step.append(check)
        if not check.with_next or check is checks[-1]:
            yield step
            step = []


def failing(step: Sequence[Check], variables: Mapping[str, str]) -> list[Check]:
    print(f"\n== {' and '.join(check.title for check in step)}", flush=True)
    began = time.monotonic()
    with ExitStack() as open_files:
        # Two outputs at once would be unreadable, so the second is printed when both are done.
        captured = [open_files.enter_context(TemporaryFile()) for _ in step[1:]]
        running = [
            subprocess.Popen(check.command, cwd=ROOT / check.folder, env=variables, stdout=output, stderr=output)
            for check, output in zip(step, [None, *captured], strict=True)
        ]
        failed = [check for check, process in zip(step, running, strict=True) if process.wait() != 0]
        for output in captured:
            output.seek(0)
            print(output.read().decode(errors="replace"), end="")
    for check in step:
        print(f"-- {check.title}: {'FAILED' if check in failed else 'ok'}", flush=True)
    print(f"   {time.monotonic() - began:.0f} s", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
