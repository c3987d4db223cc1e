"""Contains the rules for retries, pausing and signatures. They need neither a clock nor the network."""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["webhook", "zapier"]
Event: TypeAlias = Literal["waiver.signed", "webhook.test"]

# A company can have this many endpoints, webhooks and Zapier hooks together.
MAX_ENDPOINTS = 10

# An endpoint with this many waiting deliveries gets no new ones. Otherwise a company whose endpoint never responds
# could store any number of them.
MAX_WAITING_DELIVERIES = 10_000

# The delays after each failed attempt add up to about a day.
RETRY_DELAYS = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1_800, 7_200, 14_400, 28_800, 36_000))
# An endpoint to which every delivery has failed for this long is paused.
_PAUSE_AFTER = timedelta(days=5)

# A failing endpoint gets one attempt at a time. The longer it has been failing, the longer the delay between attempts.
_SHORTEST_PROBE_DELAY, _LONGEST_PROBE_DELAY = timedelta(seconds=2), timedelta(minutes=5)

# Every signing secret starts with this prefix.
_PREFIX = "whsec_"


def retry_delay(retries_left: int) -> timedelta | None:
    """Returns the delay before the next attempt, or None after the last one.

    With all retries left, this is the first delay, and with one retry left the last one.
    """
    return RETRY_DELAYS[-retries_left] if retries_left else None


def has_failed_too_long(failing_since: datetime | None, now: datetime) -> bool:
    return failing_since is not None and now - failing_since >= _PAUSE_AFTER


def probe_delay(failing_since: datetime | None, now: datetime) -> timedelta:
    """Returns how long the other deliveries to an endpoint wait after a failed attempt."""
    failing_for = now - (failing_since or now)
    return min(max(failing_for, _SHORTEST_PROBE_DELAY), _LONGEST_PROBE_DELAY)


def format_secret(key: bytes) -> str:
    """Returns the secret in the format that libraries for Standard Webhooks expect."""
    return _PREFIX + base64.b64encode(key).decode()


def signature_header(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> str:
    """Returns the header `webhook-signature`.

    It has one signature per valid secret, so that a receiver can switch to a new secret at any time.
    """
    content = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_signature(secret, content)}" for secret in secrets)


def _signature(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
