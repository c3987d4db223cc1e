from collections.abc import Awaitable, Callable, Sequence
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
from cairn.auth.model import Caller, Grant, Person, email_lookup_key, phone_number
from cairn.auth.password_strength import weakness
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
    """An unknown address and a wrong password get the same response after the same work.

    `check_captcha` calls another service, so it runs after the rate limits.
    """
    if email and not context.settings.external_email_enabled:
        raise EmailProviderDisabled(what="logins")
    if not email and not context.settings.external_phone_enabled:
        raise PhoneLoginDisabled
    guess_limit = limits.guess_limit(context, (email or phone or "").strip().lower())
    person = await _find_person(context, email, phone, [_caller_limit(context, caller), guess_limit])
    await check_captcha()
    matches = await context.passwords.match(password, person.encrypted_password if person else None)
    if person is None or not matches:
        await _record_failure(context, person, caller)
        raise InvalidCredentials
    error = _sign_in_error(person, context.settings, by_email=bool(email))
    if error is not None:
        await _record_failure(context, person, caller)
        raise error

    moment = now()
    person = replace(person, last_sign_in_at=moment)
    async with context.transaction() as conn:
        await limits.refund(conn, guess_limit)
        await store.record_sign_in(conn, person.id, "email" if email else "phone", caller, moment, method="password")
        granted = await open_session(context, conn, person, method="password", caller=caller, now=moment)
    return replace(granted, weak=weakness(password, context.settings))


def _caller_limit(context: AuthContext, caller: Caller) -> limits.Limit:
    return limits.caller_limit(caller, "token", context.settings.rate_limit_token_refresh)


async def _find_person(
    context: AuthContext, email: str | None, phone: str | None, rate_limits: Sequence[limits.Limit]
) -> Person | None:
    """Counts the attempt and finds the user in one transaction, which ends before the slow password hash."""
    try:
        address = email_lookup_key(email) if email else phone_number(phone or "")
    except (EmailInvalid, EmailTooLong, PhoneInvalid):
        # No account can have this address, but an immediate error would be faster than other responses.
        address = ""
    find = store.person_by_email if email else store.person_by_phone
    async with context.transaction() as conn:
        error = await limits.first_exceeded(conn, rate_limits)
        person = await find(conn, address)
    if error is not None:
        raise error
    return person


def _sign_in_error(person: Person, settings: AuthSettings, *, by_email: bool) -> Problem | None:
    if person.is_banned(now()):
        return SignInBanned()
    if not by_email:
        return None if person.phone_confirmed_at else PhoneNotConfirmed()
    if person.email_confirmed_at or settings.allow_unverified_email_sign_ins:
        return None
    return EmailNotConfirmed()


async def _record_failure(context: AuthContext, person: Person | None, caller: Caller) -> None:
    async with context.transaction() as conn:
        await store.add_audit_entry(conn, "login_refused", person.id if person else None, caller, method="password")
