"""While a process is killed again and again, `/health/ready` reports that it does not run. Afterwards, nothing is lost.

The doctor reports this too, except for the embedded PostgreSQL, which the doctor starts itself.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest

from cairn.kit import cancel_and_wait
from tests.faults.scene import Scene, fault_scene
from tests.faults.test_killed_under_load import MAX_EMAILS_AT_ONCE
from tests.serving import run_cairn

pytestmark = pytest.mark.faults

NOTICED_WITHIN_SECONDS = 120
# The pause before the next start doubles with each kill, up to a minute.
BACK_WITHIN_SECONDS = 180


async def test_a_worker_that_is_killed_again_and_again_is_reported(tmp_path: Path) -> None:
    async with fault_scene(tmp_path) as scene:
        async with scene.guests_signing():
            async with killing_again_and_again(lambda: [scene.server.worker_pid]):
                await wait_for_check(scene, "worker", "no worker is running")
                observation = await scene.observe()
            await scene.wait_until_ready(BACK_WITHIN_SECONDS)
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at, max_repeated_emails=3 * MAX_EMAILS_AT_ONCE)

    assert observation.failed_checks == {"worker": "no worker is running"}
    assert observation.failed_findings["worker"].startswith("no worker is running")


async def test_a_postgres_that_is_killed_again_and_again_is_reported(tmp_path: Path) -> None:
    async with fault_scene(tmp_path) as scene:
        async with scene.guests_signing():
            async with killing_again_and_again(lambda: [postgres_pid(tmp_path)]):
                await wait_for_check(scene, "database", "cannot be reached")
            # The doctor starts the embedded PostgreSQL itself, so it finds nothing wrong with it.
            doctor = await asyncio.to_thread(run_cairn, "doctor", "--data", tmp_path, **scene.settings)
            await scene.wait_until_ready(BACK_WITHIN_SECONDS)
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at)

    assert "ok    database    reachable" in doctor.stdout


async def test_a_server_that_was_killed_is_reported(tmp_path: Path) -> None:
    async with fault_scene(tmp_path) as scene:
        async with scene.guests_signing():
            scene.server.kill()
            with pytest.raises(httpx.TransportError):
                await scene.ready_checks()
            await wait_until_doctor_says(scene, "FAIL  worker      no worker is running")
            await scene.start_server()
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at, max_repeated_emails=MAX_EMAILS_AT_ONCE)


@asynccontextmanager
async def killing_again_and_again(processes: Callable[[], Iterable[int]]) -> AsyncIterator[None]:
    async def kill_all() -> None:
        while True:
            # The process is not running, or it ended at the same time.
            with suppress(ProcessLookupError, FileNotFoundError, IndexError, ValueError):
                for process in processes():
                    os.kill(process, signal.SIGKILL)
            await asyncio.sleep(0.1)

    task = asyncio.create_task(kill_all())
    try:
        yield
    finally:
        await cancel_and_wait([task])


def postgres_pid(data: Path) -> int:
    return int((data / "postgres" / "postmaster.pid").read_text().split()[0])


async def wait_for_check(scene: Scene, name: str, outcome: str) -> None:
    async with asyncio.timeout(NOTICED_WITHIN_SECONDS):
        while (await scene.ready_checks())[name] != outcome:  # noqa: ASYNC110 - the state changes in other processes
            await asyncio.sleep(0.2)


async def wait_until_doctor_says(scene: Scene, line: str) -> None:
    async with asyncio.timeout(NOTICED_WITHIN_SECONDS):
        while True:
            doctor = await asyncio.to_thread(run_cairn, "doctor", "--data", scene.data, **scene.settings)
            assert "Traceback" not in doctor.stderr
            if line in doctor.stdout:
                assert doctor.returncode == 1
                return
