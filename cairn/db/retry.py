"""How loops that must never stop deal with a failure."""

import logging

from cairn.db.connection_lost import is_connection_lost


class RetryPolicy:
    """Logs each failure and says how long to wait before the next attempt.

    A lost connection is expected: it is logged at info and retried after `seconds`. Any other error is a bug: it is
    logged with its traceback, and each further failure in a row doubles the wait, so that it does not flood the log.
    """

    def __init__(self, log: logging.Logger, task: str, *, seconds: float, longest_seconds: float = 60.0) -> None:
        self._log = log
        self._task = task
        self._seconds = seconds
        self._longest_seconds = longest_seconds
        self._failures = 0

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self, error: Exception) -> float:
        """Logs the error and returns how many seconds to wait before the next attempt."""
        if is_connection_lost(error):
            self._log.info("%s is interrupted, the database cannot be reached: %s", self._task, error)
            return self._seconds
        self._log.error("%s failed and will be retried", self._task, exc_info=error)
        self._failures += 1
        return float(min(self._seconds * 2 ** (self._failures - 1), self._longest_seconds))
