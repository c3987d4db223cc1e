"""Cancels tasks reliably."""

import asyncio
from collections.abc import Iterable
from typing import Any

# Ending a task properly takes a moment, and another cancellation would interrupt that.
_CANCEL_AGAIN_SECONDS = 5.0


async def cancel_and_wait(tasks: Iterable["asyncio.Task[Any]"]) -> list[Any]:
    """Cancels the tasks until all of them have ended, and returns their results or exceptions.

    A task can miss a cancellation. In Python 3.11, for example, `asyncio.wait_for` ignores one that arrives together
    with a result, and database drivers use it. So a task that has not ended is cancelled again.
    """
    all_tasks = list(tasks)
    running = set(all_tasks)
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=_CANCEL_AGAIN_SECONDS)
    return await asyncio.gather(*all_tasks, return_exceptions=True)
