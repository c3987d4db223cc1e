import asyncio
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from cairn.db import EmbeddedPostgres

# What a second Cairn process on the same data folder does: comes, asks something, leaves.
VISITOR = """
import asyncio, asyncpg, pathlib, sys
from cairn.db import EmbeddedPostgres

async def ask(url):
    connection = await asyncpg.connect(url)
    await connection.execute("select 1")
    await connection.close()

postgres = EmbeddedPostgres(pathlib.Path(sys.argv[1]))
with postgres.running():
    asyncio.run(ask(postgres.url()))
"""


async def test_two_processes_share_the_server_and_the_last_stops_it(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "data")

    with postgres.running():
        visit = [sys.executable, "-c", VISITOR, str(postgres.data)]
        await asyncio.to_thread(subprocess.run, visit, check=True, timeout=30)
        connection = await asyncpg.connect(postgres.url())
        assert await connection.fetchval("select 1") == 1
        await connection.close()

    with pytest.raises((FileNotFoundError, ConnectionError)):
        await asyncpg.connect(postgres.url())
