from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from cairn.auth import email_limits, limits, store
from cairn.auth.constant_time import in_constant_time
from cairn.auth.context import AuthContext
from cairn.auth.email_links.confirmation import is_confirmed_immediately
from cairn.auth.email_links.one_time_token import Purpose
from cairn.auth.email_links.send import send_email, send_text
from cairn.auth.errors import EmailProviderDisabled, OtpSignupDisabled, PhoneUnsupported
from cairn.auth.model import Caller, EmailLinkRequest, User, new_account_metadata
from cairn.db import Connection
from cairn.kit import now


async def send_email_otp(
    context: AuthContext, email: str, data: Mapping[str, Any], link_request: EmailLinkRequest, *, create_user: bool
) -> None:
    """Sends a sign-in link and code. With `create_user`, an unknown address gets an account without a password.

    If the limit for emails to new addresses is reached, only accounts with a confirmed address get an email. The
    response stays the same, so that it does not reveal which accounts exist.
    """
    if not context.settings.external_email_enabled:
        raise EmailProviderDisabled(what="logins")
    # Invalid metadata is also rejected for existing accounts, so that the error does not reveal which accounts exist.
    new_account_metadata(data, email, None)
    await email_limits.check_email_limit(context, "magiclink", email, link_request.caller, to_new_address=False)
    async with (
        _counting_unknown_addresses(context, link_request.caller, create_user=create_user),
        in_constant_time(),
        context.sending_transaction() as conn,
    ):
        user = await store.user_by_email(conn, email)
        if user is not None:
            await send_email(context, conn, user, "magiclink", to=email, link_request=link_request, with_code=True)
            return
        user = await _add_user(context, conn, data, link_request, email=email, create_user=create_user)
        purpose: Purpose = "magiclink" if user.email_confirmed_at else "signup"
        await send_email(context, conn, user, purpose, to=email, link_request=link_request, with_code=True)


async def send_text_otp(
    context: AuthContext,
    phone: str,
    channel: str,
    data: Mapping[str, Any],
    link_request: EmailLinkRequest,
    *,
    create_user: bool,
) -> UUID:
    if not context.settings.external_phone_enabled:
        raise PhoneUnsupported
    new_account_metadata(data, None, phone)
    await limits.check_text_limit(context, "sms", phone, link_request.caller)
    async with (
        _counting_unknown_addresses(context, link_request.caller, create_user=create_user),
        in_constant_time(),
        context.sending_transaction() as conn,
    ):
        user = await store.user_by_phone(conn, phone)
        if user is None:
            user = await _add_user(context, conn, data, link_request, phone=phone, create_user=create_user)
        return await send_text(context, conn, user, "sms", to=phone, channel=channel, link_request=link_request)


@asynccontextmanager
async def _counting_unknown_addresses(
    context: AuthContext, caller: Caller, *, create_user: bool
) -> AsyncIterator[None]:
    """Limits how often a network gets the error that says that an address has no account."""
    if _may_create_user(context, create_user=create_user):
        yield
        return
    limit = limits.unknown_address_limit(caller)
    await limits.check(context, limit)
    try:
        yield
    except OtpSignupDisabled:
        await limits.enforce(context, limit)
        raise


async def _add_user(
    context: AuthContext,
    conn: Connection,
    data: Mapping[str, Any],
    link_request: EmailLinkRequest,
    *,
    create_user: bool,
    email: str | None = None,
    phone: str | None = None,
) -> User:
    if not _may_create_user(context, create_user=create_user):
        raise OtpSignupDisabled
    app_metadata, user_metadata = new_account_metadata(data, email, phone)
    confirmed_at = now() if is_confirmed_immediately(context.settings, email) else None
    user = await store.add_user(
        conn,
        email=email,
        phone=phone,
        app_metadata=app_metadata,
        user_metadata=user_metadata,
        email_confirmed_at=confirmed_at if email else None,
        phone_confirmed_at=confirmed_at if phone else None,
    )
    if user is None:
        # Another request has just created this account and sent its email.
        raise OtpSignupDisabled
    await store.add_audit_entry(conn, "user_signedup", user.id, link_request.caller, method="otp")
    return user


def _may_create_user(context: AuthContext, *, create_user: bool) -> bool:
    return create_user and not context.settings.disable_signup
