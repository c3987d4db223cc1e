from collections.abc import Awaitable, Callable
from dataclasses import replace

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    EmailInvalid,
    EmailNotConfirmed,
    EmailProviderDisabled,
    EmailTooLong,
    InvalidCredentials,
    PhoneInvalid,
    PhoneLoginDisabled,
    PhoneNotConfirmed,
    SignInBanned,
)
from cairn.auth.model import Caller, Grant, User, email_lookup_key, phone_number
from cairn.auth.password_strength import find_weakness
from cairn.auth.sessions import open_session
from cairn.auth.settings import AuthSettings
from cairn.kit import Problem, now


async def sign_in(
    context: AuthContext,
    email: str | None,
    phone: str | None,
    password: str,
    caller: Caller,
    *,
    check_captcha: Callable[[], Awaitable[None]],
) -> Grant:
    """Opens a session if the password is correct.

    An unknown address and a wrong password get the same response after the same work. `check_captcha` calls another
    service, so it runs after the rate limits.
    """
    if email and not context.settings.external_email_enabled:
        raise EmailProviderDisabled(what="logins")
    if not email and not context.settings.external_phone_enabled:
        raise PhoneLoginDisabled
    address = _normalize(email, phone)
    tries_key = limits.password_tries_key(address or (email or phone or ""), caller)
    user = await _count_try_and_find_user(context, address, caller, tries_key, by_email=bool(email))
    await check_captcha()
    matches = await context.passwords.match(password, user.encrypted_password if user else None)
    if user is None or not matches:
        await _record_failure(context, user, caller)
        raise InvalidCredentials
    error = _sign_in_error(user, context.settings, by_email=bool(email))
    if error is not None:
        await _record_failure(context, user, caller)
        raise error

    moment = now()
    user = replace(user, last_sign_in_at=moment)
    async with context.transaction() as conn:
        if not await store.lock_password(conn, user.id, user.encrypted_password):
            # The password was changed or removed while it was being checked.
            raise InvalidCredentials
        await store.forget_password_tries(conn, tries_key)
        await store.record_sign_in(conn, user.id, "email" if email else "phone", caller, moment, method="password")
        grant = await open_session(context, conn, user, method="password", caller=caller, now=moment)
    return replace(grant, weak_password=find_weakness(password, context.settings))


def _normalize(email: str | None, phone: str | None) -> str:
    """Returns "" if no account can have this address. It is looked up anyway, so that the response is not faster."""
    try:
        return email_lookup_key(email) if email else phone_number(phone or "")
    except (EmailInvalid, EmailTooLong, PhoneInvalid):
        return ""


async def _count_try_and_find_user(
    context: AuthContext, address: str, caller: Caller, tries_key: str, *, by_email: bool
) -> User | None:
    """Counts the try in the rate limits, and finds the user.

    The errors are raised after the transaction, because a rollback would undo the counts. The password is checked
    later, outside the transaction, because hashing it is slow.
    """
    caller_limit = limits.caller_limit(caller, "token", context.settings.rate_limit_token_refresh)
    find_user = store.user_by_email if by_email else store.user_by_phone
    async with context.transaction() as conn:
        error = await limits.first_limit_error(conn, [caller_limit])
        if error is None:
            # This adds a row for each address and network, so it is done only within the limit of the caller.
            error = await limits.password_tries_error(context, conn, tries_key)
        user = await find_user(conn, address)
    if error is not None:
        raise error
    return user


def _sign_in_error(user: User, settings: AuthSettings, *, by_email: bool) -> Problem | None:
    if user.is_banned(now()):
        return SignInBanned()
    if not by_email:
        return None if user.phone_confirmed_at else PhoneNotConfirmed()
    if user.email_confirmed_at or settings.allow_unverified_email_sign_ins:
        return None
    return EmailNotConfirmed()


async def _record_failure(context: AuthContext, user: User | None, caller: Caller) -> None:
    async with context.transaction() as conn:
        await store.add_audit_entry(conn, "login_refused", user.id if user else None, caller, method="password")
