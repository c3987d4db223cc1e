"""Exchanges broadcasts and presence with the other server processes on the same database.

The bus uses only NOTIFY, on its own connection. It writes to no table, and no other transaction waits for the lock that
NOTIFY takes. A notification holds less than 8,000 bytes, so longer messages are split into parts. The parts from
one process arrive in the order in which they were sent.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Any
from uuid import uuid4

import asyncpg

from cairn.db import RetryPolicy, open_session

log = logging.getLogger(__name__)

CHANNEL = "cairn_realtime"
_PART_LENGTH = 7_800
_PARTS_PER_STATEMENT = 500
_RECONNECT_SECONDS = 0.5
_HEARTBEAT_SECONDS = 3.0
_LOST_AFTER_SECONDS = 10.0
# While the database is unreachable, at most this many parts wait. If there are more, the oldest are dropped.
_MAX_QUEUE_LENGTH = 10_000


class MessageBus:
    """Calls `on_message` for each message from another process, and `on_process_lost` when one ends or goes silent."""

    def __init__(self, url: str) -> None:
        self.process_id = uuid4().hex
        self.on_message: Callable[[str, str, dict[str, Any]], None] = lambda _process, _kind, _payload: None
        self.on_process_lost: Callable[[str], None] = lambda _process: None
        self._url = url
        self._retry = RetryPolicy(log, "the message bus to the other servers", delay_seconds=_RECONNECT_SECONDS)
        self._queue: deque[str] = deque(maxlen=_MAX_QUEUE_LENGTH)
        self._wake_up = asyncio.Event()
        self._is_listening = asyncio.Event()
        self._sequence = count()
        self._last_received_at: dict[str, float] = {}
        # The parts received so far of the current message of each process.
        self._incomplete_messages: dict[str, list[str]] = {}

    def send(self, kind: str, **payload: Any) -> None:
        """Queues a message and never waits. The JSON is ASCII, so a part has as many bytes as characters."""
        message = json.dumps({"kind": kind, **payload})
        parts = [message[start : start + _PART_LENGTH] for start in range(0, len(message), _PART_LENGTH)]
        for number, part in enumerate(parts, start=1):
            # Postgres merges equal notifications within a transaction, so each one has a unique sequence number.
            self._queue.append(f"{self.process_id} {next(self._sequence)} {number}/{len(parts)} {part}")
        self._wake_up.set()

    async def run(self) -> None:
        await self._retry.run_forever(self._exchange_messages)

    async def wait_until_listening(self) -> None:
        """Returns when every message that another process sends from now on will be received."""
        await self._is_listening.wait()

    async def announce_shutdown(self) -> None:
        """Notifies the other processes, so that they remove this one immediately instead of after a timeout."""
        try:
            connection = await open_session(self._url, "cairn message bus", timeout_seconds=2)
            try:
                self.send("bye")
                await self._flush(connection)
            finally:
                await connection.close(timeout=2)
        except Exception as error:
            self._retry.record_failure(error)

    async def _exchange_messages(self) -> None:
        connection = await open_session(self._url, "cairn message bus")
        try:
            # The loop below then notices that the connection is closed.
            connection.add_termination_listener(lambda _connection: self._wake_up.set())
            await connection.add_listener(CHANNEL, self._receive)
            self._is_listening.set()
            self._retry.record_success()
            # No message could be received while the connection was down, so all timeouts start again.
            self._incomplete_messages.clear()
            self._last_received_at = dict.fromkeys(self._last_received_at, time.monotonic())
            self.send("hello")
            while not connection.is_closed():
                await self._flush(connection)
                self._remove_lost_processes()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_HEARTBEAT_SECONDS):
                        await self._wake_up.wait()
                if not self._queue:
                    self.send("alive")
        finally:
            connection.terminate()

    async def _flush(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._wake_up.clear()
        while self._queue:
            batch = [self._queue.popleft() for _ in range(min(len(self._queue), _PARTS_PER_STATEMENT))]
            try:
                await connection.execute(
                    "select pg_notify($1, part) from unnest($2::text[]) with ordinality as p (part, n) order by n",
                    CHANNEL,
                    batch,
                )
            except BaseException:
                self._queue.extendleft(reversed(batch))
                raise

    def _receive(self, _connection: Any, _sender: int, _channel: str, notification: object) -> None:
        process, _sequence, position, part = str(notification).split(" ", 3)
        if process == self.process_id:
            return
        self._last_received_at[process] = time.monotonic()
        number, total = position.split("/")
        parts = [*self._incomplete_messages.pop(process, ()), part] if number != "1" else [part]
        if len(parts) < int(total):
            self._incomplete_messages[process] = parts
            return
        payload: dict[str, Any] = json.loads("".join(parts))
        kind = payload.pop("kind")
        if kind == "bye":
            self._remove_process(process)
        else:
            self.on_message(process, kind, payload)

    def _remove_lost_processes(self) -> None:
        deadline = time.monotonic() - _LOST_AFTER_SECONDS
        for process in [process for process, received_at in self._last_received_at.items() if received_at < deadline]:
            self._remove_process(process)

    def _remove_process(self, process: str) -> None:
        self._last_received_at.pop(process, None)
        self.on_process_lost(process)
