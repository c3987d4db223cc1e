"""`notify pgrst`: how migration tools of this dialect say that the schema has changed."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import asyncpg

log = logging.getLogger("cairn.rest")
CHANNEL = "pgrst"
_RECONNECT_SECONDS = 1.0
_LOST = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


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
    while True:
        try:
            await _listen(url, heard)
        except _LOST as lost:
            log.info("the connection that hears of schema changes was lost: %s", lost)
        await asyncio.sleep(_RECONNECT_SECONDS)


async def _listen(url: str, heard: Callable[[], None]) -> None:
    connection = await asyncpg.connect(url, timeout=10)
    gone = asyncio.Event()
    try:
        connection.add_termination_listener(lambda _: gone.set())
        await connection.add_listener(CHANNEL, lambda *_: heard())
        # Whatever was said while nobody listened.
        heard()
        await gone.wait()
    finally:
        connection.terminate()
