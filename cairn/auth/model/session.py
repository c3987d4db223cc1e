from dataclasses import field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from cairn.auth.errors import WeakPassword
from cairn.auth.model.user import User
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Session:
    id: UUID
    user_id: UUID
    # The assurance level and the authentication methods, as in the claims `aal` and `amr` of an access token.
    aal: str
    amr: list[dict[str, Any]]
    created_at: datetime
    refreshed_at: datetime | None


@frozen_dataclass
class RefreshToken:
    id: int
    token_sha256: bytes
    parent_id: int | None
    revoked_at: datetime | None


def is_reuse_allowed(token: RefreshToken, active_token: RefreshToken, now: datetime, reuse_interval: timedelta) -> bool:
    """Returns whether a client may use a token again that was already replaced.

    Clients do that if the response was lost, or if a second tab used the same token at the same time.
    """
    if active_token.parent_id == token.id:
        return True
    return token.revoked_at is not None and now - token.revoked_at <= reuse_interval


@frozen_dataclass
class Grant:
    """The tokens of a session and their user, as the client gets them."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    expires_in: int
    expires_at: int
    user: User
    # This is set when the user signed in with a password that is too weak for a new account.
    weak_password: WeakPassword | None = None
    provider_token: str | None = field(default=None, repr=False)
    provider_refresh_token: str | None = field(default=None, repr=False)
