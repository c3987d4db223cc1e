"""What Lighthouse says of the pages a stranger sees first, with its settings for a phone: `python -m bench.lighthouse`.

Each row is the lowest of the four categories: performance, accessibility, best practices, search.
"""

import asyncio
import json
import subprocess
import tempfile
from pathlib import Path

from bench.peers.peer import CACHE, PeerMissing, install, with_node
from bench.row import Row
from bench.server import Server, running

ROOT = Path(__file__).parent.parent
PAGES = ("/", "/pricing", "/blog/digital-waivers-guide", "/signup")
GOAL = 95
FLAGS = "--headless=new --no-sandbox --disable-gpu"


async def measure(server: Server) -> list[Row]:
    """None when it cannot be installed here."""
    try:
        program = _installed()
    except PeerMissing as missing:
        print(f"lighthouse is left out: {missing}")
        return []
    return [await asyncio.to_thread(_look, program, server.url, page) for page in PAGES]


def _installed() -> Path:
    folder = CACHE / "lighthouse"
    program = folder / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        install(["npm", "install", "--no-audit", "--no-fund", "--prefix", ".", "lighthouse@13"], folder)
    return program


def _look(program: Path, url: str, page: str) -> Row:
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="cairn-lighthouse-") as folder:
        # A file, because it does not wait until a pipe has taken everything.
        told = Path(folder) / "report.json"
        subprocess.run(
            [str(program), url + page, "--output=json", f"--output-path={told}", "--quiet", f"--chrome-flags={FLAGS}"],
            env={**with_node(), "CHROME_PATH": chromium}, capture_output=True, check=True, timeout=180,
        )  # fmt: skip
        report = json.loads(told.read_text("utf-8"))
    scores = {name: round(100 * category["score"]) for name, category in report["categories"].items()}
    drawn = report["audits"]["largest-contentful-paint"]["displayValue"].replace("\xa0", " ")
    facts = ", ".join(f"{name} {score}" for name, score in scores.items())
    return Row(f"lighthouse of {page}", min(scores.values()), GOAL, "points", f"{facts}; largest paint {drawn}")


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running(Path(folder)) as server:
        for row in await measure(server):
            print("  ".join(row.cells()))


if __name__ == "__main__":
    asyncio.run(main())
