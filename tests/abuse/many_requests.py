import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

Result = TypeVar("Result")


async def at_most_at_once(count: int, calls: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Runs all calls, with at most `count` of them at the same time, and returns the results in the same order."""
    semaphore = asyncio.Semaphore(count)

    async def run(call: Coroutine[Any, Any, Result]) -> Result:
        async with semaphore:
            return await call

    return await asyncio.gather(*map(run, calls))
