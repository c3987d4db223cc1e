"""How providers sign what they tell: a moment, and a hash of it and the very bytes, under a shared secret."""

import hmac
from datetime import datetime, timedelta
from hashlib import sha256

from cairn.billing.errors import SignatureInvalid

# Either way: clocks differ, and what is older may be somebody saying again what he overheard.
TOLERANCE = timedelta(minutes=5)


def sign(body: bytes, secret: str, now: datetime) -> str:
    moment = str(int(now.timestamp()))
    return f"t={moment},v1={_hash(moment, body, secret)}"


def check(body: bytes, signature: str, secret: str, now: datetime) -> None:
    """While a secret is being changed there are two signatures, and one of them has to be right."""
    parts = [part.strip().partition("=") for part in signature.split(",")]
    moment = next((value for name, _, value in parts if name == "t"), "")
    if not moment.isascii() or not moment.isdigit() or len(moment) > 12:
        raise SignatureInvalid
    if abs(now.timestamp() - int(moment)) > TOLERANCE.total_seconds():
        raise SignatureInvalid
    right = _hash(moment, body, secret).encode()
    if not any(name == "v1" and hmac.compare_digest(value.encode(), right) for name, _, value in parts):
        raise SignatureInvalid


def _hash(moment: str, body: bytes, secret: str) -> str:
    return hmac.new(secret.encode(), moment.encode() + b"." + body, sha256).hexdigest()
