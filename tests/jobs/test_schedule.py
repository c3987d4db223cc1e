"""Each scheduled task runs in one worker, however many workers there are."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import asyncpg
import pytest

from cairn import waivers
from cairn.db import Database
from cairn.jobs import claim, run_scheduled
from cairn.settings import load_settings
from cairn.worker import run_worker
from tests.waiting import wait_until_true

EVERY_SECONDS = 0.5


@pytest.mark.accept("OPS-43")
async def test_each_run_of_a_task_is_done_by_one_worker(database: Database) -> None:
    runs: list[float] = []

    async def run() -> None:
        runs.append(time.monotonic())

    await run_for(3, *(run_scheduled(database, "counting", EVERY_SECONDS, run) for _ in range(4)))

    pauses = [later - earlier for earlier, later in pairwise(runs)]
    assert 3 <= len(runs) <= 7
    assert min(pauses) > EVERY_SECONDS / 2, "four workers would run four times as often"


async def test_a_task_that_fails_or_cannot_run_here_is_left_to_another_worker(database: Database) -> None:
    async def fail() -> None:
        raise RuntimeError("no space left")

    async def cannot_run() -> bool:
        return False

    with pytest.raises(RuntimeError):
        await run_scheduled(database, "failing", 3600, fail)
    await run_for(1, run_scheduled(database, "impossible", 3600, cannot_run))

    assert await claim(database, "failing", 3600) == 0
    assert await claim(database, "impossible", 3600) == 0
    assert 3590 < await claim(database, "impossible", 3600) <= 3600


async def test_a_clock_that_is_set_back_delays_nothing(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await claim(database, "counting", 5)
    await admin.execute("update jobs.schedule set due_at = now() + interval '1 day'")

    assert await claim(database, "counting", 5) == 0
    assert 0 < await claim(database, "counting", 5) <= 5


@pytest.mark.accept("OPS-43")
async def test_two_workers_queue_the_scheduled_reminders_once(
    login_url: str,
    tmp_path: Path,
    admin: "asyncpg.Connection[asyncpg.Record]",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs: list[object] = []

    async def queue_reminders(*arguments: object) -> bool:
        runs.append(arguments)
        return False

    monkeypatch.setattr(waivers, "queue_scheduled_reminders", queue_reminders)
    stop, settings = asyncio.Event(), load_settings(data=tmp_path)
    workers = [asyncio.create_task(run_worker(settings, login_url, stop)) for _ in range(2)]
    # Waits until all nine scheduled tasks of cairn/worker.py have been claimed.
    await wait_until_true(admin, "select count(*) = 9 from jobs.schedule")
    await asyncio.sleep(3)
    stop.set()
    await asyncio.gather(*workers)

    assert len(runs) == 1


async def run_for(seconds: float, *loops: Coroutine[object, object, None]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*loops)
