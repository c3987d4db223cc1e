"""Issues one-time tokens. A token is a short code to type, and also a link that cannot be guessed.

The link contains an HMAC of the code under the server's secret. A plain hash would not be enough, because all million
codes can be tried against it in a second. The table contains a hash of that HMAC, so a stolen table is useless.
"""

import hmac
import secrets
from dataclasses import field
from datetime import datetime, timedelta
from hashlib import sha224, sha256
from typing import Literal
from urllib.parse import quote, urlencode
from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.model import EmailLinkRequest, OneTimeToken, User
from cairn.auth.settings import AuthSettings
from cairn.db import Connection
from cairn.kit import frozen_dataclass, now
from cairn.limits import network_of

Purpose = Literal[
    "signup",
    "invite",
    "magiclink",
    "recovery",
    "email_change_current",
    "email_change_new",
    "phone_signup",
    "sms",
    "phone_change",
    "reauthentication",
]
# Only the newest code of each group can be used.
CODE_GROUPS: tuple[tuple[Purpose, ...], ...] = (("signup", "invite", "magiclink", "recovery"), ("phone_signup", "sms"))
TEXT_MESSAGE_PURPOSES = ("phone_signup", "sms", "phone_change")
PKCE_PREFIX = "pkce_"


@frozen_dataclass
class IssuedToken:
    code: str = field(repr=False)
    token_hash: str = field(repr=False)


async def issue_token(
    context: AuthContext, conn: Connection, user: User, purpose: Purpose, *, to: str, link_request: EmailLinkRequest
) -> IssuedToken:
    length = context.settings.sms_otp_length if purpose in TEXT_MESSAGE_PURPOSES else context.settings.mailer_otp_length
    code = "".join(str(secrets.randbelow(10)) for _ in range(length))
    token_hash = compute_token_hash(context.settings, user.id, purpose, to, code)
    flow_id = None
    if link_request.challenge is not None:
        flow_id = await store.add_email_flow(
            conn,
            link_request.challenge,
            user_id=user.id,
            provider="email",
            authentication_method=purpose,
            referrer=link_request.redirect_to,
        )
    token = OneTimeToken(user.id, purpose, stored_hash(token_hash), to, flow_id, now())
    await store.lock_user(conn, user.id)
    network = network_of(link_request.caller.ip)
    await store.replace_one_time_token(conn, token, network, voided_purposes=_voided_purposes(purpose))
    return IssuedToken(code, f"{PKCE_PREFIX if flow_id else ''}{token_hash}")


def _voided_purposes(purpose: Purpose) -> list[Purpose]:
    """Returns the other purposes of the group. A new code voids their codes."""
    for group in CODE_GROUPS:
        if purpose in group:
            return [other for other in group if other != purpose]
    return []


def compute_token_hash(settings: AuthSettings, user_id: UUID, purpose: str, address: str, code: str) -> str:
    """Returns the HMAC of the code, which is the token in the link."""
    message = f"{purpose} {user_id} {address} {code}".encode()
    return hmac.new(settings.jwt_secret.get_secret_value().encode(), message, sha224).hexdigest()


def stored_hash(token_hash: str) -> bytes:
    """Returns the hash under which the table contains the token of a link."""
    return sha256(token_hash.removeprefix(PKCE_PREFIX).encode()).digest()


def is_fresh(token: OneTimeToken, now: datetime, settings: AuthSettings) -> bool:
    return now - token.created_at < token_lifetime(token.purpose, settings)


def token_lifetime(purpose: str, settings: AuthSettings) -> timedelta:
    return settings.sms_otp_exp if purpose in TEXT_MESSAGE_PURPOSES else settings.mailer_otp_exp


def build_link(settings: AuthSettings, purpose: Purpose, token_hash: str, redirect_to: str) -> str:
    """Writes `token` as the first parameter, because clients look for it there."""
    kind = "email_change" if purpose.startswith("email_change") else purpose
    query = urlencode({"token": token_hash, "type": kind, "redirect_to": redirect_to}, quote_via=quote)
    return f"{settings.issuer}/verify?{query}"
