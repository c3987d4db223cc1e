"""Lets callers take turns, so that a caller with many requests does not delay the others."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cairn.kit.problem import Problem


class TooBusy(Problem):
    status, code = 503, "too_busy"
    message = "There is a lot to do at the moment. Please try again in a few seconds."


class FairTurns:
    """Limits how many calls run at once, altogether and for each key. Keys that wait take turns.

    At most `running` calls run, and at most `waiting` callers wait. All calls are on the same event loop. Callers that
    would wait behind too many others get TooBusy instead, and so do callers that have waited for `wait_seconds`. If
    `wait_seconds` is None, callers wait as long as necessary. If `waiting` callers wait, a key with fewer of them takes
    the place of the last caller of the key with the most.
    """

    def __init__(
        self,
        *,
        running: int,
        running_per_key: int,
        waiting: int,
        waiting_per_key: int,
        wait_seconds: float | None = None,
    ) -> None:
        self._max_running, self._max_running_per_key = running, running_per_key
        self._max_waiting, self._max_waiting_per_key = waiting, waiting_per_key
        self._wait_seconds = wait_seconds
        self._running: dict[str, int] = {}
        # The first key has the next turn.
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        # These are the sums over all keys. Adding them up for each call would take longer than everything else.
        self._running_count = 0
        self._waiting_count = 0

    def is_free(self, key: str) -> bool:
        """Returns whether `enter` would return without waiting."""
        return self._may_run(key) and key not in self._waiting

    def enter_now(self, key: str) -> None:
        """Takes a turn without waiting. Call it only if `is_free` is True, and call `leave` once when the turn ends."""
        self._running[key] = self._running.get(key, 0) + 1
        self._running_count += 1

    async def enter(self, key: str) -> None:
        """Waits for a turn, or raises TooBusy. If this returns, call `leave` once when the turn ends."""
        if self.is_free(key):
            self.enter_now(key)
            return
        waiting_callers = len(self._waiting.get(key, ()))
        if waiting_callers >= self._max_waiting_per_key:
            raise TooBusy
        if self._waiting_count >= self._max_waiting:
            self._free_a_place(waiting_callers)
        turn = self._join_queue(key)
        try:
            await self._wait(turn)
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                # The caller has just got its turn, and gives it up.
                self.leave(key)
            self._leave_queue(key, turn)
            raise

    def _free_a_place(self, waiting_callers: int) -> None:
        """Refuses the last caller of the key with the most, unless the key of the new caller would then have more."""
        queue = max(self._waiting.values(), key=len, default=deque())
        if len(queue) <= waiting_callers + 1:
            raise TooBusy
        last_turn = queue.pop()
        self._waiting_count -= 1
        if not last_turn.done():
            last_turn.set_exception(TooBusy())

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Waits for a turn, and ends it after the `with` statement."""
        await self.enter(key)
        try:
            yield
        finally:
            self.leave(key)

    def leave(self, key: str) -> None:
        self._running_count -= 1
        self._running[key] -= 1
        if not self._running[key]:
            del self._running[key]
        while (next_key := self._next_key()) is not None:
            self._give_turn(next_key)

    async def _wait(self, turn: "asyncio.Future[None]") -> None:
        if self._wait_seconds is None:
            await turn
            return
        timeout = asyncio.get_running_loop().call_later(self._wait_seconds, _time_out, turn)
        try:
            await turn
        finally:
            timeout.cancel()

    def _next_key(self) -> str | None:
        """Returns the first waiting key that may run now."""
        if self._running_count >= self._max_running:
            return None
        return next((key for key in self._waiting if self._may_run(key)), None)

    def _give_turn(self, key: str) -> None:
        turn = self._waiting[key].popleft()
        self._waiting_count -= 1
        if self._waiting[key]:
            self._waiting.move_to_end(key)
        else:
            del self._waiting[key]
        if not turn.done():
            self.enter_now(key)
            turn.set_result(None)

    def _may_run(self, key: str) -> bool:
        return self._running_count < self._max_running and self._running.get(key, 0) < self._max_running_per_key

    def _join_queue(self, key: str) -> "asyncio.Future[None]":
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        self._waiting_count += 1
        return turn

    def _leave_queue(self, key: str, turn: "asyncio.Future[None]") -> None:
        """Does nothing if the turn has already left the queue."""
        queue = self._waiting.get(key)
        if queue is None or turn not in queue:
            return
        queue.remove(turn)
        self._waiting_count -= 1
        if not queue:
            del self._waiting[key]


def _time_out(turn: "asyncio.Future[None]") -> None:
    if not turn.done():
        turn.set_exception(TooBusy())
