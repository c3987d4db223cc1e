"""The rules of delivering: no clock, no network."""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["webhook", "zapier"]
Event: TypeAlias = Literal["waiver.signed", "webhook.test"]

MOST_ENDPOINTS = 10
"""Of one company, of both kinds together."""

# After the first try. Together about a day.
PAUSES = tuple(timedelta(seconds=s) for s in (10, 60, 300, 1_800, 7_200, 14_400, 28_800, 36_000))
# Nothing but failure for this long, and a company's endpoint is paused.
PATIENCE = timedelta(days=5)

_PREFIX = "whsec_"


def pause_before(retries_left: int) -> timedelta | None:
    """None when that was the last try."""
    return PAUSES[-retries_left] if retries_left else None


def is_beyond_hope(failing_since: datetime | None, now: datetime) -> bool:
    return failing_since is not None and now - failing_since >= PATIENCE


def written_secret(key: bytes) -> str:
    """As a company copies it."""
    return _PREFIX + base64.b64encode(key).decode()


def signatures(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> str:
    """One for each secret that is good at the moment, so that changing over loses nothing."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_signature(secret, signed)}" for secret in secrets)


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
