"""Limits how many messages or joins are accepted per second."""

import time
from collections.abc import Callable


class RateLimit:
    """A token bucket. It holds at most the tokens of one second."""

    def __init__(self, per_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._clock = clock
        self._tokens = float(per_second)
        self._updated_at = clock()

    def try_take(self, count: int = 1) -> bool:
        """Returns False, and takes nothing, if there are fewer than `count` tokens."""
        now = self._clock()
        self._tokens = min(self._per_second, self._tokens + (now - self._updated_at) * self._per_second)
        self._updated_at = now
        if self._tokens < count:
            return False
        self._tokens -= count
        return True
