"""How much one client may ask for in a while."""

import time
from collections.abc import Callable


class RateLimit:
    """So many a second, and as many at once after a pause."""

    def __init__(self, per_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._clock = clock
        self._left = float(per_second)
        self._at = clock()

    def take(self, number: int = 1) -> bool:
        at = self._clock()
        self._left = min(self._per_second, self._left + (at - self._at) * self._per_second)
        self._at = at
        if self._left < number:
            return False
        self._left -= number
        return True
