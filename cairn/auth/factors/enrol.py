import io
from dataclasses import dataclass, field
from typing import cast
from uuid import UUID

import pyotp
import segno

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    EnrolNeedsAal2,
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
from cairn.auth.model import UNVERIFIED_FACTOR_LIFETIME, Caller, FactorKind, phone_number, signed_in_since
from cairn.auth.sessions import SignedIn, signed_in
from cairn.db import Connection, Principal
from cairn.kit import now

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Wish:
    """A factor somebody would like to have."""

    kind: str
    name: str = ""
    issuer: str = ""
    phone: str = ""


@dataclass(frozen=True, slots=True)
class Enrolled:
    id: UUID
    kind: FactorKind
    name: str
    phone: str | None = None
    # For an authenticator app, shown this once.
    secret: str | None = field(default=None, repr=False)
    uri: str | None = field(default=None, repr=False)

    @property
    def qr_code(self) -> str:
        """Without `#` in its colours: clients put it unescaped into a data URL, where that would end the picture."""
        drawing = io.BytesIO()
        segno.make(self.uri or "", error="m").save(drawing, kind="svg", xmldecl=False, scale=4, border=4, light=None)
        return drawing.getvalue().decode().replace('"#000"', '"black"')


async def enrol(context: AuthContext, principal: Principal, wish: Wish, caller: Caller) -> Enrolled:
    """It counts only once it was proven; until then it neither protects nor hinders anybody."""
    kind = _offered(context, wish.kind)
    phone = phone_number(wish.phone) if kind == "phone" else None
    secret = pyotp.random_base32() if kind == "totp" else None
    if len(wish.name) > LONGEST_NAME:
        raise FactorNameTooLong(limit=LONGEST_NAME)
    async with context.transaction() as conn:
        known = await _entitled(context, conn, principal)
        sealed = secret and context.secret_box("factor secrets").encrypt(secret)
        factor_id = await store.add_factor(conn, known.person.id, name=wish.name, kind=kind, secret=sealed, phone=phone)
        if factor_id is None:
            raise FactorNameTaken(name=wish.name)
        await store.add_audit_entry(conn, "factor_in_progress", known.person.id, caller, factor_type=kind)
    account = known.person.email or str(known.person.id)
    uri = secret and pyotp.TOTP(secret).provisioning_uri(account, issuer_name=wish.issuer or context.settings.host)
    return Enrolled(factor_id, kind, wish.name, phone, secret, uri)


def _offered(context: AuthContext, kind: str) -> FactorKind:
    mfa = context.settings.mfa
    if kind not in ("totp", "phone", "webauthn"):
        raise FactorTypeUnknown
    if kind == "totp" and not mfa.totp:
        raise TotpDisabled
    if kind == "webauthn" and not mfa.webauthn:
        raise WebauthnDisabled
    if kind == "phone" and (not mfa.phone or context.texts is None):
        raise PhoneFactorDisabled
    return cast("FactorKind", kind)


async def _entitled(context: AuthContext, conn: Connection, principal: Principal) -> SignedIn:
    """A stolen session must not become a fortress of the thief's."""
    known = await signed_in(conn, principal)
    if known.session is None:
        raise SessionRequired
    await store.lock_names(conn, f"factors {known.person.id}")
    await store.remove_unfinished_factors(conn, known.person.id, older_than=UNVERIFIED_FACTOR_LIFETIME)
    known = await signed_in(conn, principal)
    assert known.session is not None
    if known.person.has_second_factor and known.session.aal != "aal2":
        raise EnrolNeedsAal2
    if not signed_in_since(known.session, now() - context.settings.mfa.recent_sign_in):
        raise EnrolNeedsRecentSignIn
    if len(known.person.factors) >= context.settings.mfa.max_factors:
        raise TooManyFactors
    return known
