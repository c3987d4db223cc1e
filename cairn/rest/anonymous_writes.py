"""Limits how much visitors without an account write. Otherwise one of them could fill the disk with signatures.

The limits are counted in memory, because a row lock in the signing transaction would make guests wait for each other.
"""

from datetime import timedelta
from math import ceil

from cairn.db import ANON, Principal
from cairn.limits import MemoryLimiter, network_of
from cairn.rest.errors import TooManyAnonymousWrites
from cairn.rest.settings import RestSettings

_WINDOW = timedelta(minutes=10)
_WRITING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class AnonymousWrites:
    def __init__(self, settings: RestSettings) -> None:
        self._requests = MemoryLimiter(settings.anonymous_writes, _WINDOW)
        self._bytes = MemoryLimiter(settings.anonymous_write_bytes, _WINDOW)

    def count(self, principal: Principal, method: str, ip: str, body_bytes: int) -> None:
        """Raises TooManyAnonymousWrites if the caller's network has written too often or too much."""
        if principal.role != ANON.role or method not in _WRITING_METHODS:
            return
        network = network_of(ip)
        wait_seconds = self._requests.take(network)
        if wait_seconds is None:
            wait_seconds = self._bytes.take(network, body_bytes)
        if wait_seconds is not None:
            raise TooManyAnonymousWrites(headers={"Retry-After": str(ceil(wait_seconds))})
