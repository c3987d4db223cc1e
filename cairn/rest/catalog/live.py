"""The catalog as it is now: read when first needed, and again when a name was not found in it."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from cairn.rest.catalog.build import build_catalog
from cairn.rest.catalog.model import Catalog


class LiveCatalog:
    def __init__(self, read: Callable[[], Awaitable[str]], *, least_seconds: float) -> None:
        self._read = read
        self._least_seconds = least_seconds
        self._current: Catalog | None = None
        self._read_at = 0.0
        self._reading = asyncio.Lock()

    async def current(self) -> Catalog:
        return self._current or await self.newer_than(None)

    async def newer_than(self, seen: Catalog | None) -> Catalog:
        """Read again, unless somebody else just did. Those who ask too often wait: a flood of wrong names costs
        the database one reading a second, and a name made a moment ago is still found."""
        async with self._reading:
            if self._current is None or self._current is seen:
                wait = self._read_at + self._least_seconds - monotonic() if self._current else 0.0
                await asyncio.sleep(max(wait, 0.0))
                document = await self._read()
                self._current, self._read_at = build_catalog(document), monotonic()
            return self._current

    def is_stale(self) -> bool:
        return monotonic() - self._read_at > self._least_seconds
