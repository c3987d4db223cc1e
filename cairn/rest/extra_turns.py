"""Extra turns for callers that already use their share of the connections, as long as their requests are fast.

Eight fast requests that wait for each other cost the server much more than eight that run at once. But no one can tell
in advance whether a request is fast. So all callers together have a few extra turns, with database connections that are
not part of anyone's share. If a request with an extra turn is slow, the turn is blocked afterwards for 20 times as long
as the request took. Slow requests therefore use the extra connections for less than 5 % of the time.
"""

import asyncio

FAST_SECONDS = 0.1
"""Requests that take longer are slow. Fast ones usually take a few milliseconds, and more on a busy machine."""

PAUSE_FACTOR = 20
"""The time for which a turn is blocked after a slow request, as a multiple of the time that the request took."""


class ExtraTurns:
    def __init__(self, count: int) -> None:
        self._free = count

    def take(self) -> bool:
        """Returns whether there was a free turn. If so, the caller must call `give_back` once."""
        if not self._free:
            return False
        self._free -= 1
        return True

    def give_back(self, seconds: float) -> None:
        """`seconds` is how long the turn was used."""
        if seconds <= FAST_SECONDS:
            self._free += 1
        else:
            asyncio.get_running_loop().call_later(seconds * PAUSE_FACTOR, self._end_pause)

    def _end_pause(self) -> None:
        self._free += 1
