"""Wakes the readers of the outbox after a commit: those of this process at once, others by one small NOTIFY."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

import asyncpg

from cairn.db import RetryPolicy

log = logging.getLogger(__name__)

CHANNEL = "cairn_events"
# The first notify travels at once, those that follow within this time as one: a busy hour costs fifty NOTIFYs a second.
_GATHER_SECONDS = 0.02
_RECONNECT_SECONDS = 0.5


class OutboxNotifier:
    """NOTIFY inside a signing transaction would make all signers queue for one lock, so it is rung from out here.

    A notify may be lost with a connection; readers also look by themselves every few seconds.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._listeners: set[asyncio.Event] = set()
        self._notified = asyncio.Event()
        self._retry = RetryPolicy(log, "the outbox notifier", seconds=_RECONNECT_SECONDS)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._keep_connected())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def notify(self) -> None:
        """Cheap and synchronous: called after every commit that may have raised an event."""
        self._wake_listeners()
        self._notified.set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[asyncio.Event]:
        """An event that is set at every notify; the listener clears it before it looks."""
        woken = asyncio.Event()
        self._listeners.add(woken)
        try:
            yield woken
        finally:
            self._listeners.discard(woken)

    async def _keep_connected(self) -> None:
        while True:
            wait = _RECONNECT_SECONDS
            try:
                await self._send_notifications()
            except Exception as error:
                wait = self._retry.failed(error)
            # Whatever was rung while nobody carried it: every reader looks once.
            self._wake_listeners()
            await asyncio.sleep(wait)

    async def _send_notifications(self) -> None:
        connection = await asyncpg.connect(self._url, timeout=10)
        try:
            own = connection.get_server_pid()

            def heard(_connection: Any, sender: int, _channel: str, _payload: object) -> None:
                if sender != own:
                    self._wake_listeners()

            await connection.add_listener(CHANNEL, heard)
            self._retry.succeeded()
            while not connection.is_closed():
                await self._notified.wait()
                self._notified.clear()
                await connection.execute(f"notify {CHANNEL}")
                await asyncio.sleep(_GATHER_SECONDS)
        finally:
            connection.terminate()

    def _wake_listeners(self) -> None:
        for woken in self._listeners:
            woken.set()
