from collections.abc import Mapping
from dataclasses import field
from typing import Any

import asyncpg

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links import (
    changes_email_without_old_address,
    check_address_change,
    check_nonce,
    request_email_change,
    request_phone_change,
    send_password_notice,
    use_nonce,
)
from cairn.auth.errors import (
    AnonymousPasswordChange,
    ChangeNeedsAal2,
    EmailExists,
    EmailNeedsReauthentication,
    InvalidCredentials,
    PhoneExists,
    PhoneNeedsReauthentication,
    ReauthenticationNeeded,
    SamePassword,
)
from cairn.auth.model import EmailLinkRequest, User, check_metadata_size, email_address, phone_number
from cairn.auth.password_strength import check_new_password
from cairn.auth.sessions import CurrentUser, current_user
from cairn.db import Principal
from cairn.kit import frozen_dataclass


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
    password_tries = limits.password_tries_key(
        current.user.email or current.user.phone or str(current.user.id), link_request.caller
    )
    if change.password is not None:
        _check_new_password(context, current.user, change.password, email or phone)
    old_session_error = _old_session_error(context, current.user, email, phone)
    is_reauthenticated = (change.password is not None or old_session_error is not None) and await _reauthenticate(
        context, current, change, old_session_error, password_tries
    )
    password_hash = await _new_password_hash(
        context, current.user, change.password, password_tries, is_reauthenticated=is_reauthenticated
    )
    await check_address_change(context, current.user, link_request.caller, email, phone)

    async with context.sending_transaction() as conn:
        # The session may have ended while the password was hashed, so it is checked again. A password change or a
        # hand-over cannot end it before this transaction ends, because both need the lock on the user.
        await store.lock_user(conn, current.user.id)
        current = await current_user(conn, principal)
        if is_reauthenticated and change.nonce:
            await use_nonce(context, conn, current.user, change.nonce)
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
            await store.forget_password_tries(conn, password_tries)
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


def _check_new_password(context: AuthContext, user: User, password: str, new_address: str | None) -> None:
    if user.is_anonymous and not new_address:
        raise AnonymousPasswordChange
    check_new_password(password, context.settings)


def _old_session_error(
    context: AuthContext, user: User, email: str | None, phone: str | None
) -> type[ReauthenticationNeeded] | None:
    """Returns the error for an old session if an address could change without a confirmation from the old one."""
    if phone is not None:
        return PhoneNeedsReauthentication
    if email is not None and changes_email_without_old_address(context, user):
        return EmailNeedsReauthentication
    return None


async def _reauthenticate(
    context: AuthContext,
    current: CurrentUser,
    change: UserChange,
    old_session_error: type[ReauthenticationNeeded] | None,
    password_tries: str,
) -> bool:
    """Checks the current password and the emailed code, and returns whether the request contains one of them.

    An old session needs one of them, because it may be stolen. A setting can turn this off for a new password,
    but not for a new address.
    """
    if change.current_password is not None:
        await _check_current_password(context, current.user, change.current_password, password_tries)
    if change.nonce:
        await check_nonce(context, current.user, change.nonce)
    if change.current_password is not None or change.nonce:
        return True
    if old_session_error is not None and current.needs_reauthentication:
        raise old_session_error
    if context.settings.update_password_require_reauthentication and current.needs_reauthentication:
        raise ReauthenticationNeeded
    return False


async def _check_current_password(context: AuthContext, user: User, password: str, password_tries: str) -> None:
    """Counts the try together with those of sign-ins, so that the thief of a session cannot guess faster."""
    await limits.check_password_tries(context, password_tries)
    if not await context.passwords.match(password, user.encrypted_password):
        raise InvalidCredentials
    async with context.transaction() as conn:
        await store.forget_password_tries(conn, password_tries)


async def _new_password_hash(
    context: AuthContext, user: User, password: str | None, password_tries: str, *, is_reauthenticated: bool
) -> str | None:
    if password is None:
        return None
    may_compare = is_reauthenticated or await _may_try_password(context, user, password_tries)
    if may_compare and await context.passwords.match(password, user.encrypted_password):
        raise SamePassword
    return await context.passwords.hash(password)


async def _may_try_password(context: AuthContext, user: User, password_tries: str) -> bool:
    """Counts the comparison of the new password with the current one as a try, because a thief could guess with it.

    If the try comes too early, the passwords are not compared. The guesser then learns nothing, and the owner, who got
    in with an emailed link, can still choose a new password.
    """
    if user.encrypted_password is None:
        return False
    async with context.transaction() as conn:
        return await limits.password_tries_error(context, conn, password_tries) is None
