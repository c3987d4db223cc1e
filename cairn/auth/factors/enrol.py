import io
from dataclasses import field
from typing import cast
from urllib.parse import quote
from uuid import UUID

import pyotp
import segno

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    EnrolNeedsAal2,
    EnrolNeedsConfirmedEmail,
    EnrolNeedsRecentSignIn,
    FactorNameTaken,
    FactorNameTooLong,
    FactorTypeUnknown,
    PhoneFactorDisabled,
    SessionRequired,
    TooManyFactors,
    TotpDisabled,
    WebauthnDisabled,
)
from cairn.auth.model import UNVERIFIED_FACTOR_RETENTION, Caller, FactorKind, phone_number, signed_in_since
from cairn.auth.sessions import CurrentUser, current_user
from cairn.db import Connection, Principal
from cairn.kit import frozen_dataclass, now

MAX_NAME_LENGTH = 200
# The maximum length of the encoded address in the QR code. A longer one is replaced by the id of the user.
MAX_ACCOUNT_LENGTH = 400


@frozen_dataclass
class EnrolmentRequest:
    kind: str
    name: str = ""
    issuer: str = ""
    phone: str = ""


@frozen_dataclass
class EnrolledFactor:
    id: UUID
    kind: FactorKind
    name: str
    phone: str | None = None
    # These two are set only for an authenticator app. The user sees them only once.
    secret: str | None = field(default=None, repr=False)
    uri: str | None = field(default=None, repr=False)

    @property
    def qr_code(self) -> str:
        """Returns an SVG without the character `#`, because clients put it unescaped into a data URL."""
        svg = io.BytesIO()
        # Every mask is readable, and comparing all eight of them takes five times as long as using one.
        code = segno.make_qr(self.uri or "", error="m", mask=3)
        code.save(svg, kind="svg", xmldecl=False, scale=4, border=4, light=None)
        return svg.getvalue().decode().replace('"#000"', '"black"')


async def enrol(
    context: AuthContext, principal: Principal, request: EnrolmentRequest, caller: Caller
) -> EnrolledFactor:
    """Adds a factor that has no effect until the user has verified it."""
    kind = _check_enabled(context, request.kind)
    phone = phone_number(request.phone) if kind == "phone" else None
    secret = pyotp.random_base32() if kind == "totp" else None
    if len(request.name) > MAX_NAME_LENGTH:
        raise FactorNameTooLong(limit=MAX_NAME_LENGTH)
    async with context.transaction() as conn:
        current = await _check_may_enrol(context, conn, principal)
        encrypted_secret = secret and context.secret_box("factor secrets").encrypt(secret)
        factor_id = await store.add_factor(
            conn, current.user.id, name=request.name, kind=kind, secret=encrypted_secret, phone=phone
        )
        if factor_id is None:
            raise FactorNameTaken(name=request.name)
        await store.add_audit_entry(conn, "factor_in_progress", current.user.id, caller, factor_type=kind)
    account = current.user.email or ""
    if not 0 < len(quote(account)) <= MAX_ACCOUNT_LENGTH:
        account = str(current.user.id)
    uri = secret and pyotp.TOTP(secret).provisioning_uri(account, issuer_name=request.issuer or context.settings.host)
    return EnrolledFactor(factor_id, kind, request.name, phone, secret, uri)


def _check_enabled(context: AuthContext, kind: str) -> FactorKind:
    mfa = context.settings.mfa
    if kind not in ("totp", "phone", "webauthn"):
        raise FactorTypeUnknown
    if kind == "totp" and not mfa.totp:
        raise TotpDisabled
    if kind == "webauthn" and not mfa.webauthn:
        raise WebauthnDisabled
    if kind == "phone" and (not mfa.phone or context.text_sender is None):
        raise PhoneFactorDisabled
    return cast("FactorKind", kind)


async def _check_may_enrol(context: AuthContext, conn: Connection, principal: Principal) -> CurrentUser:
    """Requires a recent sign-in. Otherwise the thief of a session could add a factor and lock the owner out.

    For the same reason the address must be confirmed: the account may have been made with a stranger's address.
    """
    current = await current_user(conn, principal)
    if current.session is None:
        raise SessionRequired
    await store.lock_names(conn, f"factors {current.user.id}")
    await store.remove_unverified_factors(conn, current.user.id, older_than=UNVERIFIED_FACTOR_RETENTION)
    # The user is read again, because the number of their factors may have changed.
    current = await current_user(conn, principal)
    assert current.session is not None
    if current.user.has_second_factor and current.session.aal != "aal2":
        raise EnrolNeedsAal2
    if context.sends_email and current.user.email and current.user.email_confirmed_at is None:
        raise EnrolNeedsConfirmedEmail
    if not signed_in_since(current.session, now() - context.settings.mfa.recent_sign_in):
        raise EnrolNeedsRecentSignIn
    if len(current.user.factors) >= context.settings.mfa.max_factors:
        raise TooManyFactors
    return current
