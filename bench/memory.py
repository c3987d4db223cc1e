"""The memory of the server process, idle and while it handles a large body, as Linux reports it."""

import json
import re
from pathlib import Path

import httpx

from bench.row import Row
from bench.server import Server
from bench.trip import TABLE


def measure(server: Server) -> Row:
    resident = megabytes(server.pid, "VmRSS")
    return Row("one idle server", resident, 150, "MB", "resident, after start", less_is_better=True)


async def measure_insert(server: Server) -> Row:
    trips = [{"guest": "Gil Okafor " * 10} for _ in range(80_000)]
    body = json.dumps(trips).encode()
    before = reset_peak(server)
    async with httpx.AsyncClient(timeout=60, headers=server.headers()) as client:
        url = f"{server.url}/rest/v1/{TABLE}?columns=guest"
        (await client.post(url, content=body, headers={"Content-Type": "application/json"})).raise_for_status()
    growth = peak(server) - before
    details = f"peak, compared with before; {len(body) / 1e6:.0f} MB in {len(trips)} rows"
    return Row("insert 10 MB of json", growth, 32, "MB more", details, less_is_better=True)


def reset_peak(server: Server) -> float:
    """The memory now, in MB; `peak` counts from here."""
    Path(f"/proc/{server.pid}/clear_refs").write_text("5")
    return megabytes(server.pid, "VmRSS")


def peak(server: Server) -> float:
    return megabytes(server.pid, "VmHWM")


def megabytes(pid: int, name: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(rf"{name}:\s+(\d+) kB", status)
    if found is None:
        raise SystemExit(f"error: /proc does not report the memory of process {pid}")
    return int(found[1]) / 1024
