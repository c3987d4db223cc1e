import hmac
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pyotp

from cairn.auth.model.factor import SecondFactor
from cairn.auth.model.session import Session
from cairn.kit import frozen_dataclass

# The `amr` claim of a token contains these names.
FACTOR_METHODS = {"totp": "totp", "phone": "mfa/phone", "webauthn": "mfa/webauthn"}
RECOVERY_METHOD = "mfa/recovery_code"

CHALLENGE_LIFETIME = timedelta(minutes=5)
# A factor that was not verified within this time is deleted when the user adds another one.
UNVERIFIED_FACTOR_RETENTION = timedelta(minutes=5)
# After this time, an unverified factor cannot be verified any more.
ENROLMENT_LIFETIME = timedelta(hours=1)
TOTP_STEP_SECONDS = 30
TEXTS_PER_CHALLENGE_LIFETIME = 5


@frozen_dataclass
class StoredFactor(SecondFactor):
    """A second factor with its secret or credential."""

    secret: str | None = field(repr=False)
    credential: dict[str, Any] | None
    # The time step of the last TOTP code that was accepted. Codes up to this step are refused.
    last_step: int | None


@frozen_dataclass
class FactorChallenge:
    id: UUID
    ip: str | None
    code_hmac: bytes | None = field(repr=False)
    nonce: bytes | None
    verified_at: datetime | None
    created_at: datetime

    def has_expired(self, now: datetime) -> bool:
        return now - self.created_at > CHALLENGE_LIFETIME


@frozen_dataclass
class RecentChallenges:
    """The challenges of a user within one `CHALLENGE_LIFETIME`."""

    count: int
    # After this many seconds, the oldest challenge no longer counts.
    seconds_left: int


@frozen_dataclass
class WrongCodes:
    """The wrong responses to one challenge: its IP address, their number, and for how many more seconds they count."""

    ip: str | None
    count: int
    seconds_left: int


def matching_totp_step(secret: str, code: str, now: datetime, last_step: int | None) -> int | None:
    """Returns the time step that the code belongs to, or None if the code is wrong or was already used.

    The steps before and after the current one are accepted, because clocks differ.
    """
    totp = pyotp.TOTP(secret)
    current_step = int(now.timestamp()) // TOTP_STEP_SECONDS
    for step in (current_step - 1, current_step, current_step + 1):
        is_unused = last_step is None or step > last_step
        if is_unused and hmac.compare_digest(totp.at(step * TOTP_STEP_SECONDS).encode(), code.encode()):
            return step
    return None


def add_amr_entry(session: Session, method: str, now: datetime) -> list[dict[str, Any]]:
    """Returns the authentication methods of the session, newest first, with this method added."""
    earlier_entries = [entry for entry in session.amr if entry.get("method") != method]
    return [{"method": method, "timestamp": int(now.timestamp())}, *earlier_entries]


def signed_in_since(session: Session, moment: datetime) -> bool:
    return any(entry.get("timestamp", 0) >= moment.timestamp() for entry in session.amr)
