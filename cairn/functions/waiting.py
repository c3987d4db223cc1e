"""Waits a few seconds for the worker, so that a response can already report the outcome."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from cairn.jobs import OutboxNotifier

T = TypeVar("T")
# A notification of the worker usually ends the wait. Polling is needed in case a notification is lost.
_POLL_SECONDS = 0.25


async def wait_until(
    notifier: OutboxNotifier, read: Callable[[], Awaitable[T]], is_done: Callable[[T], bool], *, seconds: float
) -> T:
    """Reads a value until it is done, and returns it. After `seconds` it returns the value even if it is not done."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await _read_until_done(notifier, read, is_done)
    return await read()


async def _read_until_done(
    notifier: OutboxNotifier, read: Callable[[], Awaitable[T]], is_done: Callable[[T], bool]
) -> T:
    async with notifier.listening() as woken:
        while True:
            woken.clear()
            value = await read()
            if is_done(value):
                return value
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_POLL_SECONDS):
                    await woken.wait()
