"""Lets callers take turns, so that a caller with many requests does not delay the others."""

import asyncio
from collections import Counter, OrderedDict, deque

from cairn.kit.problem import Problem


class TooBusy(Problem):
    status, code = 503, "too_busy"
    message = "There is a lot to do at the moment. Please try again in a few seconds."


class FairTurns:
    """Limits how many calls run at once, altogether and for each key. Keys that wait take turns.

    At most `running` calls run, and at most `waiting` callers wait. All calls are on the same event loop. Callers that
    would wait behind too many others get TooBusy instead, and so do callers that have waited for `wait_seconds`. If
    `wait_seconds` is None, callers wait as long as necessary.
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
        self._running: Counter[str] = Counter()
        # The first key has the next turn.
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def enter(self, key: str) -> None:
        """Waits for a turn. Each call of `enter` that returns is followed by one of `leave`."""
        if self._may_run(key) and key not in self._waiting:
            self._running[key] += 1
            return
        queue = self._waiting.get(key, deque())
        if len(queue) >= self._max_waiting_per_key or self._waiting_count() >= self._max_waiting:
            raise TooBusy
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        self._waiting[key] = queue
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._wait(key, turn)
        except TimeoutError as timeout:
            raise TooBusy from timeout

    async def _wait(self, key: str, turn: "asyncio.Future[None]") -> None:
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # The caller has just got its turn, and gives it up.
                self.leave(key)
            self._forget(key, turn)
            raise

    def leave(self, key: str) -> None:
        self._running[key] -= 1
        if not self._running[key]:
            del self._running[key]
        while (next_key := self._next_key()) is not None:
            self._give_turn(next_key)

    def _next_key(self) -> str | None:
        """Returns the first waiting key that may run now."""
        return next((key for key in self._waiting if self._may_run(key)), None)

    def _give_turn(self, key: str) -> None:
        turn = self._waiting[key].popleft()
        if self._waiting[key]:
            self._waiting.move_to_end(key)
        else:
            del self._waiting[key]
        if not turn.done():
            self._running[key] += 1
            turn.set_result(None)

    def _may_run(self, key: str) -> bool:
        return self._running.total() < self._max_running and self._running[key] < self._max_running_per_key

    def _waiting_count(self) -> int:
        return sum(len(queue) for queue in self._waiting.values())

    def _forget(self, key: str, turn: "asyncio.Future[None]") -> None:
        queue = self._waiting.get(key)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[key]
