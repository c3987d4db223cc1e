"""`notify pgrst`: how migration tools of this dialect say that the schema has changed."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import asyncpg

from cairn.db import RetryPolicy

log = logging.getLogger("cairn.rest")
CHANNEL = "pgrst"
_RECONNECT_SECONDS = 1.0


@asynccontextmanager
async def listening_for_schema_changes(url: str, heard: Callable[[], None]) -> AsyncIterator[None]:
    listening = asyncio.create_task(_keep_listening(url, heard))
    try:
        yield
    finally:
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listening


async def _keep_listening(url: str, heard: Callable[[], None]) -> None:
    retry = RetryPolicy(log, "listening for schema changes", seconds=_RECONNECT_SECONDS)
    while True:
        wait = _RECONNECT_SECONDS
        try:
            await _listen(url, heard, retry)
        except Exception as error:
            wait = retry.failed(error)
        await asyncio.sleep(wait)


async def _listen(url: str, heard: Callable[[], None], retry: RetryPolicy) -> None:
    connection = await asyncpg.connect(url, timeout=10)
    gone = asyncio.Event()
    try:
        connection.add_termination_listener(lambda _: gone.set())
        await connection.add_listener(CHANNEL, lambda *_: heard())
        retry.succeeded()
        # Whatever was said while nobody listened.
        heard()
        await gone.wait()
    finally:
        connection.terminate()
