"""Listens for `notify pgrst`, with which migration tools for PostgREST announce a schema change."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from cairn.db import RetryPolicy, open_session
from cairn.kit import cancel_and_wait

log = logging.getLogger("cairn.rest")
CHANNEL = "pgrst"
_RECONNECT_SECONDS = 1.0


@asynccontextmanager
async def listening_for_schema_changes(url: str, on_change: Callable[[], None]) -> AsyncIterator[None]:
    task = asyncio.create_task(_keep_listening(url, on_change))
    try:
        yield
    finally:
        await cancel_and_wait([task])


async def _keep_listening(url: str, on_change: Callable[[], None]) -> None:
    retry = RetryPolicy(log, "listening for schema changes", delay_seconds=_RECONNECT_SECONDS)
    await retry.run_forever(partial(_listen, url, on_change, retry))


async def _listen(url: str, on_change: Callable[[], None], retry: RetryPolicy) -> None:
    connection = await open_session(url, "cairn schema listener")
    closed = asyncio.Event()
    try:
        connection.add_termination_listener(lambda _: closed.set())
        await connection.add_listener(CHANNEL, lambda *_: on_change())
        retry.record_success()
        # A notification may have been missed while there was no connection.
        on_change()
        await closed.wait()
    finally:
        connection.terminate()
