"""When a process is killed while guests sign, it is started again, and nothing is lost."""

import asyncio
import os
import signal
import time
from pathlib import Path

import asyncpg
import pytest

from tests.faults.scene import Scene, fault_scene
from tests.faults.test_supervision import is_another_postgres_ready, signal_postgres, wait_until
from tests.waiting import wait_until_true

# A worker sends this many emails at the same time.
MAX_EMAILS_AT_ONCE = 8


@pytest.mark.accept("OPS-67")
async def test_nothing_is_lost_when_first_the_worker_and_then_the_server_is_killed(tmp_path: Path) -> None:
    async with fault_scene(tmp_path) as scene:
        async with scene.guests_signing():
            await restart_worker(scene)
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at, max_repeated_emails=MAX_EMAILS_AT_ONCE)
        async with scene.guests_signing():
            scene.server.kill()
            await scene.start_server()
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at, max_repeated_emails=2 * MAX_EMAILS_AT_ONCE)


@pytest.mark.accept("OPS-67")
async def test_nothing_is_lost_when_postgres_is_killed(tmp_path: Path) -> None:
    async with fault_scene(tmp_path) as scene:
        async with scene.guests_signing():
            killed_postgres = signal_postgres(tmp_path, signal.SIGKILL)
            await asyncio.sleep(0.5)
            checks = await scene.ready_checks()
            await wait_until(lambda: is_another_postgres_ready(tmp_path, killed_postgres))
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at)

    assert checks["database"] in ("cannot be reached", "ok"), checks


async def restart_worker(scene: Scene) -> None:
    """Kills the worker, and waits until the next one runs jobs."""
    connection = await asyncpg.connect(scene.server.db_url)
    killed_at = await connection.fetchval("select now()")
    os.kill(scene.server.worker_pid, signal.SIGKILL)
    is_running = f"select max(last_heartbeat) > '{killed_at}' from jobs.procrastinate_workers"
    await wait_until_true(connection, is_running)
    await connection.close()
