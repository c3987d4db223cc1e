"""Issues the two tokens of a session: a short-lived access token, and the refresh token that renews it.

Refresh tokens form a chain. The first is random. Each successor is an HMAC of its parent's hash under the server's
secret. The table contains only hashes, so a stolen table is useless. A client may send a token again that was already
replaced, because the response was lost or because two tabs refreshed at the same time. The server then computes the
active successor and returns it.
"""

import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Any

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.model import Caller, Grant, Session, User
from cairn.db import Connection


async def open_session(
    context: AuthContext,
    conn: Connection,
    user: User,
    *,
    method: str,
    caller: Caller,
    now: datetime,
    provider: str | None = None,
    mailed_to: str | None = None,
) -> Grant:
    """`mailed_to` is the address that received the link or code that opens the session."""
    amr: list[dict[str, Any]] = [{"method": method, "timestamp": int(now.timestamp())}]
    if provider is not None:
        amr[0]["provider"] = provider
    refresh_token = secrets.token_urlsafe(32)
    session = await store.add_session(
        conn,
        user.id,
        amr,
        caller,
        digest(refresh_token),
        mailed_to=mailed_to,
        max_sessions=context.settings.sessions_per_account,
    )
    return issue_tokens(context, user, session, refresh_token, now)


def issue_tokens(context: AuthContext, user: User, session: Session, refresh_token: str, now: datetime) -> Grant:
    lifetime_seconds = int(context.settings.access_token_lifetime.total_seconds())
    return Grant(
        access_token=context.keyring.access_token(_claims(user, session), now),
        refresh_token=refresh_token,
        expires_in=lifetime_seconds,
        expires_at=int(now.timestamp()) + lifetime_seconds,
        user=user,
    )


def _claims(user: User, session: Session) -> dict[str, object]:
    return {
        "sub": str(user.id),
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": user.app_metadata,
        "user_metadata": user.user_metadata,
        "aal": session.aal,
        "amr": session.amr,
        "session_id": str(session.id),
        "is_anonymous": user.is_anonymous,
    }


def successor(context: AuthContext, token_sha256: bytes) -> str:
    """Returns the refresh token that follows the one with this hash."""
    secret = context.settings.jwt_secret.get_secret_value().encode()
    return hmac.new(secret, b"refresh token after " + token_sha256, sha256).hexdigest()


def digest(token: str) -> bytes:
    return sha256(token.encode()).digest()
