"""What Lighthouse says of the pages a stranger sees first, with its settings for a phone.

`python -m bench.lighthouse [PAGE...]`: each row is the lowest of the four categories, performance, accessibility, best
practices and search.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.peer import CACHE, PeerMissing, install, with_node
from bench.row import Row
from bench.server import Server, running

ROOT = Path(__file__).parent.parent
PAGES = ("/", "/pricing", "/blog/digital-waivers-guide", "/signup")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GOAL = 95
TIMES = 5
FLAGS = "--headless=new --no-sandbox --disable-gpu"


async def measure(server: Server, pages: Sequence[str] = PAGES) -> list[Row]:
    """None when it cannot be installed here, or cannot look."""
    try:
        program = _installed()
        return [await asyncio.to_thread(_look, program, server.url, page) for page in pages]
    except PeerMissing as missing:
        print(f"lighthouse is left out: {missing}")
        return []


def _installed() -> Path:
    folder = CACHE / "lighthouse"
    program = folder / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        install(["npm", "install", "--no-audit", "--no-fund", "--prefix", ".", "lighthouse@13"], folder)
    return program


def _look(program: Path, url: str, page: str) -> Row:
    reports = sorted((_whole_report(program, url + page) for _ in range(TIMES)), key=lowest)
    # The middle one: a machine that was busy for a moment says nothing about the page.
    report = reports[TIMES // 2]
    facts = ", ".join(f"{name} {points}" for name, points in scores(report).items())
    drawn = report["audits"]["largest-contentful-paint"]["displayValue"].replace("\xa0", " ")
    return Row(f"lighthouse of {page}", lowest(report), GOAL, "points", f"{facts}; largest paint {drawn}")


def _whole_report(program: Path, address: str) -> dict[str, Any]:
    """Chromium sometimes loses its trace of a page, and there is nothing to give points for."""
    for _ in range(TIMES):
        report = _report(program, address)
        if all(report["categories"][name]["score"] is not None for name in CATEGORIES):
            return report
    raise PeerMissing(f"it could not rate {address}: {report.get('runtimeError') or report.get('runWarnings')}")


def _report(program: Path, address: str) -> dict[str, Any]:
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="cairn-lighthouse-") as folder:
        # A file, because it does not wait until a pipe has taken everything.
        told = Path(folder) / "report.json"
        ended = subprocess.run(
            [str(program), address, "--output=json", f"--output-path={told}", "--quiet", f"--chrome-flags={FLAGS}"],
            env={**with_node(), "CHROME_PATH": chromium}, capture_output=True, text=True, check=False,
            timeout=180,
        )  # fmt: skip
        if not told.exists():
            raise PeerMissing(f"it could not look at {address}: {ended.stderr.strip()[-300:]}")
        report: dict[str, Any] = json.loads(told.read_text("utf-8"))
        return report


def scores(report: dict[str, Any]) -> dict[str, int]:
    return {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES}


def lowest(report: dict[str, Any]) -> int:
    return min(scores(report).values())


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running(Path(folder)) as server:
        for row in await measure(server, sys.argv[1:] or PAGES):
            print("  ".join(row.cells()))


if __name__ == "__main__":
    asyncio.run(main())
