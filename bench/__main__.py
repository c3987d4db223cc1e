"""Runs all measurements and appends them as a table to bench/results.md."""

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
    family,
    files,
    frames,
    lighthouse,
    listing,
    memory,
    million,
    optimizations,
    other_companies,
    peer_comparison,
    processes,
    realtime,
    sign,
)
from bench.row import Row
from bench.server import running_server
from cairn import __version__

RESULTS = Path(__file__).parent / "results.md"
HEADINGS = ["what", "measured", "goal", "reached", "details"]


async def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description="Measures ratios, each with its goal.")
    parser.add_argument("--seconds", type=int, default=8, help="how long each of the two rates of a ratio is measured")
    parser.add_argument("--dry", action="store_true", help="print the rows without adding them to results.md")
    options = parser.parse_args()
    rows: list[Row] = []
    async for row in measure(options.seconds):
        # Each row is printed immediately, so that a failure does not lose the rows before it.
        print("  ".join(row.cells()), flush=True)
        rows.append(row)
    if not options.dry:
        with RESULTS.open("a", encoding="utf-8") as results:
            results.write(render_section(rows))


async def measure(seconds: int) -> AsyncIterator[Row]:
    """Yields each result as soon as it is measured.

    The server that most measurements share has no worker, because a worker with thousands of waiting jobs would
    disturb the measurements. Those at the end start servers of their own.
    """
    with (
        tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder,
        running_server(Path(folder), worker=False) as server,
    ):
        yield memory.measure(server)
        for row in await lighthouse.measure(server):
            yield row
        token, company_id = server.sign_up_company()
        yield await sign.measure(server, company_id, seconds)
        yield await family.measure(server, company_id, seconds)
        yield await listing.measure(server, token, user_id_of(token), seconds)
        for row in await realtime.measure(server, Path(folder), token, company_id, seconds):
            yield row
        for row in await peer_comparison.measure(server, Path(folder), seconds):
            yield row
        for row in await optimizations.measure(server, Path(folder), seconds):
            yield row
        for row in await auth.measure(server, seconds):
            yield row
        yield await memory.measure_insert(server)
        yield await files.measure(server)
        for row in await million.measure(server, token, user_id_of(token), seconds):
            yield row
        yield await frames.measure(server)
    yield await processes.measure(seconds)
    for row in (*await other_companies.measure(), *await documents.measure(), *await delivery.measure()):
        yield row


def user_id_of(token: str) -> str:
    claims = token.split(".")[1]
    user_id: str = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]
    return user_id


def render_section(rows: list[Row]) -> str:
    lines = [HEADINGS, ["---"] * len(HEADINGS), *(row.cells() for row in rows)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"\n## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, version {__version__}\n\n{table}\n"


if __name__ == "__main__":
    uvloop.run(main())
