"""A failed job waits longer after each failure, but never longer than half an hour."""

from datetime import timedelta

import pytest
from procrastinate.jobs import Job as QueuedJob

from cairn.jobs import Job
from cairn.jobs.job import Payload
from cairn.jobs.retry import CappedRetry
from cairn.kit import now


async def never_run(_payload: Payload, _is_last_try: bool) -> None:
    raise AssertionError("these tests only ask when the job would be tried again")


def delay(job: Job, *, failures: int) -> timedelta | None:
    """Returns how long the job waits after this many failures, or None if it is not tried again."""
    queued = QueuedJob(id=1, queue="cairn", lock=None, queueing_lock=None, task_name="test", attempts=failures - 1)
    decision = CappedRetry(job).get_retry_decision(exception=OSError(), job=queued)
    if decision is None:
        return None
    assert decision.retry_at is not None
    return decision.retry_at - now()


@pytest.mark.parametrize(
    ("first_delay", "delays"),
    [(2, [2, 4, 8, 16, 32]), (5, [5, 25, 125, 625, 1800]), (60, [60, 1800, 1800, 1800, 1800])],
)
def test_the_delay_grows_up_to_half_an_hour(first_delay: int, delays: list[int]) -> None:
    job = Job("test", on="thing.happened", run=never_run, max_tries=6, retry_delay_seconds=first_delay)

    for failures, seconds in enumerate(delays, start=1):
        waited = delay(job, failures=failures)
        assert waited is not None
        assert abs(waited.total_seconds() - seconds) <= 1
    assert delay(job, failures=6) is None


def test_a_job_with_one_try_is_not_repeated() -> None:
    assert delay(Job("test", on="thing.happened", run=never_run, max_tries=1), failures=1) is None
