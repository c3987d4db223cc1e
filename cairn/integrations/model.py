"""The rules of deliveries, without clock or network: retries, pausing and signatures."""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["webhook", "zapier"]
Event: TypeAlias = Literal["waiver.signed", "webhook.test"]

MOST_ENDPOINTS = 10
"""Per company, of both kinds together."""

# The waiting times after each failed attempt, together about a day.
RETRY_DELAYS = tuple(timedelta(seconds=s) for s in (10, 60, 300, 1_800, 7_200, 14_400, 28_800, 36_000))
# An endpoint to which every delivery has failed for this long is paused.
_PAUSE_AFTER = timedelta(days=5)

_PREFIX = "whsec_"


def retry_delay(retries_left: int) -> timedelta | None:
    """None after the last attempt."""
    return RETRY_DELAYS[-retries_left] if retries_left else None


def has_failed_too_long(failing_since: datetime | None, now: datetime) -> bool:
    return failing_since is not None and now - failing_since >= _PAUSE_AFTER


def format_secret(key: bytes) -> str:
    """The form in which Standard Webhooks libraries expect a secret."""
    return _PREFIX + base64.b64encode(key).decode()


def signatures(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> str:
    """One signature per valid secret, so that a receiver can switch to a new secret at any time."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_signature(secret, signed)}" for secret in secrets)


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
