from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import field
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import AdminInputInvalid, EmailExists, NewUserWithoutAddress, NoSuchUser, PhoneTaken
from cairn.auth.model import Caller, User, check_metadata_size, parse_role
from cairn.auth.password_strength import check_new_password
from cairn.auth.passwords import is_password_hash
from cairn.db import Connection
from cairn.kit import Problem, frozen_dataclass, now

# Cairn itself uses these keys of app_metadata. Their values cannot change after the user is created.
FIXED_METADATA = ("role", "company_id")
_COMPANY_ERROR = "app_metadata.company_id must name a company, for a person of role company"


@frozen_dataclass
class AdminChange:
    email: str | None = None
    phone: str | None = None
    password: str | None = field(default=None, repr=False)
    password_hash: str | None = field(default=None, repr=False)
    email_confirm: bool = False
    phone_confirm: bool = False
    user_metadata: Mapping[str, Any] = field(default_factory=dict)
    app_metadata: Mapping[str, Any] = field(default_factory=dict)
    # If this is true, `banned_until` replaces the current value, and None lifts the ban. Otherwise it is ignored.
    changes_ban: bool = False
    banned_until: datetime | None = None


async def list_users(context: AuthContext, search: str, page: int, per_page: int) -> tuple[list[User], int]:
    async with context.transaction(read_only=True) as conn:
        return await store.search_users(conn, search, limit=per_page, offset=(page - 1) * per_page)


async def user_by_id(context: AuthContext, user_id: UUID) -> User:
    async with context.transaction(read_only=True) as conn:
        return await _require_user(conn, user_id)


async def add_user(context: AuthContext, change: AdminChange, caller: Caller, *, user_id: UUID | None) -> User:
    """Creates a user. The addresses are unconfirmed unless `change` says otherwise."""
    if not change.email and not change.phone:
        raise NewUserWithoutAddress
    password_hash = await _password_hash(context, change)
    providers = [name for name, address in (("email", change.email), ("phone", change.phone)) if address]
    moment = now()
    fixed_metadata = _fixed_metadata(change.app_metadata)
    async with _rejecting_unknown_company(), context.transaction() as conn:
        user = await store.add_user(
            conn,
            user_id=user_id,
            email=change.email,
            phone=change.phone,
            encrypted_password=password_hash,
            email_confirmed_at=moment if change.email and change.email_confirm else None,
            phone_confirmed_at=moment if change.phone and change.phone_confirm else None,
            app_metadata={
                "provider": providers[0],
                "providers": providers,
                **_without_nulls(change.app_metadata),
                **fixed_metadata,
            },
            user_metadata=dict(change.user_metadata),
            banned_until=change.banned_until,
        )
        if user is None:
            raise await _conflict_error(conn, change)
        check_metadata_size(user.user_metadata)
        check_metadata_size(user.app_metadata)
        await store.add_audit_entry(conn, "user_added", user.id, caller)
    return user


async def change_as_admin(context: AuthContext, user_id: UUID, change: AdminChange, caller: Caller) -> User:
    """Changes only the fields that are set. A new password and a ban end all sessions of the user."""
    password_hash = await _password_hash(context, change)
    async with context.transaction() as conn:
        user = await _require_user(conn, user_id)
        _check_fixed_metadata(user, change.app_metadata)
        await store.change_user(conn, user_id, change.user_metadata, password_hash)
        await store.change_as_admin(
            conn,
            user_id,
            app_metadata=change.app_metadata,
            changes_ban=change.changes_ban,
            banned_until=change.banned_until,
        )
        await _change_addresses(conn, user, change)
        is_banned = change.changes_ban and change.banned_until is not None and change.banned_until > now()
        if password_hash is not None or is_banned:
            await store.end_all_sessions(conn, user_id)
        await store.add_audit_entry(conn, "user_modified_by_admin", user_id, caller)
        user = await _require_user(conn, user_id)
        check_metadata_size(user.user_metadata)
        check_metadata_size(user.app_metadata)
    return user


async def delete_user(context: AuthContext, user_id: UUID, caller: Caller, *, soft: bool) -> None:
    """Deletes the user but not the signed waivers, which the company keeps."""
    async with context.transaction() as conn:
        await _require_user(conn, user_id)
        if soft:
            await store.anonymize_user(conn, user_id, now())
        else:
            await store.delete_user(conn, user_id)
        await store.add_audit_entry(conn, "user_deleted", user_id, caller, softly=str(soft).lower())


async def _require_user(conn: Connection, user_id: UUID) -> User:
    user = await store.user_by_id(conn, user_id)
    if user is None:
        raise NoSuchUser
    return user


async def _password_hash(context: AuthContext, change: AdminChange) -> str | None:
    if change.password_hash is not None:
        if change.password is not None:
            raise AdminInputInvalid(reason="Only a password or a password hash should be provided")
        if not is_password_hash(change.password_hash):
            raise AdminInputInvalid(reason="A password hash must be Argon2, in its standard text form")
        return change.password_hash
    if change.password is None:
        return None
    check_new_password(change.password, context.settings)
    return await context.passwords.hash(change.password)


def _fixed_metadata(app_metadata: Mapping[str, Any]) -> dict[str, Any]:
    role = parse_role(app_metadata)
    company_id = app_metadata.get("company_id")
    if company_id is None:
        return {"role": role}
    if role != "company" or not isinstance(company_id, str):
        raise AdminInputInvalid(reason=_COMPANY_ERROR)
    try:
        return {"role": role, "company_id": str(UUID(company_id))}
    except ValueError as error:
        raise AdminInputInvalid(reason=_COMPANY_ERROR) from error


@asynccontextmanager
async def _rejecting_unknown_company() -> AsyncIterator[None]:
    """Reports an unknown company, which Postgres detects when it creates the profile of the user."""
    try:
        yield
    except asyncpg.ForeignKeyViolationError as error:
        if error.table_name != "profiles":
            raise
        raise AdminInputInvalid(reason=_COMPANY_ERROR) from error


def _without_nulls(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if value is not None}


def _check_fixed_metadata(user: User, app_metadata: Mapping[str, Any]) -> None:
    for name in FIXED_METADATA:
        if name in app_metadata and app_metadata[name] != user.app_metadata.get(name):
            raise AdminInputInvalid(reason=f"app_metadata.{name} is settled when a person is made")


async def _change_addresses(conn: Connection, user: User, change: AdminChange) -> None:
    await _change_address(conn, user.id, "email", user.email, change.email, confirm=change.email_confirm)
    await _change_address(conn, user.id, "phone", user.phone, change.phone, confirm=change.phone_confirm)


async def _change_address(
    conn: Connection, user_id: UUID, kind: store.AddressKind, current: str | None, new: str | None, *, confirm: bool
) -> None:
    if new and new != current:
        try:
            await store.change_address(conn, user_id, kind, new, now(), confirmed=confirm)
        except asyncpg.UniqueViolationError as error:
            raise (EmailExists if kind == "email" else PhoneTaken) from error
    elif confirm and current:
        await store.confirm_address(conn, user_id, kind, now())


async def _conflict_error(conn: Connection, change: AdminChange) -> Problem:
    if change.email and await store.user_by_email(conn, change.email):
        return EmailExists()
    if change.phone and await store.user_by_phone(conn, change.phone):
        return PhoneTaken()
    return AdminInputInvalid(reason="A user with this id exists already")
