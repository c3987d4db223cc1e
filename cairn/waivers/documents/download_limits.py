"""Limits downloads of documents, because anyone who has signed, or has the link in an email, may repeat them."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from cairn.kit import FairTurns
from cairn.limits import MemoryLimiter, larger_network_of, network_of
from cairn.waivers.documents.errors import TooManyDownloads

# Most documents have 50 kB, so this is 4,000 downloads. A document with many photos has up to 5 MB.
_KILOBYTES_PER_MINUTE = 200_000
# How long a caller waits for the turn of its network.
_WAIT_SECONDS = 10.0


class DownloadLimits:
    """Only a few documents are in memory at once, and networks take turns.

    A turn ends before the response is sent, so that a client that reads slowly keeps no one waiting. What clients have
    not read is limited for the responses of all services together.
    """

    def __init__(self, *, kilobytes_per_minute: int = _KILOBYTES_PER_MINUTE) -> None:
        self._turns = FairTurns(
            running=8, running_per_key=2, waiting=500, waiting_per_key=100, wait_seconds=_WAIT_SECONDS
        )
        self._kilobytes = MemoryLimiter(kilobytes_per_minute, timedelta(minutes=1))

    @asynccontextmanager
    async def turn(self, ip: str | None) -> AsyncIterator[None]:
        """Waits for a turn. Raises TooBusy, or TooManyDownloads if the network has downloaded too much."""
        async with self._turns.turn(larger_network_of(ip)):
            seconds = self._kilobytes.take(network_of(ip))
            if seconds is not None:
                raise TooManyDownloads(retry_after_seconds=math.ceil(seconds))
            yield

    def count(self, ip: str | None, byte_count: int) -> None:
        self._kilobytes.charge(network_of(ip), byte_count // 1000)
