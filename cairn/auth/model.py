"""People, sessions, and the rules about them. No clock, no randomness, no database."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from email_validator import EmailNotValidError, validate_email

from cairn.auth.errors import (
    EmailInvalid,
    EmailTooLong,
    MetadataInvalid,
    NameInvalid,
    PasswordTooLong,
    RoleUnknown,
    WeakPassword,
)

ROLES = ("company", "customer")
LONGEST_EMAIL = 255
LONGEST_NAME = 200
LONGEST_PASSWORD = 72
LARGEST_METADATA = 16_000


@dataclass(frozen=True, slots=True)
class Identity:
    """One way a person is known: by email here, by Google elsewhere."""

    id: UUID
    user_id: UUID
    provider: str
    provider_id: str
    identity_data: dict[str, Any]
    last_sign_in_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Factor:
    """A second proof, beside the password or whatever one signed in with."""

    id: UUID
    user_id: UUID
    friendly_name: str
    factor_type: str
    status: str
    phone: str | None
    created_at: datetime
    updated_at: datetime
    last_challenged_at: datetime | None

    @property
    def is_verified(self) -> bool:
        return self.status == "verified"


@dataclass(frozen=True, slots=True)
class Person:
    id: UUID
    email: str | None
    encrypted_password: str | None = field(repr=False)
    email_confirmed_at: datetime | None
    confirmation_sent_at: datetime | None
    last_sign_in_at: datetime | None
    app_metadata: dict[str, Any]
    user_metadata: dict[str, Any]
    banned_until: datetime | None
    created_at: datetime
    updated_at: datetime
    identities: tuple[Identity, ...] = ()
    factors: tuple[Factor, ...] = ()

    def is_banned(self, now: datetime) -> bool:
        return self.banned_until is not None and self.banned_until > now

    @property
    def has_second_factor(self) -> bool:
        return any(factor.is_verified for factor in self.factors)


@dataclass(frozen=True, slots=True)
class Session:
    id: UUID
    user_id: UUID
    aal: str
    amr: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RefreshToken:
    id: int
    token_sha256: bytes
    parent_id: int | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Caller:
    """From where a request came, for the audit log and the list of sessions."""

    ip: str | None
    user_agent: str | None


def email_address(given: str) -> str:
    """As it is stored and compared: lower-case. Whether mail reaches it is for a letter to find out."""
    if len(given) > LONGEST_EMAIL:
        raise EmailTooLong
    try:
        # Letters outside ASCII before the @ need mail servers that few people have.
        valid = validate_email(given, check_deliverability=False, allow_smtputf8=False, test_environment=True)
    except EmailNotValidError as invalid:
        raise EmailInvalid from invalid
    return valid.normalized.lower()


def chosen_role(data: Mapping[str, Any]) -> str:
    role = data.get("role")
    if role is None:
        return "company"
    if role not in ROLES:
        raise RoleUnknown
    return str(role)


def display_name(data: Mapping[str, Any], email: str) -> str:
    name = data.get("name")
    if name is None:
        return email.partition("@")[0]
    if not isinstance(name, str) or len(name.strip()) > LONGEST_NAME:
        raise NameInvalid(limit=LONGEST_NAME)
    return name.strip() or email.partition("@")[0]


def weakness(password: str, minimum_length: int) -> WeakPassword | None:
    if len(password) < minimum_length:
        return WeakPassword(f"Password should be at least {minimum_length} characters.", ["length"])
    return None


def accept_password(password: str, minimum_length: int) -> None:
    """A new password; an old one that no longer meets the rules still signs in."""
    if len(password.encode()) > LONGEST_PASSWORD:
        raise PasswordTooLong(limit=LONGEST_PASSWORD)
    weak = weakness(password, minimum_length)
    if weak is not None:
        raise weak


def accept_metadata(metadata: Mapping[str, Any]) -> None:
    """It travels in every access token, and a token has to fit into a request header."""
    if len(json.dumps(metadata)) > LARGEST_METADATA:
        raise MetadataInvalid(what=f"more than {LARGEST_METADATA} characters of JSON")


def may_return(token: RefreshToken, active: RefreshToken, now: datetime, reuse_interval: timedelta) -> bool:
    """Whether a used token may come back: its answer was lost, or a second tab used it at the same moment."""
    if active.parent_id == token.id:
        return True
    return token.revoked_at is not None and now - token.revoked_at <= reuse_interval
