"""Redeems a one-time token, which is either a code that the user typed or the token in a link.

If the address was never confirmed before, the token gives the account to the person who uses it (`hand_over`). Only the
token of a sign-up does not: that person has chosen the password, and the page behind the link asks for it. The page
also asks for it before a confirmed account moves to a new address, because anyone can request a stranger's address.
"""

from dataclasses import field, replace
from datetime import datetime
from typing import Literal

import asyncpg

from cairn.auth import limits, store
from cairn.auth.constant_time import in_constant_time
from cairn.auth.context import AuthContext
from cairn.auth.email_links.one_time_token import (
    PKCE_PREFIX,
    TEXT_MESSAGE_PURPOSES,
    Purpose,
    compute_token_hash,
    digest,
    is_fresh,
)
from cairn.auth.errors import EmailExists, LinkExpired, LinkPasswordWrong, OtpExpired, PhoneExists, UserBanned
from cairn.auth.hand_over import hand_over_to_mailed_person
from cairn.auth.model import Caller, Grant, OneTimeToken, User
from cairn.auth.sessions import open_session
from cairn.db import Connection
from cairn.kit import frozen_dataclass, now

# The type in a request says which tokens it may redeem. The first three types all confirm an email address.
PURPOSES_BY_TYPE: dict[str, tuple[Purpose, ...]] = {
    "signup": ("signup", "magiclink"),
    "magiclink": ("magiclink", "signup"),
    "email": ("magiclink", "signup", "invite", "recovery"),
    "invite": ("invite",),
    "recovery": ("recovery",),
    "email_change": ("email_change_new", "email_change_current"),
    "sms": ("sms", "phone_signup"),
    "phone_change": ("phone_change",),
}

PasswordCheck = Literal["passed", "forgotten", "skipped"]
"""The result of checking the password on the page behind a link.

`passed`: the password is right, or the client needs none. `forgotten`: the person does not know it. `skipped`: the page
had no field for it, because the account did not need one yet.
"""


@frozen_dataclass
class EnteredCode:
    """A code that the user typed, with the address to which it was sent."""

    kind: str
    address: str
    code: str = field(repr=False)


class HalfConfirmed:
    """The change still has to be confirmed from the other address."""

    message = "Confirmation link accepted. Please proceed to confirm link sent to the other email"


async def verify_code(context: AuthContext, code: EnteredCode, caller: Caller) -> Grant | HalfConfirmed:
    """Redeems the code. A wrong one is counted, so its error is raised after the transaction."""
    guess_limit = limits.guess_limit(context, code.address)
    await limits.enforce(context, guess_limit)
    async with in_constant_time():
        async with context.transaction() as conn:
            token = await _try_code(context, conn, code)
            if token is not None and is_fresh(token, now(), context.settings):
                await limits.refund(conn, guess_limit)
                return await _redeem_and_sign_in(context, conn, token, caller)
        raise OtpExpired


async def _try_code(context: AuthContext, conn: Connection, code: EnteredCode) -> OneTimeToken | None:
    user_ids = sorted(user.id for user in await _possible_users(conn, code))
    purposes = PURPOSES_BY_TYPE[code.kind]
    for user_id in user_ids:
        await store.lock_user(conn, user_id)
    hashes = [
        digest(compute_token_hash(context.settings, user_id, purpose, code.address, code.code))
        for user_id in user_ids
        for purpose in purposes
    ]
    return await store.try_code(conn, user_ids, purposes, hashes)


async def verify_hash(
    context: AuthContext, kind: str, token_hash: str, caller: Caller, *, check: PasswordCheck = "passed"
) -> Grant | HalfConfirmed:
    """Redeems the token of a link. `check` is the result of checking the password on its page."""
    async with context.transaction() as conn:
        token = await find_valid_token(context, conn, kind, token_hash, lock=True)
        return await _redeem_and_sign_in(context, conn, token, caller, check=check)


async def verify_pkce_link(
    context: AuthContext, kind: str, token_hash: str, caller: Caller, *, check: PasswordCheck
) -> str | HalfConfirmed:
    """Returns a code that only the browser that requested the link can exchange for a session."""
    async with context.transaction() as conn:
        token = await find_valid_token(context, conn, kind, token_hash, lock=True)
        if token.flow_id is None:
            raise LinkExpired
        user = await redeem(conn, token, caller, now(), check=check)
        if user is None:
            return HalfConfirmed()
        await store.add_audit_entry(conn, "user_confirmed", user.id, caller, method=token.purpose)
        return str(await store.issue_code(conn, token.flow_id, now()))


async def find_valid_token(
    context: AuthContext, conn: Connection, kind: str, token_hash: str, *, lock: bool = False
) -> OneTimeToken:
    """Returns the token, or raises an error if it cannot be used. `lock` reserves it for this transaction."""
    token = await store.one_time_token(conn, digest(token_hash), lock=lock)
    if token is None or token.purpose not in PURPOSES_BY_TYPE[kind] or not is_fresh(token, now(), context.settings):
        raise LinkExpired
    return token


def is_pkce(token_hash: str) -> bool:
    return token_hash.startswith(PKCE_PREFIX)


async def redeem(
    conn: Connection, token: OneTimeToken, caller: Caller, now: datetime, *, check: PasswordCheck
) -> User | None:
    """Uses the token: confirms or changes an address, and hands over an account that no one had confirmed.

    If the check was skipped, the account must not have been confirmed since: then its password is needed after all.
    Returns None if the change of address must also be confirmed from the other address.
    """
    user = await store.user_by_id(conn, token.user_id)
    if user is None or token.sent_to != _address_of(user, token.purpose):
        raise LinkExpired
    if user.is_banned(now):
        raise UserBanned
    if token.purpose == "email_change_new":
        newest_user = await store.newest_user_changing_to(conn, token.sent_to)
        if newest_user is None or newest_user.id != user.id:
            raise LinkExpired
    if check == "skipped" and needs_password(user, token.purpose):
        raise LinkPasswordWrong
    await store.remove_one_time_token(conn, user.id, token.purpose)
    is_change = token.purpose.startswith("email_change")
    if is_change and await store.confirm_email_change(conn, user.id, token.purpose):
        return None
    kind = _kind_of(token.purpose)
    try:
        forgets_password = check == "forgotten" and needs_password(user, token.purpose)
        if forgets_password or proves_unproven_account(user, token.purpose):
            await hand_over_to_mailed_person(
                conn,
                user,
                kind,
                (user.new_email or "") if is_change else token.sent_to,
                purpose=token.purpose,
                kept_flow_id=token.flow_id,
                caller=caller,
                now=now,
            )
        elif is_change or token.purpose == "phone_change":
            new_address = user.new_email if is_change else user.new_phone
            await store.change_address(conn, user.id, kind, new_address or "", now, confirmed=True)
        else:
            await store.confirm_address(conn, user.id, kind, now)
    except asyncpg.UniqueViolationError as error:
        # Another user signed up with the address before this email was opened.
        raise (EmailExists if kind == "email" else PhoneExists) from error
    return await store.user_by_id(conn, user.id)


def needs_password(user: User, purpose: str) -> bool:
    """Says whether the page behind the link asks for the password of the account."""
    if purpose == "email_change_new":
        return user.email_confirmed_at is not None
    return purpose == "signup" and user.email_confirmed_at is None and user.encrypted_password is not None


def proves_unproven_account(user: User, purpose: str) -> bool:
    """Says whether this token is the first proof of the account's address, by someone who may not have made it."""
    if purpose in ("phone_signup", "phone_change"):
        return False
    if purpose == "sms":
        return user.phone_confirmed_at is None and user.email_confirmed_at is None
    return user.email_confirmed_at is None and not needs_password(user, purpose)


def _kind_of(purpose: str) -> store.AddressKind:
    return "phone" if purpose in TEXT_MESSAGE_PURPOSES else "email"


def _address_of(user: User, purpose: str) -> str | None:
    """Returns the address that must have received the token. It may have changed since the token was sent."""
    if purpose in ("phone_signup", "sms"):
        return user.phone
    addresses = {"email_change_new": user.new_email, "phone_change": user.new_phone}
    return addresses.get(purpose, user.email)


async def _possible_users(conn: Connection, code: EnteredCode) -> list[User]:
    """Returns every user to whom the code may have been sent."""
    users = []
    if code.kind != "phone_change":
        find_user = store.user_by_phone if code.kind == "sms" else store.user_by_email
        users.append(await find_user(conn, code.address))
    if code.kind in ("email_change", "phone_change"):
        users.append(await store.newest_user_changing_to(conn, code.address))
    return [user for user in users if user is not None]


async def _redeem_and_sign_in(
    context: AuthContext,
    conn: Connection,
    token: OneTimeToken,
    caller: Caller,
    *,
    check: PasswordCheck = "passed",
) -> Grant | HalfConfirmed:
    moment = now()
    user = await redeem(conn, token, caller, moment, check=check)
    if user is None:
        return HalfConfirmed()
    await store.record_sign_in(conn, user.id, _kind_of(token.purpose), caller, moment, method=token.purpose)
    user = replace(user, last_sign_in_at=moment)
    return await open_session(context, conn, user, method="otp", caller=caller, now=moment)
