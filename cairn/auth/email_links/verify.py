"""Redeems a one-time token: a code that was typed, or the token of a link that was opened."""

from dataclasses import dataclass, field, replace
from datetime import datetime

import asyncpg

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.one_time_token import PKCE_PREFIX, Purpose, digest, is_fresh, token_hash
from cairn.auth.errors import EmailExists, LinkExpired, OtpExpired, PhoneExists, UserBanned
from cairn.auth.model import Caller, Grant, OneTimeToken, User
from cairn.auth.sessions import open_session
from cairn.db import Connection
from cairn.kit import now

# The purposes that each type of a request may redeem. The first three all confirm an address.
TYPES: dict[str, tuple[Purpose, ...]] = {
    "signup": ("signup", "magiclink"),
    "magiclink": ("magiclink", "signup"),
    "email": ("magiclink", "signup", "invite", "recovery"),
    "invite": ("invite",),
    "recovery": ("recovery",),
    "email_change": ("email_change_new", "email_change_current"),
    "sms": ("sms",),
    "phone_change": ("phone_change",),
}


@dataclass(frozen=True, slots=True)
class TypedCode:
    """A code with the address to which it was sent."""

    kind: str
    address: str
    code: str = field(repr=False)


class HalfConfirmed:
    """The change still has to be confirmed from the other address."""

    message = "Confirmation link accepted. Please proceed to confirm link sent to the other email"


async def verify_code(context: AuthContext, code: TypedCode, caller: Caller) -> Grant | HalfConfirmed:
    guess_limit = limits.guess_limit(context, code.address)
    await limits.enforce(context, guess_limit)
    async with context.transaction() as conn:
        users = await _candidates(conn, code)
        hashes = [
            digest(token_hash(context.settings, user.id, purpose, code.address, code.code))
            for user in users
            for purpose in TYPES[code.kind]
        ]
        token = await store.one_time_token(conn, hashes, take=True)
        if token is None or not is_fresh(token, now(), context.settings):
            raise OtpExpired
        await limits.refund(conn, guess_limit)
        return await _redeem_and_sign_in(context, conn, token, caller)


async def verify_hash(context: AuthContext, kind: str, hashed_token: str, caller: Caller) -> Grant | HalfConfirmed:
    async with context.transaction() as conn:
        token = await find_valid_token(context, conn, kind, hashed_token, take=True)
        return await _redeem_and_sign_in(context, conn, token, caller)


async def verify_pkce_link(context: AuthContext, kind: str, hashed_token: str, caller: Caller) -> str | HalfConfirmed:
    """Returns a code that only the browser that requested the link can exchange for a session."""
    async with context.transaction() as conn:
        token = await find_valid_token(context, conn, kind, hashed_token, take=True)
        if token.flow_id is None:
            raise LinkExpired
        user = await redeem(conn, token, now())
        if user is None:
            return HalfConfirmed()
        await store.add_audit_entry(conn, "user_confirmed", user.id, caller, method=token.purpose)
        return str(await store.issue_code(conn, token.flow_id, now()))


async def find_valid_token(
    context: AuthContext, conn: Connection, kind: str, hashed_token: str, *, take: bool = False
) -> OneTimeToken:
    """`take` locks the token in order to use it; without it the token is only read."""
    token = await store.one_time_token(conn, [digest(hashed_token)], take=take)
    if token is None or token.purpose not in TYPES[kind] or not is_fresh(token, now(), context.settings):
        raise LinkExpired
    return token


def is_pkce(hashed_token: str) -> bool:
    return hashed_token.startswith(PKCE_PREFIX)


async def redeem(conn: Connection, token: OneTimeToken, now: datetime) -> User | None:
    """Uses the token and applies its purpose; returns None if a second confirmation is still needed."""
    user = await store.user_by_id(conn, token.user_id)
    if user is None or token.sent_to != _address_of(user, token.purpose):
        raise LinkExpired
    if user.is_banned(now):
        raise UserBanned
    await store.remove_one_time_token(conn, user.id, token.purpose)
    if token.purpose.startswith("email_change"):
        if await store.confirm_email_change(conn, user.id, token.purpose):
            return None
        await _apply_change(conn, user, now, to_phone=False)
    elif token.purpose == "phone_change":
        await _apply_change(conn, user, now, to_phone=True)
    elif token.purpose == "sms":
        await store.confirm_phone(conn, user.id, now)
    else:
        await store.confirm_email(conn, user.id, now)
    return await store.user_by_id(conn, user.id)


def _address_of(user: User, purpose: str) -> str | None:
    """The address to which a token of this purpose must have been sent, because the address may have changed since."""
    addresses = {"email_change_new": user.new_email, "phone_change": user.new_phone, "sms": user.phone}
    return addresses.get(purpose, user.email)


async def _apply_change(conn: Connection, user: User, now: datetime, *, to_phone: bool) -> None:
    try:
        if to_phone:
            await store.change_phone(conn, user.id, user.new_phone or "", now, confirmed=True)
        else:
            await store.change_email(conn, user.id, user.new_email or "", now, confirmed=True)
    except asyncpg.UniqueViolationError as taken:
        # Another user signed up with the address before this email was opened.
        raise (PhoneExists if to_phone else EmailExists) from taken


async def _candidates(conn: Connection, code: TypedCode) -> list[User]:
    if code.kind == "phone_change":
        return await store.users_changing_to(conn, code.address)
    by_phone = code.kind == "sms"
    holder = await (store.user_by_phone if by_phone else store.user_by_email)(conn, code.address)
    others = await store.users_changing_to(conn, code.address) if code.kind == "email_change" else []
    return [*([holder] if holder else []), *others]


async def _redeem_and_sign_in(
    context: AuthContext, conn: Connection, token: OneTimeToken, caller: Caller
) -> Grant | HalfConfirmed:
    moment = now()
    user = await redeem(conn, token, moment)
    if user is None:
        return HalfConfirmed()
    provider = "phone" if token.purpose in ("sms", "phone_change") else "email"
    await store.record_sign_in(conn, user.id, provider, caller, moment, method=token.purpose)
    user = replace(user, last_sign_in_at=moment)
    return await open_session(context, conn, user, method="otp", caller=caller, now=moment)
