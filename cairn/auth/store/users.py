import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from cairn.auth.model import Caller, Factor, Identity, User
from cairn.db import Connection

USER_COLUMNS = """
           u.id, u.email, u.encrypted_password, u.email_confirmed_at, u.confirmation_sent_at, u.last_sign_in_at,
           u.app_metadata, u.user_metadata, u.banned_until, u.created_at, u.updated_at, u.phone, u.phone_confirmed_at,
           u.invited_at, u.recovery_sent_at, u.new_email, u.email_change_sent_at, u.email_change_awaits, u.new_phone,
           u.phone_change_sent_at, u.reauthentication_sent_at, u.is_anonymous, u.deleted_at,
           coalesce(known.identities, '[]') as identities,
           coalesce(held.factors, '[]') as factors
"""
JOIN_IDENTITIES_AND_FACTORS = """
      left join lateral (
               select jsonb_agg(to_jsonb(i) order by i.created_at) as identities
                 from auth.identities i
                where i.user_id = u.id
           ) known on true
      left join lateral (
               select jsonb_agg(to_jsonb(f) - '{secret,credential,last_step}'::text[] order by f.created_at) as factors
                 from auth.mfa_factors f
                where f.user_id = u.id
           ) held on true
"""
SELECT_USERS = f"select {USER_COLUMNS} from auth.users u {JOIN_IDENTITIES_AND_FACTORS}"


async def user_by_id(conn: Connection, user_id: UUID) -> User | None:
    return _user(await conn.fetchrow(SELECT_USERS + " where u.id = $1", user_id))


async def user_by_email(conn: Connection, email: str) -> User | None:
    return _user(await conn.fetchrow(SELECT_USERS + " where u.email = $1", email))


async def user_by_phone(conn: Connection, phone: str) -> User | None:
    return _user(await conn.fetchrow(SELECT_USERS + " where u.phone = $1", phone))


async def users_changing_to(conn: Connection, address: str) -> list[User]:
    """All users who have requested to change to this email address or phone number."""
    return _users(await conn.fetch(SELECT_USERS + " where u.new_email = $1 or u.new_phone = $1", address))


async def search_users(conn: Connection, text: str, *, limit: int, offset: int) -> tuple[list[User], int]:
    """Returns a page of the users whose address or name contains the text, newest first, and their total number."""
    condition = """
        where u.deleted_at is null
          and ($1 = '' or strpos(lower(concat_ws(' ', u.email, u.phone, u.user_metadata ->> 'name')), lower($1)) > 0)
    """
    total: int = await conn.fetchval("select count(*) from auth.users u" + condition, text)
    rows = await conn.fetch(
        SELECT_USERS + condition + " order by u.created_at desc, u.id limit $2 offset $3", text, limit, offset
    )
    return _users(rows), total


async def add_user(
    conn: Connection,
    *,
    app_metadata: dict[str, Any],
    user_metadata: dict[str, Any],
    email: str | None = None,
    phone: str | None = None,
    encrypted_password: str | None = None,
    user_id: UUID | None = None,
    email_confirmed_at: datetime | None = None,
    phone_confirmed_at: datetime | None = None,
    invited_at: datetime | None = None,
    banned_until: datetime | None = None,
    is_anonymous: bool = False,
    now: datetime | None = None,
) -> User | None:
    """Returns None if the address already has an account. A trigger adds the public profile in the same transaction.

    `now` is the time of the first sign-in, if the user is signed in immediately.
    """
    added = await conn.fetchval(
        """
        with new_user as (
            insert into auth.users (id, email, phone, encrypted_password, app_metadata, user_metadata,
                                    email_confirmed_at, phone_confirmed_at, invited_at, banned_until, is_anonymous,
                                    last_sign_in_at)
            values (coalesce($1, gen_random_uuid()), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            on conflict do nothing
            returning id, email, phone
        ), identity as (
            insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
            select id, provider, id::text,
                   jsonb_strip_nulls(jsonb_build_object('sub', id, 'email', email, 'phone', phone,
                       'email_verified', $7::timestamptz is not null, 'phone_verified', $8::timestamptz is not null)),
                   $12
              from new_user
              join (values ('email'), ('phone')) as kinds (provider)
                on case provider when 'email' then email else phone end is not null
        )
        select id from new_user
        """,
        user_id, email, phone, encrypted_password, json.dumps(app_metadata), json.dumps(user_metadata),
        email_confirmed_at, phone_confirmed_at, invited_at, banned_until, is_anonymous, now,
    )  # fmt: skip
    return None if added is None else await user_by_id(conn, added)


async def record_sign_in(
    conn: Connection, user_id: UUID, provider: str, caller: Caller, now: datetime, *, method: str
) -> None:
    """Also adds the audit entry, with the method."""
    await conn.execute(
        """
        with identity as (
            update auth.identities set last_sign_in_at = $3 where user_id = $1 and provider = $2
        ), noted as (
            insert into auth.audit_log (user_id, act, ip, payload)
            values ($1, 'login', $4, jsonb_build_object('method', $5::text))
        )
        update auth.users set last_sign_in_at = $3 where id = $1
        """,
        user_id, provider, now, caller.ip, method,
    )  # fmt: skip


async def change_user(conn: Connection, user_id: UUID, data: Mapping[str, Any], encrypted_password: str | None) -> None:
    """Merges `data` into the metadata at the top level. A key with the value null is removed."""
    await conn.execute(
        """
        update auth.users
           set user_metadata      = (user_metadata || $2::jsonb) - $3::text[],
               encrypted_password = coalesce($4, encrypted_password),
               updated_at         = now()
         where id = $1
        """,
        user_id, json.dumps(dict(data)), [key for key, value in data.items() if value is None], encrypted_password,
    )  # fmt: skip


def _users(rows: Iterable[asyncpg.Record]) -> list[User]:
    return [user for row in rows if (user := _user(row)) is not None]


def _user(row: asyncpg.Record | None) -> User | None:
    return None if row is None else read_user(row)


def read_user(row: asyncpg.Record) -> User:
    """The row may have more columns than those of `USER_COLUMNS`."""
    identities = tuple(_identity(each) for each in json.loads(row["identities"]))
    factors = tuple(_factor(each) for each in json.loads(row["factors"]))
    metadata = {name: json.loads(row[name]) for name in ("app_metadata", "user_metadata")}
    columns = {name: row[name] for name in COLUMNS}
    return User(**{**columns, **metadata, "identities": identities, "factors": factors})


def read_user_json(document: dict[str, Any]) -> User:
    """Like `read_user`, from JSON, where times and ids are strings."""
    columns = {name: document[name] for name in COLUMNS}
    times = {name: document[name] and datetime.fromisoformat(document[name]) for name in TIMES}
    related = {
        "identities": tuple(map(_identity, document["identities"])),
        "factors": tuple(map(_factor, document["factors"])),
    }
    return User(**{**columns, **times, **related, "id": UUID(document["id"])})


COLUMNS = [field.name for field in fields(User)]
TIMES = [name for name in COLUMNS if name.endswith("_at") or name == "banned_until"]


def _identity(row: dict[str, Any]) -> Identity:
    signed_in_at = row["last_sign_in_at"]
    return Identity(
        id=UUID(row["id"]),
        user_id=UUID(row["user_id"]),
        provider=row["provider"],
        provider_id=row["provider_id"],
        identity_data=row["identity_data"],
        last_sign_in_at=signed_in_at and datetime.fromisoformat(signed_in_at),
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
    )


def _factor(row: dict[str, Any]) -> Factor:
    challenged_at = row["last_challenged_at"]
    return Factor(
        id=UUID(row["id"]),
        user_id=UUID(row["user_id"]),
        friendly_name=row["friendly_name"],
        factor_type=row["factor_type"],
        status=row["status"],
        phone=row["phone"],
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        last_challenged_at=challenged_at and datetime.fromisoformat(challenged_at),
    )
