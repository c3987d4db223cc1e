"""A link as it would have been mailed, for an administrator who sends it by other means."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.change_address import CURRENT, NEW, required_confirmations
from cairn.auth.email_links.invite import invited
from cairn.auth.email_links.one_time import Purpose, issue, link
from cairn.auth.email_links.send import SENT
from cairn.auth.errors import AdminInputInvalid, EmailExists, NoUserWithEmail
from cairn.auth.model import EmailLinkRequest, Person, new_account_metadata
from cairn.auth.password_strength import accept_password
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


async def generate_link(context: AuthContext, wish: LinkParameters, link_request: EmailLinkRequest) -> GeneratedLink:
    encrypted = await _password(context, wish)
    async with context.transaction() as conn:
        purpose, person = await _whom(conn, wish, encrypted)
        if purpose in (CURRENT, NEW):
            await _ask_for_email(context, conn, person, wish)
        address = wish.new_email or wish.email if purpose == NEW else wish.email
        issued = await issue(context, conn, person, purpose, to=address, link_request=link_request)
        await store.record_sent(conn, person.id, SENT[purpose], now())
        await store.add_audit_entry(conn, "link_generated", person.id, link_request.caller, purpose=purpose)
        person = await store.person_by_id(conn, person.id) or person
    properties = {
        "action_link": link(context.settings, purpose, issued.token_hash, link_request.redirect_to),
        "email_otp": issued.code,
        "hashed_token": issued.token_hash,
        "verification_type": purpose,
        "redirect_to": link_request.redirect_to,
    }
    return GeneratedLink(person, properties)


async def _password(context: AuthContext, wish: LinkParameters) -> str | None:
    if wish.kind != "signup":
        return None
    if wish.password is None:
        raise AdminInputInvalid(reason="Signup requires a valid password")
    accept_password(wish.password, context.settings)
    return await context.passwords.hash(wish.password)


async def _whom(conn: Connection, wish: LinkParameters, encrypted: str | None) -> tuple[Purpose, Person]:
    if wish.kind == "invite":
        return "invite", await invited(conn, wish.email, wish.data)
    person = await store.person_by_email(conn, wish.email)
    if person is not None:
        if wish.kind == "signup" and person.email_confirmed_at is not None:
            raise EmailExists
        return next(each for each in LINK_TYPES if each == wish.kind), person
    if wish.kind not in ("signup", "magiclink"):
        raise NoUserWithEmail
    app_metadata, user_metadata = new_account_metadata(wish.data, wish.email, None)
    added = await store.add_person(
        conn, email=wish.email, encrypted_password=encrypted, app_metadata=app_metadata, user_metadata=user_metadata
    )
    if added is None:
        raise EmailExists
    return "signup", added


async def _ask_for_email(context: AuthContext, conn: Connection, person: Person, wish: LinkParameters) -> None:
    """The two links of one change are made one after the other; the second must not undo what the first did."""
    if wish.new_email is None:
        raise AdminInputInvalid(reason="An email change needs new_email")
    if await store.person_by_email(conn, wish.new_email):
        raise EmailExists
    if person.new_email != wish.new_email:
        await store.request_email_change(conn, person.id, wish.new_email, required_confirmations(context, person))
