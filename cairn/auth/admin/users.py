"""People as an administrator makes, changes and removes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import AdminInputInvalid, EmailExists, NewUserWithoutAddress, NoSuchUser, PhoneTaken
from cairn.auth.model import Caller, Person, accept_metadata, chosen_role
from cairn.auth.password_strength import accept_password
from cairn.auth.passwords import is_hash
from cairn.db import Connection
from cairn.kit import Problem, now

# What the house itself keeps in app_metadata; it is settled when a person is made.
SETTLED = ("role", "company_id")


@dataclass(frozen=True, slots=True)
class AdminChange:
    email: str | None = None
    phone: str | None = None
    password: str | None = field(default=None, repr=False)
    password_hash: str | None = field(default=None, repr=False)
    email_confirm: bool = False
    phone_confirm: bool = False
    user_metadata: Mapping[str, Any] = field(default_factory=dict)
    app_metadata: Mapping[str, Any] = field(default_factory=dict)
    ban: bool = False
    banned_until: datetime | None = None


async def list_users(context: AuthContext, words: str, page: int, per_page: int) -> tuple[list[Person], int]:
    async with context.transaction(read_only=True) as conn:
        return await store.search_people(conn, words, limit=per_page, offset=(page - 1) * per_page)


async def user_by_id(context: AuthContext, user_id: UUID) -> Person:
    async with context.transaction(read_only=True) as conn:
        return await _existing(conn, user_id)


async def add_user(context: AuthContext, wish: AdminChange, caller: Caller, *, user_id: UUID | None) -> Person:
    """Unconfirmed, unless asked for: an administrator's word proves no address."""
    if not wish.email and not wish.phone:
        raise NewUserWithoutAddress
    encrypted = await _password(context, wish)
    ways = [way for way, address in (("email", wish.email), ("phone", wish.phone)) if address]
    moment = now()
    async with context.transaction() as conn:
        settled = await _settled(conn, wish.app_metadata)
        person = await store.add_person(
            conn,
            user_id=user_id,
            email=wish.email,
            phone=wish.phone,
            encrypted_password=encrypted,
            email_confirmed_at=moment if wish.email and wish.email_confirm else None,
            phone_confirmed_at=moment if wish.phone and wish.phone_confirm else None,
            app_metadata={"provider": ways[0], "providers": ways, **_given(wish.app_metadata), **settled},
            user_metadata=dict(wish.user_metadata),
            banned_until=wish.banned_until,
        )
        if person is None:
            raise await _taken(conn, wish)
        accept_metadata(person.user_metadata)
        accept_metadata(person.app_metadata)
        await store.add_audit_entry(conn, "user_added", person.id, caller)
    return person


async def change_as_admin(context: AuthContext, user_id: UUID, wish: AdminChange, caller: Caller) -> Person:
    """What is not named stays. A new password ends every session: the administrator knows it, too."""
    encrypted = await _password(context, wish)
    async with context.transaction() as conn:
        person = await _existing(conn, user_id)
        _refuse_resettling(person, wish.app_metadata)
        await store.change_person(conn, user_id, wish.user_metadata, encrypted)
        await store.change_as_admin(
            conn, user_id, app_metadata=wish.app_metadata, ban=wish.ban, banned_until=wish.banned_until
        )
        await _change_addresses(conn, person, wish)
        if encrypted is not None:
            await store.end_all_sessions(conn, user_id)
        await store.add_audit_entry(conn, "user_modified_by_admin", user_id, caller)
        changed = await _existing(conn, user_id)
        accept_metadata(changed.user_metadata)
        accept_metadata(changed.app_metadata)
    return changed


async def delete_user(context: AuthContext, user_id: UUID, caller: Caller, *, softly: bool) -> None:
    """The person goes; what they and their guests signed stays with the company."""
    async with context.transaction() as conn:
        await _existing(conn, user_id)
        if softly:
            await store.anonymize_person(conn, user_id, now())
        else:
            await store.delete_person(conn, user_id)
        await store.add_audit_entry(conn, "user_deleted", user_id, caller, softly=str(softly).lower())


async def _existing(conn: Connection, user_id: UUID) -> Person:
    person = await store.person_by_id(conn, user_id)
    if person is None:
        raise NoSuchUser
    return person


async def _password(context: AuthContext, wish: AdminChange) -> str | None:
    if wish.password_hash is not None:
        if wish.password is not None:
            raise AdminInputInvalid(reason="Only a password or a password hash should be provided")
        if not is_hash(wish.password_hash):
            raise AdminInputInvalid(reason="A password hash must be Argon2, in its standard text form")
        return wish.password_hash
    if wish.password is None:
        return None
    accept_password(wish.password, context.settings)
    return await context.passwords.hash(wish.password)


async def _settled(conn: Connection, app_metadata: Mapping[str, Any]) -> dict[str, Any]:
    role = chosen_role(app_metadata)
    company = app_metadata.get("company_id")
    if company is None:
        return {"role": role}
    try:
        known = isinstance(company, str) and await store.company_exists(conn, UUID(company))
    except ValueError:
        known = False
    if not known or role != "company":
        raise AdminInputInvalid(reason="app_metadata.company_id must name a company, for a person of role company")
    return {"role": role, "company_id": str(UUID(company))}


def _given(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if value is not None}


def _refuse_resettling(person: Person, app_metadata: Mapping[str, Any]) -> None:
    for name in SETTLED:
        if name in app_metadata and app_metadata[name] != person.app_metadata.get(name):
            raise AdminInputInvalid(reason=f"app_metadata.{name} is settled when a person is made")


async def _change_addresses(conn: Connection, person: Person, wish: AdminChange) -> None:
    moment = now()
    try:
        if wish.email and wish.email != person.email:
            await store.change_email(conn, person.id, wish.email, moment, confirmed=wish.email_confirm)
        elif wish.email_confirm and person.email:
            await store.confirm_email(conn, person.id, moment)
    except asyncpg.UniqueViolationError as taken:
        raise EmailExists from taken
    try:
        if wish.phone and wish.phone != person.phone:
            await store.change_phone(conn, person.id, wish.phone, moment, confirmed=wish.phone_confirm)
        elif wish.phone_confirm and person.phone:
            await store.confirm_phone(conn, person.id, moment)
    except asyncpg.UniqueViolationError as taken:
        raise PhoneTaken from taken


async def _taken(conn: Connection, wish: AdminChange) -> Problem:
    if wish.email and await store.person_by_email(conn, wish.email):
        return EmailExists()
    if wish.phone and await store.person_by_phone(conn, wish.phone):
        return PhoneTaken()
    return AdminInputInvalid(reason="A user with this id exists already")
