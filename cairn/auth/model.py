"""People, sessions, and the rules about them. No clock, no randomness, no database."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import phonenumbers
from email_validator import EmailNotValidError, validate_email

from cairn.auth.errors import (
    EmailInvalid,
    EmailTooLong,
    MetadataInvalid,
    NameInvalid,
    RoleUnknown,
)
from cairn.auth.errors_by_mail import AdminInputInvalid, PhoneInvalid

ROLES = ("company", "customer")
LONGEST_EMAIL = 255
LONGEST_NAME = 200
LARGEST_METADATA = 16_000
LONGEST_BAN_SECONDS = 100 * 365 * 86_400.0
DURATION_PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s|m|h)")
DURATION_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


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
    phone: str | None = None
    phone_confirmed_at: datetime | None = None
    invited_at: datetime | None = None
    recovery_sent_at: datetime | None = None
    new_email: str | None = None
    email_change_sent_at: datetime | None = None
    email_change_awaits: Sequence[str] = ()
    new_phone: str | None = None
    phone_change_sent_at: datetime | None = None
    reauthentication_sent_at: datetime | None = None
    is_anonymous: bool = False
    deleted_at: datetime | None = None
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
    created_at: datetime
    refreshed_at: datetime | None


@dataclass(frozen=True, slots=True)
class RefreshToken:
    id: int
    token_sha256: bytes
    parent_id: int | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class OneTimeToken:
    user_id: UUID
    purpose: str
    token_sha256: bytes = field(repr=False)
    sent_to: str
    flow_id: UUID | None
    created_at: datetime


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


def known_as(email: str) -> str:
    """The address an account with this email would have. Checking a plain one costs more than not finding it."""
    return email.lower() if email.isascii() and email.isprintable() else email_address(email)


def phone_number(given: str) -> str:
    """As it is stored and compared: digits only, country first."""
    digits = "".join(given.split()).removeprefix("+")
    try:
        number = phonenumbers.parse(f"+{digits}") if digits.isascii() and digits.isdigit() else None
    except phonenumbers.NumberParseException as invalid:
        raise PhoneInvalid from invalid
    if number is None or not phonenumbers.is_possible_number(number):
        raise PhoneInvalid
    return digits


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


def ban_until(duration: str, now: datetime) -> datetime | None:
    """From a duration such as `24h` or `1h30m`; `none` lifts the ban."""
    if duration == "none":
        return None
    parts = DURATION_PART.findall(duration)
    if not parts or "".join(number + unit for number, unit in parts) != duration:
        raise AdminInputInvalid(reason="invalid format for ban duration: a number with a unit such as 24h, or none")
    seconds = sum(float(number) * DURATION_SECONDS[unit] for number, unit in parts)
    return now + timedelta(seconds=min(seconds, LONGEST_BAN_SECONDS))


def accept_metadata(metadata: Mapping[str, Any]) -> None:
    """It travels in every access token, and a token has to fit into a request header."""
    if len(json.dumps(metadata)) > LARGEST_METADATA:
        raise MetadataInvalid(what=f"more than {LARGEST_METADATA} characters of JSON")


def may_return(token: RefreshToken, active: RefreshToken, now: datetime, reuse_interval: timedelta) -> bool:
    """Whether a used token may come back: its answer was lost, or a second tab used it at the same moment."""
    if active.parent_id == token.id:
        return True
    return token.revoked_at is not None and now - token.revoked_at <= reuse_interval
