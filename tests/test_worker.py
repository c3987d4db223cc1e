"""The worker stops when it is signalled, even while it is starting."""

import asyncio
from pathlib import Path

import pytest

from cairn.settings import load_settings
from cairn.worker import run_worker


@pytest.mark.parametrize("delay_seconds", [0.0, 0.01, 0.05, 0.3])
async def test_a_worker_stops_when_signalled(login_url: str, tmp_path: Path, delay_seconds: float) -> None:
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(load_settings(data=tmp_path), login_url, stop))
    await asyncio.sleep(delay_seconds)

    stop.set()

    async with asyncio.timeout(10):
        await worker
