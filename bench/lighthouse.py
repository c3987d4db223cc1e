"""Measures the Lighthouse scores of the public pages on a phone. `python -m bench.lighthouse [PAGE...]` runs only this.

Each result is the lowest score of the four categories: performance, accessibility, best practices and search.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.peer import CACHE, PeerMissing, environment_with_node, install
from bench.row import Row
from bench.server import Server, running_server

ROOT = Path(__file__).parent.parent
PAGES = ("/", "/pricing", "/blog/digital-waivers-guide", "/signup")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GOAL_POINTS = 95
RUN_COUNT = 5
CHROMIUM_FLAGS = "--headless=new --no-sandbox --disable-gpu"


async def measure(server: Server, pages: Sequence[str] = PAGES) -> list[Row]:
    """Returns no rows if Lighthouse cannot be installed or cannot rate a page."""
    try:
        program = _install_lighthouse()
        return [await asyncio.to_thread(_measure_page, program, server.url, page) for page in pages]
    except PeerMissing as error:
        print(f"Lighthouse is skipped: {error}")
        return []


def _install_lighthouse() -> Path:
    folder = CACHE / "lighthouse"
    program = folder / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        install(["npm", "install", "--no-audit", "--no-fund", "--prefix", ".", "lighthouse@13"], folder)
    return program


def _measure_page(program: Path, url: str, page: str) -> Row:
    reports = sorted((_complete_report(program, url + page) for _ in range(RUN_COUNT)), key=lowest_score)
    # The median counts, because the machine may be busy for a moment.
    report = reports[RUN_COUNT // 2]
    details = ", ".join(f"{name} {points}" for name, points in scores(report).items())
    largest_paint = report["audits"]["largest-contentful-paint"]["displayValue"].replace("\xa0", " ")
    return Row(
        f"lighthouse of {page}",
        lowest_score(report),
        GOAL_POINTS,
        "points",
        f"{details}; largest paint {largest_paint}",
    )


def _complete_report(program: Path, url: str) -> dict[str, Any]:
    """Tries again, because Chromium sometimes loses its trace of a page, which leaves a category without a score."""
    for _ in range(RUN_COUNT):
        report = _run_lighthouse(program, url)
        if all(report["categories"][name]["score"] is not None for name in CATEGORIES):
            return report
    raise PeerMissing(f"it could not rate {url}: {report.get('runtimeError') or report.get('runWarnings')}")


def _run_lighthouse(program: Path, url: str) -> dict[str, Any]:
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="cairn-lighthouse-") as folder:
        # Lighthouse writes to a file, because it exits before a pipe has received everything.
        output = Path(folder) / "report.json"
        process = subprocess.run(
            [str(program), url, "--output=json", f"--output-path={output}", "--quiet",
             f"--chrome-flags={CHROMIUM_FLAGS}"],
            env={**environment_with_node(), "CHROME_PATH": chromium}, capture_output=True, text=True, check=False,
            timeout=180,
        )  # fmt: skip
        if not output.exists():
            raise PeerMissing(f"it could not open {url}: {process.stderr.strip()[-300:]}")
        report: dict[str, Any] = json.loads(output.read_text("utf-8"))
        return report


def scores(report: dict[str, Any]) -> dict[str, int]:
    return {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES}


def lowest_score(report: dict[str, Any]) -> int:
    return min(scores(report).values())


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running_server(Path(folder)) as server:
        for row in await measure(server, sys.argv[1:] or PAGES):
            print("  ".join(row.cells()))


if __name__ == "__main__":
    asyncio.run(main())
