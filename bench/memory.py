"""Reads the memory of the server process from Linux, when it is idle and while it handles a large body."""

import json
import re
from pathlib import Path

import httpx

from bench.row import Row
from bench.server import Server
from bench.trips_table import TABLE


def measure(server: Server) -> Row:
    resident_megabytes = megabytes(server.pid, "VmRSS")
    return Row(
        "one idle server", resident_megabytes, goal=150, unit="MB", details="resident, after start", less_is_better=True
    )


async def measure_insert(server: Server) -> Row:
    trips = [{"guest": "Gil Okafor " * 10} for _ in range(80_000)]
    body = json.dumps(trips).encode()
    memory_before = reset_peak(server)
    async with httpx.AsyncClient(timeout=60, headers=server.headers()) as client:
        url = f"{server.url}/rest/v1/{TABLE}?columns=guest"
        (await client.post(url, content=body, headers={"Content-Type": "application/json"})).raise_for_status()
    growth_megabytes = peak_megabytes(server) - memory_before
    details = f"peak, compared with before; {len(body) / 1e6:.0f} MB in {len(trips)} rows"
    return Row("insert 10 MB of json", growth_megabytes, goal=32, unit="MB more", details=details, less_is_better=True)


def reset_peak(server: Server) -> float:
    """Returns the current memory in MB. `peak_megabytes` then reports the peak since this call."""
    # Linux resets the peak of the process when 5 is written to this file.
    Path(f"/proc/{server.pid}/clear_refs").write_text("5")
    return megabytes(server.pid, "VmRSS")


def peak_megabytes(server: Server) -> float:
    return megabytes(server.pid, "VmHWM")


def megabytes(pid: int, name: str = "VmRSS") -> float:
    """Returns a value of /proc/PID/status: VmRSS is the current memory, VmHWM its peak."""
    status = Path(f"/proc/{pid}/status").read_text()
    match = re.search(rf"{name}:\s+(\d+) kB", status)
    if match is None:
        raise SystemExit(f"error: /proc does not report the memory of process {pid}")
    return int(match[1]) / 1024
