"""Generates a link for an administrator who sends it some other way than by email."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.change_address import CURRENT, NEW, required_confirmations
from cairn.auth.email_links.invite import find_or_add_invited
from cairn.auth.email_links.one_time_token import Purpose, build_link, issue_token
from cairn.auth.email_links.send import SENT_AT
from cairn.auth.errors import AdminInputInvalid, EmailExists, NoUserWithEmail
from cairn.auth.model import EmailLinkRequest, Person, new_account_metadata
from cairn.auth.password_strength import check_new_password
from cairn.db import Connection
from cairn.kit import now

LINK_TYPES: tuple[Purpose, ...] = ("signup", "invite", "magiclink", "recovery", CURRENT, NEW)


@dataclass(frozen=True, slots=True)
class LinkParameters:
    kind: str
    email: str
    new_email: str | None
    password: str | None = field(repr=False)
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GeneratedLink:
    person: Person
    properties: dict[str, str] = field(repr=False)


async def generate_link(
    context: AuthContext, parameters: LinkParameters, link_request: EmailLinkRequest
) -> GeneratedLink:
    encrypted = await _password(context, parameters)
    async with context.transaction() as conn:
        purpose, person = await _find_or_add_person(conn, parameters, encrypted)
        if purpose in (CURRENT, NEW):
            await _request_email_change(context, conn, person, parameters)
        address = parameters.new_email or parameters.email if purpose == NEW else parameters.email
        issued = await issue_token(context, conn, person, purpose, to=address, link_request=link_request)
        await store.record_sent(conn, person.id, SENT_AT[purpose], now())
        await store.add_audit_entry(conn, "link_generated", person.id, link_request.caller, purpose=purpose)
        person = await store.person_by_id(conn, person.id) or person
    properties = {
        "action_link": build_link(context.settings, purpose, issued.token_hash, link_request.redirect_to),
        "email_otp": issued.code,
        "hashed_token": issued.token_hash,
        "verification_type": purpose,
        "redirect_to": link_request.redirect_to,
    }
    return GeneratedLink(person, properties)


async def _password(context: AuthContext, parameters: LinkParameters) -> str | None:
    if parameters.kind != "signup":
        return None
    if parameters.password is None:
        raise AdminInputInvalid(reason="Signup requires a valid password")
    check_new_password(parameters.password, context.settings)
    return await context.passwords.hash(parameters.password)


async def _find_or_add_person(
    conn: Connection, parameters: LinkParameters, encrypted: str | None
) -> tuple[Purpose, Person]:
    if parameters.kind == "invite":
        return "invite", await find_or_add_invited(conn, parameters.email, parameters.data)
    person = await store.person_by_email(conn, parameters.email)
    if person is not None:
        if parameters.kind == "signup" and person.email_confirmed_at is not None:
            raise EmailExists
        return next(purpose for purpose in LINK_TYPES if purpose == parameters.kind), person
    if parameters.kind not in ("signup", "magiclink"):
        raise NoUserWithEmail
    app_metadata, user_metadata = new_account_metadata(parameters.data, parameters.email, None)
    added = await store.add_person(
        conn,
        email=parameters.email,
        encrypted_password=encrypted,
        app_metadata=app_metadata,
        user_metadata=user_metadata,
    )
    if added is None:
        raise EmailExists
    return "signup", added


async def _request_email_change(
    context: AuthContext, conn: Connection, person: Person, parameters: LinkParameters
) -> None:
    """The two links of a change are generated in two requests; the second must not reset the change."""
    if parameters.new_email is None:
        raise AdminInputInvalid(reason="An email change needs new_email")
    if await store.person_by_email(conn, parameters.new_email):
        raise EmailExists
    if person.new_email != parameters.new_email:
        await store.request_email_change(conn, person.id, parameters.new_email, required_confirmations(context, person))
