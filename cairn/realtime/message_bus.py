"""Carries what members say, and who is there, to the other processes on the same database.

A connection of its own and nothing but NOTIFY: no table is written, and no product transaction ever waits for the one
lock that NOTIFY takes. A notification holds less than 8,000 bytes, so longer words execute in pieces; those of one
process arrive in the order in which they were sent.
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

from cairn.db import RetryPolicy

log = logging.getLogger(__name__)

CHANNEL = "cairn_realtime"
_PIECE = 7_800
_PIECES_IN_ONE_GO = 500
_RECONNECT_SECONDS = 0.5
_BEAT_SECONDS = 3.0
_DEAD_AFTER_SECONDS = 10.0
# What may wait for a database that is away; after that the oldest is forgotten.
_LONGEST_QUEUE = 10_000


class MessageBus:
    """`on_word` hears every word of the other processes, `on_silence` of those that are gone."""

    def __init__(self, url: str) -> None:
        self.process = uuid4().hex
        self.on_word: Callable[[str, str, dict[str, Any]], None] = lambda _process, _kind, _told: None
        self.on_silence: Callable[[str], None] = lambda _process: None
        self._url = url
        self._retry = RetryPolicy(log, "the relay to the other servers", seconds=_RECONNECT_SECONDS)
        self._waiting: deque[str] = deque(maxlen=_LONGEST_QUEUE)
        self._filled = asyncio.Event()
        self._listens = asyncio.Event()
        self._numbers = count()
        self._heard_at: dict[str, float] = {}
        # Of each process, the word that is just arriving.
        self._arriving: dict[str, list[str]] = {}

    def say(self, kind: str, **told: Any) -> None:
        """Never waits. Text is plain ASCII, so that a piece has as many bytes as characters."""
        word = json.dumps({"kind": kind, **told})
        parts = [word[start : start + _PIECE] for start in range(0, len(word), _PIECE)]
        for number, part in enumerate(parts, start=1):
            # Equal notifications of one transaction would arrive as one, hence the number that is never the same.
            self._waiting.append(f"{self.process} {next(self._numbers)} {number}/{len(parts)} {part}")
        self._filled.set()

    async def run(self) -> None:
        while True:
            wait = _RECONNECT_SECONDS
            try:
                await self._carry()
            except Exception as error:
                wait = self._retry.failed(error)
            await asyncio.sleep(wait)

    async def live(self) -> None:
        """Returns once what the others say from here on is heard."""
        await self._listens.wait()

    async def farewell(self) -> None:
        """So that nobody waits for our silence to be noticed."""
        try:
            connection = await asyncpg.connect(self._url, timeout=2)
            try:
                self.say("bye")
                await self._send(connection)
            finally:
                await connection.close(timeout=2)
        except Exception as error:
            self._retry.failed(error)

    async def _carry(self) -> None:
        connection = await asyncpg.connect(self._url, timeout=10)
        try:
            connection.add_termination_listener(lambda _connection: self._filled.set())
            await connection.add_listener(CHANNEL, self._received)
            self._listens.set()
            self._retry.succeeded()
            # Nobody could be heard while we were away.
            self._arriving.clear()
            self._heard_at = dict.fromkeys(self._heard_at, time.monotonic())
            self.say("hello")
            while not connection.is_closed():
                await self._send(connection)
                self._bury()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_BEAT_SECONDS):
                        await self._filled.wait()
                if not self._waiting:
                    self.say("alive")
        finally:
            connection.terminate()

    async def _send(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._filled.clear()
        while self._waiting:
            some = [self._waiting.popleft() for _ in range(min(len(self._waiting), _PIECES_IN_ONE_GO))]
            try:
                await connection.execute(
                    "select pg_notify($1, piece) from unnest($2::text[]) with ordinality as p (piece, n) order by n",
                    CHANNEL,
                    some,
                )
            except BaseException:
                self._waiting.extendleft(reversed(some))
                raise

    def _received(self, _connection: Any, _sender: int, _channel: str, payload: object) -> None:
        process, _number, part, piece = str(payload).split(" ", 3)
        if process == self.process:
            return
        self._heard_at[process] = time.monotonic()
        place, parts = part.split("/")
        pieces = [*self._arriving.pop(process, ()), piece] if place != "1" else [piece]
        if len(pieces) < int(parts):
            self._arriving[process] = pieces
            return
        word: dict[str, Any] = json.loads("".join(pieces))
        kind = word.pop("kind")
        if kind == "bye":
            self._forget(process)
        else:
            self.on_word(process, kind, word)

    def _bury(self) -> None:
        oldest = time.monotonic() - _DEAD_AFTER_SECONDS
        for process in [process for process, at in self._heard_at.items() if at < oldest]:
            self._forget(process)

    def _forget(self, process: str) -> None:
        self._heard_at.pop(process, None)
        self.on_silence(process)
