"""The worker stops when it is signalled, even while it is starting, and no error of a loop ends it."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from cairn.settings import load_settings
from cairn.supervise import Backoff
from cairn.worker import run_worker


@pytest.mark.parametrize("delay_seconds", [0.0, 0.01, 0.05, 0.3])
async def test_a_worker_stops_when_signalled(login_url: str, tmp_path: Path, delay_seconds: float) -> None:
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(load_settings(data=tmp_path), login_url, stop))
    await asyncio.sleep(delay_seconds)

    stop.set()

    async with asyncio.timeout(10):
        await worker


async def test_h2_a_worker_continues_after_an_unexpected_error(
    login_url: str, tmp_path: Path, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """H2: any error of the database, such as a full disk, ended the worker. Here its tables are missing for a while."""
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(load_settings(data=tmp_path), login_url, stop))
    await wait_for_reading(admin)
    await admin.execute("alter table jobs.readers rename to hidden_readers")
    await admin.execute("alter table jobs.procrastinate_jobs rename to hidden_jobs")
    await asyncio.sleep(3)

    assert not worker.done()
    await admin.execute("alter table jobs.hidden_jobs rename to procrastinate_jobs")
    await admin.execute("alter table jobs.hidden_readers rename to readers")
    await admin.execute("update jobs.readers set read_at = null")
    await wait_for_reading(admin)
    stop.set()
    await worker


def test_the_pauses_between_starts_grow_and_become_short_again_after_a_long_run() -> None:
    backoff = Backoff()

    assert [backoff.record_run(seconds=2) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert backoff.record_run(seconds=600) == 1
    assert backoff.record_run(seconds=2) == 2


async def wait_for_reading(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    async with asyncio.timeout(20):
        while await admin.fetchval("select read_at from jobs.readers") is None:  # noqa: ASYNC110 - it changes there
            await asyncio.sleep(0.1)
