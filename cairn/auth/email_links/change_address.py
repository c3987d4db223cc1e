"""Requests a change of email or phone. The old address stays valid until the new one is confirmed."""

from cairn.auth import email_limits, limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.one_time_token import Purpose
from cairn.auth.email_links.send import send_email, send_text
from cairn.auth.errors import EmailExists, PhoneExists, PhoneSignupDisabled
from cairn.auth.model import Caller, EmailLinkRequest, User
from cairn.db import Connection
from cairn.kit import Problem, now

EMAIL_CHANGE_CURRENT: Purpose = "email_change_current"
EMAIL_CHANGE_NEW: Purpose = "email_change_new"


async def check_address_change(
    context: AuthContext, user: User, caller: Caller, email: str | None, phone: str | None
) -> None:
    """Checks that the address is free and the rate limits are not exceeded, before anything is written."""
    if phone and not context.settings.external_phone_enabled:
        raise PhoneSignupDisabled
    if not email and not phone:
        return
    # Like a sign-up, the request sends a message to an address that may be a stranger's.
    await limits.check_caller_limit(context, caller, "otp", context.settings.rate_limit_otp)
    # The error below says that there is an account with the address, so a user gets it only a few times a day.
    limit = limits.taken_address_limit(user.id)
    await limits.check(context, limit)
    error = await _address_taken(context, email, phone)
    if error is not None:
        await limits.enforce(context, limit)
        raise error
    if email and not context.settings.mailer_autoconfirm:
        await email_limits.check_email_limit(context, "email_change", user.email or email, caller, to_new_address=True)
        await email_limits.check_interval_of_new_address(context, email, caller)
    if phone and not context.settings.sms_autoconfirm:
        await limits.check_text_limit(context, "phone_change", phone, caller)


async def _address_taken(context: AuthContext, email: str | None, phone: str | None) -> Problem | None:
    """Returns the error if another account has the email address or phone number."""
    async with context.transaction(read_only=True) as conn:
        if email and await store.user_by_email(conn, email):
            return EmailExists()
        if phone and await store.user_by_phone(conn, phone):
            return PhoneExists()
    return None


async def request_email_change(
    context: AuthContext, conn: Connection, user: User, email: str, link_request: EmailLinkRequest
) -> None:
    if context.settings.mailer_autoconfirm:
        await store.change_address(conn, user.id, "email", email, now(), confirmed=True)
        return
    await store.request_email_change(conn, user.id, email, required_confirmations(context, user))
    await send_pending_confirmations(context, conn, await store.user_by_id(conn, user.id) or user, link_request)


def required_confirmations(context: AuthContext, user: User) -> list[Purpose]:
    """Returns which links must be used before the address changes.

    An old address that was never confirmed may be mistyped, so it does not have to confirm the change.
    """
    confirm_old = context.settings.mailer_secure_email_change_enabled and user.email and user.email_confirmed_at
    return [EMAIL_CHANGE_CURRENT, EMAIL_CHANGE_NEW] if confirm_old else [EMAIL_CHANGE_NEW]


def changes_email_without_old_address(context: AuthContext, user: User) -> bool:
    """Says whether the account moves to a new email address without a confirmation by the current one."""
    return context.settings.mailer_autoconfirm or EMAIL_CHANGE_CURRENT not in required_confirmations(context, user)


async def send_pending_confirmations(
    context: AuthContext, conn: Connection, user: User, link_request: EmailLinkRequest
) -> None:
    """Sends a link to each of the two addresses that still has to confirm."""
    if EMAIL_CHANGE_CURRENT in user.email_change_awaits and user.email:
        await send_email(context, conn, user, EMAIL_CHANGE_CURRENT, to=user.email, link_request=link_request)
    if EMAIL_CHANGE_NEW in user.email_change_awaits and user.new_email:
        await send_email(context, conn, user, EMAIL_CHANGE_NEW, to=user.new_email, link_request=link_request)


async def request_phone_change(
    context: AuthContext, conn: Connection, user: User, phone: str, link_request: EmailLinkRequest, *, channel: str
) -> None:
    if context.settings.sms_autoconfirm:
        await store.change_address(conn, user.id, "phone", phone, now(), confirmed=True)
        return
    await store.request_phone_change(conn, user.id, phone)
    await send_text(context, conn, user, "phone_change", to=phone, channel=channel, link_request=link_request)
