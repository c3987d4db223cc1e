"""Generates a link for the administrator, who sends it to the user. Cairn itself sends nothing."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.change_address import EMAIL_CHANGE_CURRENT, EMAIL_CHANGE_NEW, required_confirmations
from cairn.auth.email_links.invite import find_or_add_invited_user
from cairn.auth.email_links.one_time_token import Purpose, build_link, issue_token
from cairn.auth.email_links.send import SENT_AT_COLUMNS
from cairn.auth.errors import AdminInputInvalid, EmailExists, NoUserWithEmail
from cairn.auth.model import EmailLinkRequest, User, new_account_metadata
from cairn.auth.password_strength import check_new_password
from cairn.db import Connection
from cairn.kit import frozen_dataclass, now

LINK_TYPES: tuple[Purpose, ...] = ("signup", "invite", "magiclink", "recovery", EMAIL_CHANGE_CURRENT, EMAIL_CHANGE_NEW)


@frozen_dataclass
class LinkParameters:
    kind: str
    email: str
    new_email: str | None
    password: str | None = field(repr=False)
    data: Mapping[str, Any]


@frozen_dataclass
class GeneratedLink:
    user: User
    properties: dict[str, str] = field(repr=False)


async def generate_link(
    context: AuthContext, parameters: LinkParameters, link_request: EmailLinkRequest
) -> GeneratedLink:
    password_hash = await _password_hash(context, parameters)
    async with context.transaction() as conn:
        purpose, user = await _find_or_add_user(conn, parameters, password_hash)
        if purpose in (EMAIL_CHANGE_CURRENT, EMAIL_CHANGE_NEW):
            await _request_email_change(context, conn, user, parameters)
        address = parameters.email
        if purpose == EMAIL_CHANGE_NEW and parameters.new_email:
            address = parameters.new_email
        token = await issue_token(context, conn, user, purpose, to=address, link_request=link_request)
        await store.record_sent_at(conn, user.id, SENT_AT_COLUMNS[purpose], now())
        await store.add_audit_entry(conn, "link_generated", user.id, link_request.caller, purpose=purpose)
        user = await store.user_by_id(conn, user.id) or user
    properties = {
        "action_link": build_link(context.settings, purpose, token.token_hash, link_request.redirect_to),
        "email_otp": token.code,
        "hashed_token": token.token_hash,
        "verification_type": purpose,
        "redirect_to": link_request.redirect_to,
    }
    return GeneratedLink(user, properties)


async def _password_hash(context: AuthContext, parameters: LinkParameters) -> str | None:
    if parameters.kind != "signup":
        return None
    if parameters.password is None:
        raise AdminInputInvalid(reason="Signup requires a valid password")
    check_new_password(parameters.password, context.settings)
    return await context.passwords.hash(parameters.password)


async def _find_or_add_user(
    conn: Connection, parameters: LinkParameters, password_hash: str | None
) -> tuple[Purpose, User]:
    if parameters.kind == "invite":
        return "invite", await find_or_add_invited_user(conn, parameters.email, parameters.data)
    user = await store.user_by_email(conn, parameters.email)
    if user is not None:
        if parameters.kind == "signup" and user.email_confirmed_at is not None:
            raise EmailExists
        # This is the same string, but typed as a `Purpose`.
        purpose = next(purpose for purpose in LINK_TYPES if purpose == parameters.kind)
        return purpose, user
    if parameters.kind not in ("signup", "magiclink"):
        raise NoUserWithEmail
    app_metadata, user_metadata = new_account_metadata(parameters.data, parameters.email, None)
    user = await store.add_user(
        conn,
        email=parameters.email,
        encrypted_password=password_hash,
        app_metadata=app_metadata,
        user_metadata=user_metadata,
    )
    if user is None:
        raise EmailExists
    return "signup", user


async def _request_email_change(context: AuthContext, conn: Connection, user: User, parameters: LinkParameters) -> None:
    """Stores the new address, unless an earlier request for the link to the other address has stored it."""
    if parameters.new_email is None:
        raise AdminInputInvalid(reason="An email change needs new_email")
    if await store.user_by_email(conn, parameters.new_email):
        raise EmailExists
    if user.new_email != parameters.new_email:
        await store.request_email_change(conn, user.id, parameters.new_email, required_confirmations(context, user))
