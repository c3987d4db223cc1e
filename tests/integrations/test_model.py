"""Deliveries are retried, endpoints are paused, and webhooks are signed according to the rules."""

from datetime import UTC, datetime, timedelta

import pytest

from cairn.integrations.model import RETRY_DELAYS, format_secret, has_failed_too_long, retry_delay, signature_header

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_retry_delays_grow_and_end_after_about_a_day() -> None:
    delays = [retry_delay(retries_left) for retries_left in range(len(RETRY_DELAYS), 0, -1)]

    assert delays == sorted(RETRY_DELAYS)
    assert timedelta(hours=20) < sum(RETRY_DELAYS, timedelta()) < timedelta(hours=28)
    assert retry_delay(0) is None


@pytest.mark.parametrize(
    ("failing_for", "is_too_long"), [(None, False), (timedelta(days=4, hours=23), False), (timedelta(days=5), True)]
)
def test_an_endpoint_has_failed_too_long_after_five_days(failing_for: timedelta | None, *, is_too_long: bool) -> None:
    assert has_failed_too_long(NOW - failing_for if failing_for else None, NOW) is is_too_long


def test_a_signature_matches_the_published_example() -> None:
    """The example is from the test suite of the Standard Webhooks libraries."""
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'

    signature = signature_header([secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)

    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_there_is_one_signature_per_secret() -> None:
    first_secret, second_secret = format_secret(b"1" * 32), format_secret(b"2" * 32)

    assert signature_header([first_secret, second_secret], "id", 1, b"{}") == (
        f"{signature_header([first_secret], 'id', 1, b'{}')} {signature_header([second_secret], 'id', 1, b'{}')}"
    )
