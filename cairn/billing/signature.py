"""Signs and checks the events of a payment provider.

A signature contains a timestamp and an HMAC of the timestamp and the raw body.
"""

import hmac
from datetime import datetime, timedelta
from hashlib import sha256

from cairn.billing.errors import SignatureInvalid

# The timestamp may be this much earlier or later than our clock, because clocks differ. Older events may be replays.
TOLERANCE = timedelta(minutes=5)
_MAX_TIMESTAMP_DIGITS = 12


def sign(body: bytes, secret: str, now: datetime) -> str:
    timestamp = str(int(now.timestamp()))
    return f"t={timestamp},v1={_hash(timestamp, body, secret)}"


def check_signature(body: bytes, signature: str, secret: str, now: datetime) -> None:
    """Raises SignatureInvalid if the signature is wrong or too old.

    While a secret is being replaced, there are two signatures, and one of them must match.
    """
    parts = [part.strip().partition("=") for part in signature.split(",")]
    timestamp = next((value for name, _, value in parts if name == "t"), "")
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > _MAX_TIMESTAMP_DIGITS:
        raise SignatureInvalid
    if abs(now.timestamp() - int(timestamp)) > TOLERANCE.total_seconds():
        raise SignatureInvalid
    expected = _hash(timestamp, body, secret).encode()
    if not any(name == "v1" and hmac.compare_digest(value.encode(), expected) for name, _, value in parts):
        raise SignatureInvalid


def _hash(timestamp: str, body: bytes, secret: str) -> str:
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, sha256).hexdigest()
