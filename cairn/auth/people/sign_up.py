from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links import is_confirmed_at_once, mail, text, works_at_once
from cairn.auth.errors import EmailProviderDisabled, PhoneSignupDisabled, SignupDisabled, UserAlreadyExists
from cairn.auth.model import EmailLinkRequest, Grant, Person, metadata_of
from cairn.auth.password_strength import accept_password
from cairn.auth.sessions import open_session
from cairn.auth.settings import AuthSettings
from cairn.db import Connection
from cairn.kit import now


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Has either an email or a phone, in the form in which they are stored."""

    email: str | None
    phone: str | None
    password: str = field(repr=False)
    data: Mapping[str, Any]
    channel: str = "sms"


async def sign_up(context: AuthContext, newcomer: Newcomer, ask: EmailLinkRequest) -> Grant | Person | None:
    """A session when the account works at once, the bare person when its address must be confirmed first.

    None when that person existed before and nobody but the owner of the address may learn it.
    """
    _check_offered(context.settings, newcomer)
    accept_password(newcomer.password, context.settings)
    app_metadata, user_metadata = metadata_of(newcomer.data, newcomer.email, newcomer.phone)
    await _check_often(context, newcomer)
    encrypted = await context.passwords.hash(newcomer.password)
    moment = now()
    confirmed = is_confirmed_at_once(context.settings, newcomer.email)
    async with context.mailing() as conn:
        person = await store.add_person(
            conn,
            email=newcomer.email,
            phone=newcomer.phone,
            encrypted_password=encrypted,
            app_metadata=app_metadata,
            user_metadata=user_metadata,
            email_confirmed_at=moment if confirmed and newcomer.email else None,
            phone_confirmed_at=moment if confirmed and newcomer.phone else None,
            now=moment if works_at_once(context.settings, newcomer.email) else None,
        )
        if person is None:
            known = await _meet_again(context, conn, newcomer, ask)
        else:
            return await _welcome(context, conn, person, newcomer, ask)
    if works_at_once(context.settings, newcomer.email):
        # Where signing up answers a session, a refusal cannot be hidden anyway.
        raise UserAlreadyExists
    return known


async def _welcome(
    context: AuthContext, conn: Connection, person: Person, newcomer: Newcomer, ask: EmailLinkRequest
) -> Grant | Person:
    await store.note(conn, "user_signedup", person.id, ask.caller)
    if not is_confirmed_at_once(context.settings, newcomer.email):
        person = await _ask_to_confirm(context, conn, person, newcomer, ask)
    if not works_at_once(context.settings, newcomer.email):
        return person
    return await open_session(context, conn, person, method="password", caller=ask.caller, now=now())


def _check_offered(settings: AuthSettings, newcomer: Newcomer) -> None:
    if settings.disable_signup:
        raise SignupDisabled
    if newcomer.email and not settings.external_email_enabled:
        raise EmailProviderDisabled(what="signups")
    if newcomer.phone and not settings.external_phone_enabled:
        raise PhoneSignupDisabled


async def _check_often(context: AuthContext, newcomer: Newcomer) -> None:
    if is_confirmed_at_once(context.settings, newcomer.email):
        return
    if works_at_once(context.settings, newcomer.email):
        await limits.mail_at_all(context)
    elif newcomer.email:
        await limits.mail_to(context, "signup", newcomer.email)
    elif newcomer.phone:
        await limits.text_to(context, "sms", newcomer.phone)


async def _meet_again(
    context: AuthContext, conn: Connection, newcomer: Newcomer, ask: EmailLinkRequest
) -> Person | None:
    await store.note(conn, "user_repeated_signup", None, ask.caller)
    if works_at_once(context.settings, newcomer.email):
        return None
    known = await _known(conn, newcomer)
    if known is None or known.email_confirmed_at or known.phone_confirmed_at:
        return None
    return await _ask_to_confirm(context, conn, known, newcomer, ask)


async def _known(conn: Connection, newcomer: Newcomer) -> Person | None:
    if newcomer.email:
        return await store.person_by_email(conn, newcomer.email)
    return await store.person_by_phone(conn, newcomer.phone or "")


async def _ask_to_confirm(
    context: AuthContext, conn: Connection, person: Person, newcomer: Newcomer, ask: EmailLinkRequest
) -> Person:
    if newcomer.email:
        await mail(context, conn, person, "signup", to=newcomer.email, ask=ask)
    elif newcomer.phone:
        await text(context, conn, person, "sms", to=newcomer.phone, channel=newcomer.channel, ask=ask)
    return await store.person_by_id(conn, person.id) or person
