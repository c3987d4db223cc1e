"""Runs the checks in their order, each to its end, and says at the end which of them failed.

`python -m tools.check` runs them all; names choose some: `python -m tools.check lint types`.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
VENV = ROOT / ".venv" / "bin"
PYTHON = [sys.executable, "-m"]
NPM = ["npm", "run", "--silent"]


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    says: str
    command: Sequence[str]
    folder: str = "."


CHECKS = [
    Check("lint", "Python lint", [*PYTHON, "ruff", "check", "--quiet", "."]),
    Check("format", "Python format", [*PYTHON, "ruff", "format", "--quiet", "--check", "."]),
    Check("floors", "Import floors", [str(VENV / "lint-imports"), "--no-logo"]),
    Check("types", "Python types", [*PYTHON, "mypy", "cairn", "tests", "tools", "bench"]),
    Check("web-lint", "TypeScript lint", [*NPM, "lint"], "web"),
    Check("web-format", "TypeScript format", [*NPM, "format:check"], "web"),
    Check("web-types", "TypeScript types", [*NPM, "typecheck"], "web"),
    Check("python", "Python tests", [*PYTHON, "pytest", "-n", "2", "--ignore=tests/e2e"]),
    Check("web", "TypeScript tests", [*NPM, "test"], "web"),
    Check("budget", "Page weights", [*NPM, "budget"], "web"),
    Check("contract", "Contract tests", [*NPM, "test:contract"], "web"),
    Check("browser", "Browser tests", [*PYTHON, "pytest", "-n", "2", "--dist", "loadfile", "tests/e2e"]),
]
# Part of "python" already, so only run when asked for.
FAST = Check("fast", "Fast Python tests", [*PYTHON, "pytest", "-n", "2", "-m", "not slow", "--ignore=tests/e2e"])


def main(names: Sequence[str]) -> int:
    chosen = [check for check in [*CHECKS, FAST] if check.name in names] if names else CHECKS
    unknown = set(names) - {check.name for check in chosen}
    if unknown:
        raise SystemExit(f"error: no such check: {', '.join(sorted(unknown))}")
    began = time.monotonic()
    failed = [check.says for check in chosen if not passes(check)]
    took = f"{time.monotonic() - began:.0f} s"
    if failed:
        print(f"\nFAILED in {took}: {', '.join(failed)} ({len(failed)} of {len(chosen)} checks)", flush=True)
        return 1
    print(f"\nAll {len(chosen)} checks are fine, in {took}", flush=True)
    return 0


def passes(check: Check) -> bool:
    print(f"\n== {check.says}", flush=True)
    began = time.monotonic()
    environment = {**os.environ, "PATH": f"{VENV}{os.pathsep}{os.environ['PATH']}"}
    ended = subprocess.run(check.command, cwd=ROOT / check.folder, env=environment, check=False)
    verdict = "ok" if ended.returncode == 0 else "FAILED"
    print(f"-- {check.says}: {verdict}, {time.monotonic() - began:.0f} s", flush=True)
    return ended.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
