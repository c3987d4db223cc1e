"""What one server process holds, idle and with a large body in its hands, read from Linux."""

import json
import re
from pathlib import Path

import httpx

from bench.row import Row
from bench.server import Server
from bench.trip import TABLE


def measure(server: Server) -> Row:
    return Row("one idle server", megabytes(server, "VmRSS"), 150, "MB", "resident, after start", less_is_better=True)


async def measure_insert(server: Server) -> Row:
    trips = [{"guest": "Gil Okafor " * 10} for _ in range(80_000)]
    body = json.dumps(trips).encode()
    before = at_rest(server)
    async with httpx.AsyncClient(timeout=60, headers=server.headers()) as client:
        address = f"{server.url}/rest/v1/{TABLE}?columns=guest"
        (await client.post(address, content=body, headers={"Content-Type": "application/json"})).raise_for_status()
    more = megabytes(server, "VmHWM") - before
    facts = f"at most, from before to after {len(body) / 1e6:.0f} MB in {len(trips)} rows"
    return Row("insert 10 MB of json", more, 32, "MB more", facts, less_is_better=True)


def at_rest(server: Server) -> float:
    """What it holds now; from here on its peak is measured anew."""
    Path(f"/proc/{server.pid}/clear_refs").write_text("5")
    return megabytes(server, "VmRSS")


def megabytes(server: Server, name: str) -> float:
    status = Path(f"/proc/{server.pid}/status").read_text()
    found = re.search(rf"{name}:\s+(\d+) kB", status)
    if found is None:
        raise SystemExit("error: the memory of the server cannot be read")
    return int(found[1]) / 1024
