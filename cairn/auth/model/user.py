from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.auth.model.factor import SecondFactor
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Identity:
    """One way in which a user signs in: by email, by phone, or with a provider."""

    id: UUID
    user_id: UUID
    provider: str
    provider_id: str
    identity_data: dict[str, Any]
    last_sign_in_at: datetime | None
    created_at: datetime
    updated_at: datetime


@frozen_dataclass
class Factor(SecondFactor):
    """A second factor without its secret."""

    friendly_name: str
    created_at: datetime
    updated_at: datetime
    last_challenged_at: datetime | None


@frozen_dataclass
class User:
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
    # The kinds of confirmation links that are still unused. When none is left, the address changes to `new_email`.
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


@frozen_dataclass
class Caller:
    """The origin of a request, which the audit log and the list of sessions show."""

    ip: str | None
    user_agent: str | None
