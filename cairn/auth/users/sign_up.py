from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import field, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from cairn.auth import email_limits, limits, store
from cairn.auth.constant_time import in_constant_time
from cairn.auth.context import AuthContext
from cairn.auth.email_links import is_confirmed_immediately, is_usable_immediately, send_email, send_text
from cairn.auth.errors import EmailProviderDisabled, PhoneSignupDisabled, SignupDisabled, UserAlreadyExists
from cairn.auth.model import Caller, EmailLinkRequest, Grant, User, new_account_metadata
from cairn.auth.password_strength import check_new_password
from cairn.auth.sessions import open_session
from cairn.auth.settings import AuthSettings
from cairn.db import Connection
from cairn.kit import frozen_dataclass, now


@frozen_dataclass
class NewAccount:
    """Has either an email or a phone, which must already be normalized."""

    email: str | None
    phone: str | None
    password: str = field(repr=False)
    data: Mapping[str, Any]
    channel: str = "sms"


async def sign_up(context: AuthContext, new_account: NewAccount, link_request: EmailLinkRequest) -> Grant | User | None:
    """Returns a session if the account can be used immediately, and otherwise the user, who has to confirm the address.

    Returns None if the address already has a confirmed account. Only the owner of the address may learn that, so the
    caller responds with a made-up user.
    """
    _check_enabled(context.settings, new_account)
    check_new_password(new_account.password, context.settings)
    app_metadata, user_metadata = new_account_metadata(new_account.data, new_account.email, new_account.phone)
    await _check_rate_limits(context, new_account, link_request.caller)
    password_hash = await context.passwords.hash(new_account.password)
    moment = now()
    is_confirmed = is_confirmed_immediately(context.settings, new_account.email)
    is_usable = is_usable_immediately(context.settings, new_account.email)
    async with nullcontext() if is_usable else in_constant_time(), context.sending_transaction() as conn:
        user = await store.add_user(
            conn,
            email=new_account.email,
            phone=new_account.phone,
            encrypted_password=password_hash,
            app_metadata=app_metadata,
            user_metadata=user_metadata,
            email_confirmed_at=moment if is_confirmed and new_account.email else None,
            phone_confirmed_at=moment if is_confirmed and new_account.phone else None,
            signed_in_at=moment if is_usable else None,
        )
        if user is None:
            existing_user = await _handle_repeated_sign_up(context, conn, new_account, link_request)
        else:
            return await _complete_sign_up(context, conn, user, new_account, link_request)
    if is_usable:
        # A successful sign-up would return a session, so it cannot be hidden that the account exists.
        raise UserAlreadyExists
    return existing_user and _as_new(existing_user, app_metadata, user_metadata, moment)


def _as_new(user: User, app_metadata: Mapping[str, Any], user_metadata: Mapping[str, Any], now: datetime) -> User:
    """Makes an existing unconfirmed account look like a new one, so that the data of another person does not appear."""
    company_id = user.app_metadata.get("company_id", str(uuid4()))
    company = {"company_id": company_id} if app_metadata["role"] == "company" else {}
    return replace(
        user,
        app_metadata={**app_metadata, **company},
        user_metadata=dict(user_metadata),
        identities=tuple(replace(identity, created_at=now, updated_at=now) for identity in user.identities),
        created_at=now,
        updated_at=now,
    )


async def _complete_sign_up(
    context: AuthContext, conn: Connection, user: User, new_account: NewAccount, link_request: EmailLinkRequest
) -> Grant | User:
    await store.add_audit_entry(conn, "user_signedup", user.id, link_request.caller)
    if not is_confirmed_immediately(context.settings, new_account.email):
        user = await _send_confirmation(context, conn, user, new_account, link_request)
    if not is_usable_immediately(context.settings, new_account.email):
        return user
    return await open_session(context, conn, user, method="password", caller=link_request.caller, now=now())


def _check_enabled(settings: AuthSettings, new_account: NewAccount) -> None:
    if settings.disable_signup:
        raise SignupDisabled
    if new_account.email and not settings.external_email_enabled:
        raise EmailProviderDisabled(what="signups")
    if new_account.phone and not settings.external_phone_enabled:
        raise PhoneSignupDisabled


async def _check_rate_limits(context: AuthContext, new_account: NewAccount, caller: Caller) -> None:
    if is_confirmed_immediately(context.settings, new_account.email):
        return
    if is_usable_immediately(context.settings, new_account.email):
        return
    if new_account.email:
        await email_limits.check_email_limit(context, "signup", new_account.email, caller, to_new_address=True)
    elif new_account.phone:
        await limits.check_text_limit(context, "sms", new_account.phone, caller)


async def _handle_repeated_sign_up(
    context: AuthContext, conn: Connection, new_account: NewAccount, link_request: EmailLinkRequest
) -> User | None:
    """Sends the confirmation of an unconfirmed account again, and returns the account. Returns None for any other."""
    await store.add_audit_entry(conn, "user_repeated_signup", None, link_request.caller)
    if is_usable_immediately(context.settings, new_account.email):
        return None
    existing_user = await _existing_user(conn, new_account)
    if existing_user is None or existing_user.email_confirmed_at or existing_user.phone_confirmed_at:
        return None
    return await _send_confirmation(context, conn, existing_user, new_account, link_request)


async def _existing_user(conn: Connection, new_account: NewAccount) -> User | None:
    if new_account.email:
        return await store.user_by_email(conn, new_account.email)
    return await store.user_by_phone(conn, new_account.phone or "")


async def _send_confirmation(
    context: AuthContext, conn: Connection, user: User, new_account: NewAccount, link_request: EmailLinkRequest
) -> User:
    if new_account.email:
        is_usable = is_usable_immediately(context.settings, new_account.email)
        if is_usable and not await email_limits.count_confirmation_email(context, conn, link_request.caller):
            # The account works without the confirmation, and the app offers to send the email later.
            return user
        await send_email(context, conn, user, "signup", to=new_account.email, link_request=link_request)
    elif new_account.phone:
        await send_text(
            context,
            conn,
            user,
            "phone_signup",
            to=new_account.phone,
            channel=new_account.channel,
            link_request=link_request,
        )
    return await store.user_by_id(conn, user.id) or user
