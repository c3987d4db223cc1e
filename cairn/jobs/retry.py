"""Decides when a failed job is tried again."""

import procrastinate

from cairn.jobs.job import Job

MAX_DELAY_SECONDS = 30 * 60


class CappedRetry(procrastinate.BaseRetryStrategy):
    """Waits longer after each failure, but never longer than half an hour.

    The strategy of the library has no maximum. With a first delay of one minute, it would wait for 60 hours before the
    third retry.
    """

    def __init__(self, job: Job) -> None:
        self._max_retries = job.max_tries - 1
        self._delay_seconds = job.retry_delay_seconds

    def get_retry_decision(
        self,
        *,
        exception: BaseException,  # noqa: ARG002 - the library passes it
        job: procrastinate.jobs.Job,
    ) -> procrastinate.RetryDecision | None:
        if job.attempts >= self._max_retries:
            return None
        seconds = min(self._delay_seconds ** (job.attempts + 1), MAX_DELAY_SECONDS)
        return procrastinate.RetryDecision(retry_in={"seconds": seconds})
