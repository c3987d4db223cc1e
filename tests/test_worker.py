"""The worker stops when it is signalled, even while it is starting, and no error of a loop ends it.

H2 is a finding in docs/security.md.
"""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from cairn.settings import load_settings
from cairn.supervise import Backoff
from cairn.worker import run_worker
from tests.waiting import PATIENCE_SECONDS, wait_until_true

WORKER_HAS_READ_EVENTS = "select bool_or(read_at is not null) from jobs.readers"


@pytest.mark.parametrize("delay_seconds", [0.0, 0.01, 0.05, 0.3])
async def test_a_worker_stops_when_signalled(login_url: str, tmp_path: Path, delay_seconds: float) -> None:
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(load_settings(data=tmp_path), login_url, stop))
    await asyncio.sleep(delay_seconds)

    stop.set()

    async with asyncio.timeout(PATIENCE_SECONDS):
        await worker


async def test_h2_a_worker_continues_after_an_unexpected_error(
    login_url: str, tmp_path: Path, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """In version 0.1 any error of the database ended the worker. Here, tables are missing for a while."""
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(load_settings(data=tmp_path), login_url, stop))
    await wait_until_true(admin, WORKER_HAS_READ_EVENTS)
    await admin.execute("alter table jobs.readers rename to hidden_readers")
    await admin.execute("alter table jobs.procrastinate_jobs rename to hidden_jobs")
    await asyncio.sleep(3)

    assert not worker.done()
    await admin.execute("alter table jobs.hidden_jobs rename to procrastinate_jobs")
    await admin.execute("alter table jobs.hidden_readers rename to readers")
    await admin.execute("update jobs.readers set read_at = null")
    await wait_until_true(admin, WORKER_HAS_READ_EVENTS)
    stop.set()
    await worker


def test_the_pauses_between_restarts_grow_and_become_short_again_after_a_long_run() -> None:
    backoff = Backoff()

    assert [backoff.record_run(seconds=2) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert backoff.record_run(seconds=600) == 1
    assert backoff.record_run(seconds=2) == 2
