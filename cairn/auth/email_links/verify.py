"""Redeems a one-time token, which is either a code that the user typed or the token in a link.

If the address was never confirmed before, the token gives the account to the person who uses it (`hand_over`). The
token of a sign-up is the exception: the page behind its link asks for the password of the account, which only the
person who signed up knows. The page also asks for the password before a confirmed account moves to a new address,
because anyone can request a change to a stranger's address. If a client redeems that token itself, without the page,
then later sign-ins with the password do not prove the new address.
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
    is_fresh,
    stored_hash,
)
from cairn.auth.errors import EmailExists, LinkExpired, LinkPasswordWrong, OtpExpired, PhoneExists, UserBanned
from cairn.auth.hand_over import hand_over_to_mailed_person
from cairn.auth.model import Caller, Grant, OneTimeToken, User
from cairn.auth.sessions import open_session
from cairn.db import Connection
from cairn.kit import frozen_dataclass, now

# The type in a request says which tokens it may redeem.
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

PasswordCheck = Literal["passed", "forgotten", "not needed", "without page"]
"""The result of checking the password on the page behind a link.

`passed`: the password is right. `forgotten`: the user does not know the password and chooses a new one. `not needed`:
the page had no field for a password, because the link needed none. `without page`: a client redeems the token itself,
without the page.
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
    """Redeems the code.

    A wrong code is counted. Its error is raised after the transaction, because a rollback would undo the count.
    """
    guess_limit = await limits.code_guess_limit(context, code.kind, code.address, caller)
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
        stored_hash(compute_token_hash(context.settings, user_id, purpose, code.address, code.code))
        for user_id in user_ids
        for purpose in purposes
    ]
    return await store.try_code(conn, user_ids, purposes, hashes)


async def verify_hash(
    context: AuthContext, kind: str, token_hash: str, caller: Caller, *, check: PasswordCheck = "without page"
) -> Grant | HalfConfirmed:
    """Redeems the token of a link. `check` is the result of the check on the page behind that link."""
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
    token = await store.one_time_token(conn, stored_hash(token_hash), lock=lock)
    if token is None or token.purpose not in PURPOSES_BY_TYPE[kind] or not is_fresh(token, now(), context.settings):
        raise LinkExpired
    return token


def is_pkce(token_hash: str) -> bool:
    return token_hash.startswith(PKCE_PREFIX)


async def redeem(
    conn: Connection, token: OneTimeToken, caller: Caller, now: datetime, *, check: PasswordCheck
) -> User | None:
    """Uses the token: confirms or changes an address, and hands over an account whose address no one had confirmed.

    Returns None if the change of address must also be confirmed from the other address.
    """
    user = await _user_of(conn, token, now, check=check)
    await store.remove_used_token(conn, token)
    is_change = token.purpose.startswith("email_change")
    if token.purpose == "email_change_new":
        token_only = check == "without page" and needs_password(user, token.purpose)
        await store.record_email_proof(conn, user.id, token.sent_to, token_only=token_only)
    if is_change and await store.confirm_email_change(conn, user.id, token.purpose):
        return None
    kind = _address_kind(token.purpose)
    try:
        forgot_password = check == "forgotten" and needs_password(user, token.purpose)
        if forgot_password or hands_over_account(user, token.purpose):
            proven_address = (user.new_email or "") if is_change else token.sent_to
            await hand_over_to_mailed_person(
                conn,
                user,
                kind,
                proven_address,
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


async def _user_of(conn: Connection, token: OneTimeToken, now: datetime, *, check: PasswordCheck) -> User:
    """Returns the user of the token, or raises an error if the token cannot be used any more.

    This is also the case if the page did not ask for a password, but the account was confirmed in the meantime and the
    link therefore needs one.
    """
    user = await store.user_by_id(conn, token.user_id)
    if user is None or token.sent_to != _address_of(user, token.purpose):
        raise LinkExpired
    if user.is_banned(now):
        raise UserBanned
    if check == "not needed" and needs_password(user, token.purpose):
        raise LinkPasswordWrong
    return user


def needs_password(user: User, purpose: str) -> bool:
    """Says whether the page behind the link asks for the password of the account."""
    if purpose == "email_change_new":
        return user.email_confirmed_at is not None
    return purpose == "signup" and user.email_confirmed_at is None and user.encrypted_password is not None


def hands_over_account(user: User, purpose: str) -> bool:
    """Says whether the account is given to the person who uses this token.

    This is so if the token is the first proof of the account's address and does not need the password of the account:
    the person who uses the token may then be someone other than the person who created the account.
    """
    if purpose in ("phone_signup", "phone_change"):
        return False
    if purpose == "sms":
        return user.phone_confirmed_at is None and user.email_confirmed_at is None
    return user.email_confirmed_at is None and not needs_password(user, purpose)


def _address_kind(purpose: str) -> store.AddressKind:
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
    check: PasswordCheck = "without page",
) -> Grant | HalfConfirmed:
    moment = now()
    user = await redeem(conn, token, caller, moment, check=check)
    if user is None:
        return HalfConfirmed()
    await store.record_sign_in(conn, user.id, _address_kind(token.purpose), caller, moment, method=token.purpose)
    user = replace(user, last_sign_in_at=moment)
    mailed_to = token.sent_to if _address_kind(token.purpose) == "email" else None
    return await open_session(context, conn, user, method="otp", caller=caller, now=moment, mailed_to=mailed_to)
