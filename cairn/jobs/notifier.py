"""Wakes the readers of the outbox after a commit: directly in this process, and with NOTIFY in other processes."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

from cairn.db import RetryPolicy, open_session
from cairn.kit import cancel_and_wait

log = logging.getLogger(__name__)

CHANNEL = "cairn_events"
# Debounce: the first NOTIFY is sent immediately and the following ones are merged, so at most fifty are sent a second.
_DEBOUNCE_SECONDS = 0.02
_RECONNECT_SECONDS = 0.5


class OutboxNotifier:
    """Sends and receives NOTIFY on its own connection.

    In a signing transaction, NOTIFY would make all signers wait for one lock.

    A notification may be lost with the connection, so readers also poll every few seconds.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._listeners: set[asyncio.Event] = set()
        self._notify_requested = asyncio.Event()
        self._retry = RetryPolicy(log, "the outbox notifier", delay_seconds=_RECONNECT_SECONDS)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._retry.run_forever(self._run_until_disconnected))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            await cancel_and_wait([self._task])

    def notify(self) -> None:
        """Call this after every commit that may have raised an event. It only sets flags and never waits."""
        self._wake_listeners()
        self._notify_requested.set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[asyncio.Event]:
        """Yields an `asyncio.Event` that every notification sets. The listener clears it before it reads the outbox."""
        wake_event = asyncio.Event()
        self._listeners.add(wake_event)
        try:
            yield wake_event
        finally:
            self._listeners.discard(wake_event)

    async def _run_until_disconnected(self) -> None:
        try:
            await self._send_and_receive()
        finally:
            # Notifications may be missed while the connection is down, so every reader reads the outbox once.
            self._wake_listeners()

    async def _send_and_receive(self) -> None:
        connection = await open_session(self._url, "cairn outbox notifier")
        try:
            # The query returns the true process id. A pooler in session mode gives the client another one.
            own_pid = await connection.fetchval("select pg_backend_pid()")

            def on_notification(_connection: Any, sender_pid: int, _channel: str, _payload: object) -> None:
                if sender_pid != own_pid:
                    self._wake_listeners()

            await connection.add_listener(CHANNEL, on_notification)
            self._retry.record_success()
            while not connection.is_closed():
                await self._notify_requested.wait()
                self._notify_requested.clear()
                await connection.execute(f"notify {CHANNEL}")
                await asyncio.sleep(_DEBOUNCE_SECONDS)
        finally:
            connection.terminate()

    def _wake_listeners(self) -> None:
        for wake_event in self._listeners:
            wake_event.set()
