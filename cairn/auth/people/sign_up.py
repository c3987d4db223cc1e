from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links import is_confirmed_immediately, is_usable_immediately, send_email, send_text
from cairn.auth.errors import EmailProviderDisabled, PhoneSignupDisabled, SignupDisabled, UserAlreadyExists
from cairn.auth.model import EmailLinkRequest, Grant, Person, new_account_metadata
from cairn.auth.password_strength import accept_password
from cairn.auth.sessions import open_session
from cairn.auth.settings import AuthSettings
from cairn.db import Connection
from cairn.kit import now


@dataclass(frozen=True, slots=True)
class NewAccount:
    """Has either an email or a phone, in the form in which they are stored."""

    email: str | None
    phone: str | None
    password: str = field(repr=False)
    data: Mapping[str, Any]
    channel: str = "sms"


async def sign_up(
    context: AuthContext, new_account: NewAccount, link_request: EmailLinkRequest
) -> Grant | Person | None:
    """A session when the account works at once, the bare person when its address must be confirmed first.

    None when that person existed before and nobody but the owner of the address may learn it.
    """
    _check_offered(context.settings, new_account)
    accept_password(new_account.password, context.settings)
    app_metadata, user_metadata = new_account_metadata(new_account.data, new_account.email, new_account.phone)
    await _check_often(context, new_account)
    encrypted = await context.passwords.hash(new_account.password)
    moment = now()
    confirmed = is_confirmed_immediately(context.settings, new_account.email)
    async with context.sending_transaction() as conn:
        person = await store.add_person(
            conn,
            email=new_account.email,
            phone=new_account.phone,
            encrypted_password=encrypted,
            app_metadata=app_metadata,
            user_metadata=user_metadata,
            email_confirmed_at=moment if confirmed and new_account.email else None,
            phone_confirmed_at=moment if confirmed and new_account.phone else None,
            now=moment if is_usable_immediately(context.settings, new_account.email) else None,
        )
        if person is None:
            known = await _meet_again(context, conn, new_account, link_request)
        else:
            return await _welcome(context, conn, person, new_account, link_request)
    if is_usable_immediately(context.settings, new_account.email):
        # Where signing up answers a session, a refusal cannot be hidden anyway.
        raise UserAlreadyExists
    return known


async def _welcome(
    context: AuthContext, conn: Connection, person: Person, new_account: NewAccount, link_request: EmailLinkRequest
) -> Grant | Person:
    await store.add_audit_entry(conn, "user_signedup", person.id, link_request.caller)
    if not is_confirmed_immediately(context.settings, new_account.email):
        person = await _ask_to_confirm(context, conn, person, new_account, link_request)
    if not is_usable_immediately(context.settings, new_account.email):
        return person
    return await open_session(context, conn, person, method="password", caller=link_request.caller, now=now())


def _check_offered(settings: AuthSettings, new_account: NewAccount) -> None:
    if settings.disable_signup:
        raise SignupDisabled
    if new_account.email and not settings.external_email_enabled:
        raise EmailProviderDisabled(what="signups")
    if new_account.phone and not settings.external_phone_enabled:
        raise PhoneSignupDisabled


async def _check_often(context: AuthContext, new_account: NewAccount) -> None:
    if is_confirmed_immediately(context.settings, new_account.email):
        return
    if is_usable_immediately(context.settings, new_account.email):
        await limits.check_email_total(context)
    elif new_account.email:
        await limits.check_email_to(context, "signup", new_account.email)
    elif new_account.phone:
        await limits.check_text_to(context, "sms", new_account.phone)


async def _meet_again(
    context: AuthContext, conn: Connection, new_account: NewAccount, link_request: EmailLinkRequest
) -> Person | None:
    await store.add_audit_entry(conn, "user_repeated_signup", None, link_request.caller)
    if is_usable_immediately(context.settings, new_account.email):
        return None
    known = await _known(conn, new_account)
    if known is None or known.email_confirmed_at or known.phone_confirmed_at:
        return None
    return await _ask_to_confirm(context, conn, known, new_account, link_request)


async def _known(conn: Connection, new_account: NewAccount) -> Person | None:
    if new_account.email:
        return await store.person_by_email(conn, new_account.email)
    return await store.person_by_phone(conn, new_account.phone or "")


async def _ask_to_confirm(
    context: AuthContext, conn: Connection, person: Person, new_account: NewAccount, link_request: EmailLinkRequest
) -> Person:
    if new_account.email:
        await send_email(context, conn, person, "signup", to=new_account.email, link_request=link_request)
    elif new_account.phone:
        await send_text(
            context, conn, person, "sms", to=new_account.phone, channel=new_account.channel, link_request=link_request
        )
    return await store.person_by_id(conn, person.id) or person
