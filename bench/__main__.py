import argparse
import base64
import json
import tempfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import uvloop

from bench import (
    auth,
    delivery,
    documents,
    files,
    frames,
    lighthouse,
    listing,
    memory,
    million,
    peer_comparison,
    realtime,
    sign,
)
from bench.row import Row
from bench.server import running
from cairn import __version__

RESULTS = Path(__file__).parent / "results.md"
HEADINGS = ["what", "measured", "goal", "reached", "facts"]


async def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description="Measured ratios, each with its goal.")
    parser.add_argument("--seconds", type=int, default=8, help="how long each side of a ratio is measured")
    parser.add_argument("--dry", action="store_true", help="print only, leave results.md alone")
    asked = parser.parse_args()
    rows: list[Row] = []
    async for row in measure(asked.seconds):
        # As they come: what was measured is not lost with what fails after it.
        print("  ".join(row.cells()), flush=True)
        rows.append(row)
    if not asked.dry:
        with RESULTS.open("a", encoding="utf-8") as results:
            results.write(section(rows))


async def measure(seconds: int) -> AsyncIterator[Row]:
    """Without a worker: documents have rows of their own, and thousands waiting for it would slow all that follows."""
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running(Path(folder), worker=False) as server:
        yield memory.measure(server)
        for row in await lighthouse.measure(server):
            yield row
        token, company = server.company()
        yield await sign.measure(server, company, seconds)
        yield await listing.measure(server, token, person_of(token), seconds)
        for row in await realtime.measure(server, Path(folder), token, company, seconds):
            yield row
        for row in await peer_comparison.measure(server, Path(folder), seconds):
            yield row
        for row in await auth.measure(server, seconds):
            yield row
        yield await memory.measure_insert(server)
        yield await files.measure(server)
        for row in await million.measure(server, token, person_of(token), seconds):
            yield row
        yield await frames.measure(server)
    for row in (*await documents.measure(), *await delivery.measure()):
        yield row


def person_of(token: str) -> str:
    claims = token.split(".")[1]
    person: str = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]
    return person


def section(rows: list[Row]) -> str:
    lines = [HEADINGS, ["---"] * len(HEADINGS), *(row.cells() for row in rows)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"\n## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, version {__version__}\n\n{table}\n"


if __name__ == "__main__":
    uvloop.run(main())
