"""Token buckets in the memory of one process, for limits that must not cost a database round trip."""

import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import timedelta

from cairn.limits.network import LARGER_NETWORK_FACTOR, key_of_larger_network

_MAX_BUCKETS = 50_000


class MemoryLimiter:
    """One kind of limit, with a bucket for each key. Each server process counts for itself.

    Like the buckets in the database, a bucket is one number: the time at which it will be full again. The least
    recently used buckets are forgotten, so an attacker with many addresses cannot exhaust the memory.
    """

    def __init__(
        self,
        max_requests: int,
        window: timedelta,
        *,
        clock: Callable[[], float] = time.monotonic,
        max_buckets: int = _MAX_BUCKETS,
    ) -> None:
        self._window_seconds = window.total_seconds()
        self._interval_seconds = self._window_seconds / max_requests
        self._clock = clock
        self._max_buckets = max_buckets
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def take(self, key: str, tokens: int = 1) -> float | None:
        """Takes tokens and returns None. If the bucket has too few, takes nothing and returns the seconds to wait.

        If the key is an IPv6 network, the tokens are also taken from the bucket of the larger network around it.
        """
        now = self._clock()
        full_at = self._full_at_after(key, tokens * self._interval_seconds, now)
        if (wait := self._wait(full_at, self._interval_seconds, now)) is not None:
            return wait
        larger = key_of_larger_network(key)
        if larger is not None:
            interval = self._interval_seconds / LARGER_NETWORK_FACTOR
            larger_full_at = self._full_at_after(larger, tokens * interval, now)
            if (wait := self._wait(larger_full_at, interval, now)) is not None:
                return wait
            self._store(larger, larger_full_at)
        self._store(key, full_at)
        return None

    def charge(self, key: str, tokens: int) -> None:
        """Takes tokens that were already used, even if the bucket has fewer. Then `take` refuses for a longer time.

        The wait is never longer than the time window. The bucket of the larger network is charged too, as in `take`.
        """
        now = self._clock()
        latest = now + 2 * self._window_seconds
        larger = key_of_larger_network(key)
        if larger is not None:
            seconds = tokens * self._interval_seconds / LARGER_NETWORK_FACTOR
            self._store(larger, min(self._full_at_after(larger, seconds, now), latest))
        self._store(key, min(self._full_at_after(key, tokens * self._interval_seconds, now), latest))

    def _full_at_after(self, bucket: str, seconds: float, now: float) -> float:
        """Returns when the bucket would be full again after taking tokens that refill in this many seconds."""
        return max(self._full_at.get(bucket, now), now) + seconds

    def _wait(self, full_at: float, interval_seconds: float, now: float) -> float | None:
        wait = full_at - now - self._window_seconds
        # Because of rounding, taking the last token of a bucket can give a wait of slightly more than zero.
        return wait if wait > interval_seconds / 1000 else None

    def _store(self, bucket: str, full_at: float) -> None:
        self._full_at[bucket] = full_at
        self._full_at.move_to_end(bucket)
        if len(self._full_at) > self._max_buckets:
            self._full_at.popitem(last=False)
