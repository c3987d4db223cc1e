"""Token buckets in the memory of one process, for limits that must not cost a database round trip."""

import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import timedelta

from cairn.limits.network import LARGER_NETWORK_FACTOR, with_larger_network

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
        intervals = {key: self._interval_seconds}
        larger = with_larger_network(key)
        if larger is not None:
            intervals[larger] = self._interval_seconds / LARGER_NETWORK_FACTOR
        full_at = {
            bucket: max(self._full_at.get(bucket, now), now) + tokens * interval
            for bucket, interval in intervals.items()
        }
        for bucket, interval in intervals.items():
            wait = full_at[bucket] - now - self._window_seconds
            # Because of rounding, taking the last token of a bucket can give a wait of slightly more than zero.
            if wait > interval / 1000:
                return wait
        for bucket, moment in full_at.items():
            self._full_at[bucket] = moment
            self._full_at.move_to_end(bucket)
        while len(self._full_at) > self._max_buckets:
            self._full_at.popitem(last=False)
        return None
