"""Waits a few seconds for the worker, so that a response can already report the outcome."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from cairn.functions.call import Call
from cairn.functions.errors import TooManyWaiting
from cairn.jobs import OutboxNotifier

T = TypeVar("T")
# The notifier usually wakes the call when the worker has committed. Polling is needed in case a wake-up is lost.
_POLL_SECONDS = 0.25
# Every commit of the server may wake the call, so without a pause it would read without end.
_PAUSE_SECONDS = 0.1


async def wait_for_outcome(
    call: Call, read: Callable[[], Awaitable[T]], is_done: Callable[[T], bool], *, seconds: float
) -> T:
    """Like `wait_until`. If too many calls wait already, returns the current value: the request is queued anyway."""
    try:
        async with call.waiting():
            return await wait_until(call.notifier, read, is_done, seconds=seconds)
    except TooManyWaiting:
        return await read()


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
            await asyncio.sleep(_PAUSE_SECONDS)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_POLL_SECONDS):
                    await woken.wait()
