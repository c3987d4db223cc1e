"""Keeps the catalog current: reads it when it is first needed, and again after the schema has changed."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from time import monotonic

from cairn.kit import Problem
from cairn.rest.catalog.build import build_catalog
from cairn.rest.catalog.model import Catalog

log = logging.getLogger("cairn.rest")
BURST_READS = 10
"""The rate limit does not delay this many reads of the catalog in a row."""


class LiveCatalog:
    """Detects changes by a fingerprint, which costs the database about 1 % of a full read.

    The fingerprint is compared when a name was not found, when `check_for_changes` is called, and every
    `min_interval_seconds` while requests arrive.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[str]],
        fingerprint: Callable[[], Awaitable[str]],
        *,
        min_interval_seconds: float,
    ) -> None:
        self._read = read
        self._fingerprint = fingerprint
        self._min_seconds = min_interval_seconds
        self._current: Catalog | None = None
        self._current_fingerprint = ""
        self._checked_at = 0.0
        self._lock = asyncio.Lock()
        self._background_check: asyncio.Task[None] | None = None
        self._rate_limit = _RateLimit(BURST_READS, min_interval_seconds)

    async def current(self) -> Catalog:
        if self._current is None:
            return await self.newer_than(None)
        if monotonic() - self._checked_at > self._min_seconds:
            self.check_for_changes()
        return self._current

    async def newer_than(self, previous: Catalog | None) -> Catalog:
        """Returns `previous` itself if nothing has changed since. Simultaneous callers share one check."""
        called_at = monotonic()
        async with self._lock:
            if self._current is None or (self._current is previous and self._checked_at < called_at):
                return await self._check()
            return self._current

    def check_for_changes(self) -> None:
        """Starts a check in the background, unless one is running."""
        if self._background_check is None or self._background_check.done():
            self._background_check = asyncio.create_task(self._check_in_background())

    async def _check_in_background(self) -> None:
        try:
            await self.newer_than(self._current)
        except Problem as problem:
            log.info("the catalog could not be checked for changes: %s", problem)

    async def _check(self) -> Catalog:
        started_at = monotonic()
        # The fingerprint is read before the catalog, so that the next check notices a change between the two reads.
        fingerprint = await self._fingerprint()
        if self._current is None or fingerprint != self._current_fingerprint:
            await self._rate_limit.wait()
            self._current, self._current_fingerprint = build_catalog(await self._read()), fingerprint
        self._checked_at = started_at
        return self._current


class _RateLimit:
    """Allows `burst` calls immediately, and then one call every `interval_seconds`.

    Otherwise frequent schema changes would cause constant reads of the catalog.
    """

    def __init__(self, burst: int, interval_seconds: float) -> None:
        self._burst = burst
        self._interval_seconds = interval_seconds
        self._next_at = -math.inf

    async def wait(self) -> None:
        """Moves `_next_at` one interval forward, and waits until then if that is in the future.

        At the first call, and after a long pause, it moves forward from a time that is `burst` intervals ago.
        """
        now = monotonic()
        self._next_at = max(self._next_at, now - self._burst * self._interval_seconds) + self._interval_seconds
        await asyncio.sleep(max(self._next_at - now, 0.0))
