from collections.abc import Mapping
from dataclasses import field
from datetime import timedelta
from typing import Any

import asyncpg

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links import (
    check_address_change,
    request_email_change,
    request_phone_change,
    send_password_notice,
    use_nonce,
)
from cairn.auth.errors import (
    AnonymousPasswordChange,
    ChangeNeedsAal2,
    EmailExists,
    InvalidCredentials,
    PhoneExists,
    ReauthenticationNeeded,
    SamePassword,
)
from cairn.auth.model import (
    Caller,
    EmailLinkRequest,
    User,
    check_metadata_size,
    email_address,
    phone_number,
    signed_in_since,
)
from cairn.auth.password_strength import check_new_password
from cairn.auth.sessions import CurrentUser, current_user
from cairn.db import Principal
from cairn.kit import frozen_dataclass, now

# For this long after a sign-in, the password can be changed without the current one and without an emailed code.
RECENT_SIGN_IN = timedelta(hours=24)


@frozen_dataclass
class UserChange:
    """Fields that are None stay unchanged."""

    email: str | None = None
    phone: str | None = None
    channel: str = "sms"
    data: Mapping[str, Any] = field(default_factory=dict)
    password: str | None = field(default=None, repr=False)
    current_password: str | None = field(default=None, repr=False)
    nonce: str | None = field(default=None, repr=False)


async def read_user(context: AuthContext, principal: Principal) -> User:
    async with context.transaction(read_only=True) as conn:
        return (await current_user(conn, principal)).user


async def change_user(
    context: AuthContext, principal: Principal, change: UserChange, link_request: EmailLinkRequest
) -> User:
    """Changes the user. A new password ends all their other sessions."""
    async with context.transaction(read_only=True) as conn:
        current = await current_user(conn, principal)
    _check_assurance_level(current, change)
    email, phone = _new_addresses(current.user, change)
    password_hash = await _new_password_hash(context, current, change, link_request.caller, email or phone)
    await check_address_change(context, current.user, link_request.caller, email, phone)
    if password_hash is not None and change.nonce:
        await use_nonce(context, current.user, change.nonce)

    async with context.sending_transaction() as conn:
        # The session may have ended while the password was hashed, so it is checked again. It cannot end any more
        # before this transaction does, because that would need the lock on the user.
        await store.lock_user(conn, current.user.id)
        current = await current_user(conn, principal)
        await store.change_user(conn, current.user.id, change.data, password_hash)
        await store.add_audit_entry(conn, "user_modified", current.user.id, link_request.caller)
        try:
            if email:
                await request_email_change(context, conn, current.user, email, link_request)
            if phone:
                await request_phone_change(context, conn, current.user, phone, link_request, channel=change.channel)
        except asyncpg.UniqueViolationError as error:
            # Another request took the address in the meantime.
            raise (PhoneExists if error.constraint_name == "users_phone_idx" else EmailExists) from error
        if password_hash is not None:
            await store.end_other_sessions(conn, current.user.id, kept_session_id=current.session_id)
            await store.trust_password(conn, current.user.id, current.session_id)
            await store.add_audit_entry(conn, "user_password_changed", current.user.id, link_request.caller)
            await send_password_notice(conn, current.user)
        user = (await current_user(conn, principal)).user
        check_metadata_size(user.user_metadata)
    return user


def _check_assurance_level(current: CurrentUser, change: UserChange) -> None:
    """Users with a second factor must use it before they change an address or the password."""
    if (change.email or change.phone or change.password) and current.needs_second_factor:
        raise ChangeNeedsAal2


def _new_addresses(user: User, change: UserChange) -> tuple[str | None, str | None]:
    email = email_address(change.email) if change.email else None
    phone = phone_number(change.phone) if change.phone else None
    return email if email != user.email else None, phone if phone != user.phone else None


async def _new_password_hash(
    context: AuthContext, current: CurrentUser, change: UserChange, caller: Caller, new_address: str | None
) -> str | None:
    if change.password is None:
        return None
    user = current.user
    if user.is_anonymous and not new_address:
        raise AnonymousPasswordChange
    check_new_password(change.password, context.settings)
    if change.current_password is not None:
        await _check_current_password(context, user, change.current_password, caller)
    elif not change.nonce and _needs_reauthentication(context, current):
        raise ReauthenticationNeeded
    if await context.passwords.match(change.password, user.encrypted_password):
        raise SamePassword
    return await context.passwords.hash(change.password)


async def _check_current_password(context: AuthContext, user: User, password: str, caller: Caller) -> None:
    """Tries count together with those of the sign-in, so that the thief of a session cannot guess faster."""
    tries_key = limits.password_tries_key(user.email or user.phone or "", caller)
    await limits.check_password_tries(context, tries_key)
    if not await context.passwords.match(password, user.encrypted_password):
        raise InvalidCredentials
    async with context.transaction() as conn:
        await store.forget_password_tries(conn, tries_key)


def _needs_reauthentication(context: AuthContext, current: CurrentUser) -> bool:
    """Says whether an old session needs more than its token. An anonymous user has no password and no address yet."""
    if not context.settings.update_password_require_reauthentication or current.user.is_anonymous:
        return False
    return current.session is None or not signed_in_since(current.session, now() - RECENT_SIGN_IN)
