"""Copies or checks several files at the same time, because each one waits for the disk or the network."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

_MAX_RUNNING = 8

T = TypeVar("T")
R = TypeVar("R")


async def for_each(items: Iterable[T], act: Callable[[T], Awaitable[R]]) -> list[R]:
    """Returns the results in order. The first failure stops the others and is raised."""
    slots = asyncio.Semaphore(_MAX_RUNNING)

    async def run(item: T) -> R:
        async with slots:
            return await act(item)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(item)) for item in items]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from failures
    return [task.result() for task in tasks]
