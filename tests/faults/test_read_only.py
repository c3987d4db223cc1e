"""While the database is read-only, as during a failover, signatures are refused, and no acknowledged one is lost."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg

from tests.faults.scene import fault_scene, short_and_long


@short_and_long("OPS-63")
async def test_nothing_is_lost_while_the_database_is_read_only(tmp_path: Path, seconds: int) -> None:
    async with fault_scene(tmp_path) as scene:
        async with scene.guests_signing():
            async with read_only(scene.server.db_url):
                ends_at = time.monotonic() + seconds
                observation = await scene.observe()
                await asyncio.sleep(max(0, ends_at - time.monotonic()))
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at)

    assert observation.failed_checks["database"] == "read-only"
    assert "read-only" in observation.failed_findings["database"]


@asynccontextmanager
async def read_only(db_url: str) -> AsyncIterator[None]:
    connection = await asyncpg.connect(db_url)
    await connection.execute("alter system set default_transaction_read_only = on")
    await connection.execute("select pg_reload_conf()")
    try:
        yield
    finally:
        await connection.execute("set default_transaction_read_only = off")
        await connection.execute("alter system reset default_transaction_read_only")
        await connection.execute("select pg_reload_conf()")
        await connection.close()
