"""Limits the look-ups of documents by their printed ids, which anyone can make without an account."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from cairn.functions.errors import TooManyLookUps
from cairn.kit import FairTurns
from cairn.limits import MemoryLimiter, larger_network_of, network_of

_LOOK_UPS_PER_MINUTE = 120
_WAIT_SECONDS = 5.0


class LookUpLimits:
    """Limits look-ups, because each one checks a whole history in the database.

    Only a few run at the same time, so most database connections stay free for people who sign.
    """

    def __init__(self) -> None:
        self._limiter = MemoryLimiter(_LOOK_UPS_PER_MINUTE, timedelta(minutes=1))
        self._turns = FairTurns(
            running=4, running_per_key=2, waiting=200, waiting_per_key=20, wait_seconds=_WAIT_SECONDS
        )

    @asynccontextmanager
    async def turn(self, ip: str | None) -> AsyncIterator[None]:
        """Waits until fewer than two look-ups of this network run, and fewer than four in total.

        Raises TooManyLookUps or TooBusy.
        """
        seconds = self._limiter.take(network_of(ip))
        if seconds is not None:
            raise TooManyLookUps(retry_after_seconds=math.ceil(seconds))
        async with self._turns.turn(larger_network_of(ip)):
            yield
