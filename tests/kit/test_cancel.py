import asyncio

import pytest

from cairn.kit import cancel, cancel_and_wait


async def test_a_task_that_misses_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancel, "_CANCEL_AGAIN_SECONDS", 0.05)
    missed_cancellations = 0

    async def miss_two_cancellations() -> None:
        nonlocal missed_cancellations
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if missed_cancellations == 2:
                    raise
                missed_cancellations += 1

    task = asyncio.create_task(miss_two_cancellations())
    ended_task = asyncio.create_task(asyncio.sleep(0, "result"))
    await asyncio.sleep(0)

    results = await asyncio.wait_for(cancel_and_wait([task, ended_task]), 5)

    assert task.cancelled()
    assert missed_cancellations == 2
    assert results[1] == "result"
