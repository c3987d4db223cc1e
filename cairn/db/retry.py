"""Logs and delays the retries of loops that must never stop."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import NoReturn

from cairn.db.connection_lost import is_connection_lost


class RetryPolicy:
    """Logs each failure and says how long to wait before the next attempt.

    A lost connection is expected. It is logged at info and retried after `delay_seconds`. Any other error is a bug. It
    is logged with its traceback, and each further failure in a row doubles the delay, so that the log is not flooded.
    """

    def __init__(
        self, log: logging.Logger, task: str, *, delay_seconds: float, max_delay_seconds: float = 60.0
    ) -> None:
        self._log = log
        self._task = task
        self._delay_seconds = delay_seconds
        self._max_delay_seconds = max_delay_seconds
        self._failures = 0

    async def run_forever(self, task: Callable[[], Awaitable[None]]) -> NoReturn:
        """Runs the task again each time it ends or fails. A long run counts as a success."""
        while True:
            delay_seconds, started_at = self._delay_seconds, time.monotonic()
            try:
                await task()
            except Exception as error:
                if time.monotonic() - started_at > self._max_delay_seconds:
                    self.record_success()
                delay_seconds = self.record_failure(error)
            await asyncio.sleep(delay_seconds)

    def record_success(self) -> None:
        self._failures = 0

    def record_failure(self, error: Exception) -> float:
        """Logs the error and returns how many seconds to wait before the next attempt."""
        if is_connection_lost(error):
            self._log.info("%s is interrupted, the database cannot be reached: %s", self._task, error)
            return self._delay_seconds
        self._log.error("%s failed and will be retried", self._task, exc_info=error)
        self._failures += 1
        return float(min(self._delay_seconds * 2 ** (self._failures - 1), self._max_delay_seconds))
