"""The catalog as it is now: read when first needed, and again once the database has changed."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from time import monotonic

from cairn.kit import Problem
from cairn.rest.catalog.build import build_catalog
from cairn.rest.catalog.model import Catalog

log = logging.getLogger("cairn.rest")
BURST = 10
"""Readings in a row that need not wait for each other."""


class LiveCatalog:
    """Whether anything changed is asked by a fingerprint, which costs the database a hundredth of a full reading.

    It is asked when a name was not found, when somebody says so (`look`), and now and then while requests come in.
    """

    def __init__(
        self, read: Callable[[], Awaitable[str]], fingerprint: Callable[[], Awaitable[str]], *, least_seconds: float
    ) -> None:
        self._read = read
        self._fingerprint = fingerprint
        self._least_seconds = least_seconds
        self._current: Catalog | None = None
        self._seen = ""
        self._looked_at = 0.0
        self._looking = asyncio.Lock()
        self._meanwhile: asyncio.Task[None] | None = None
        self._readings = _Allowance(BURST, least_seconds)

    async def current(self) -> Catalog:
        if self._current is None:
            return await self.newer_than(None)
        if monotonic() - self._looked_at > self._least_seconds:
            self.look()
        return self._current

    async def newer_than(self, seen: Catalog | None) -> Catalog:
        """The same one if nothing has changed since. Those who ask at the same time share the answer."""
        asked_at = monotonic()
        async with self._looking:
            if self._current is None or (self._current is seen and self._looked_at < asked_at):
                return await self._look()
            return self._current

    def look(self) -> None:
        """Without anybody waiting for it."""
        if self._meanwhile is None or self._meanwhile.done():
            self._meanwhile = asyncio.create_task(self._look_quietly())

    async def _look_quietly(self) -> None:
        try:
            await self.newer_than(self._current)
        except Problem as problem:
            log.info("the catalog could not be compared: %s", problem)

    async def _look(self) -> Catalog:
        began = monotonic()
        # Before the reading: what changes between the two is then noticed the next time.
        seen = await self._fingerprint()
        if self._current is None or seen != self._seen:
            await self._readings.take()
            self._current, self._seen = build_catalog(await self._read()), seen
        self._looked_at = began
        return self._current


class _Allowance:
    """So many at once, then one every so many seconds: who keeps altering tables does not keep us reading."""

    def __init__(self, burst: int, seconds: float) -> None:
        self._burst = burst
        self._seconds = seconds
        self._free_at = -math.inf

    async def take(self) -> None:
        now = monotonic()
        self._free_at = max(self._free_at, now - self._burst * self._seconds) + self._seconds
        await asyncio.sleep(max(self._free_at - now, 0.0))
