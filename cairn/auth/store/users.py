import json
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from cairn.auth.model import Caller, Factor, Identity, User
from cairn.auth.store.json_rows import read_json_row
from cairn.db import Connection

# All queries for users select these columns from `auth.users u`, joined with `JOIN_IDENTITIES_AND_FACTORS`.
USER_COLUMNS = """
           u.id, u.email, u.encrypted_password, u.email_confirmed_at, u.confirmation_sent_at, u.last_sign_in_at,
           u.app_metadata, u.user_metadata, u.banned_until, u.created_at, u.updated_at, u.phone, u.phone_confirmed_at,
           u.invited_at, u.recovery_sent_at, u.new_email, u.email_change_sent_at, u.email_change_awaits, u.new_phone,
           u.phone_change_sent_at, u.reauthentication_sent_at, u.is_anonymous, u.deleted_at,
           coalesce(related_identities.rows, '[]') as identities,
           coalesce(related_factors.rows, '[]') as factors
"""
JOIN_IDENTITIES_AND_FACTORS = """
      left join lateral (
               select jsonb_agg(to_jsonb(i) order by i.created_at) as rows
                 from auth.identities i
                where i.user_id = u.id
           ) related_identities on true
      left join lateral (
               select jsonb_agg(to_jsonb(f) - '{secret,credential,last_step}'::text[] order by f.created_at) as rows
                 from auth.mfa_factors f
                where f.user_id = u.id
           ) related_factors on true
"""
SELECT_USERS = f"select {USER_COLUMNS} from auth.users u {JOIN_IDENTITIES_AND_FACTORS}"


async def user_by_id(conn: Connection, user_id: UUID) -> User | None:
    return _read_optional_user(await conn.fetchrow(SELECT_USERS + " where u.id = $1", user_id))


async def user_by_email(conn: Connection, email: str) -> User | None:
    return _read_optional_user(await conn.fetchrow(SELECT_USERS + " where u.email = $1", email))


async def user_by_phone(conn: Connection, phone: str) -> User | None:
    return _read_optional_user(await conn.fetchrow(SELECT_USERS + " where u.phone = $1", phone))


async def newest_user_changing_to(conn: Connection, address: str) -> User | None:
    """Returns the user to whom the newest message for a change to this email address or phone number was sent.

    Any number of accounts may request the same address. Only the newest request can be confirmed with a code, so that a
    guess is compared with one code only. Links cannot be guessed, so the links of older requests stay valid.
    """
    row = await conn.fetchrow(
        f"""
        {SELECT_USERS}
         where u.new_email = $1 or u.new_phone = $1
         order by case when u.new_email = $1 then u.email_change_sent_at else u.phone_change_sent_at end
                  desc nulls last
         limit 1
        """,
        address,
    )
    return _read_optional_user(row)


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
    return [read_user(row) for row in rows], total


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
    signed_in_at: datetime | None = None,
) -> User | None:
    """Adds a user with an identity for each address. Returns None if an address already has an account.

    A trigger adds the profile in the same transaction. If the user is signed in immediately, `signed_in_at` is set.
    """
    new_id = await conn.fetchval(
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
              join (values ('email'), ('phone')) as providers (provider)
                on case provider when 'email' then email else phone end is not null
        )
        select id from new_user
        """,
        user_id, email, phone, encrypted_password, json.dumps(app_metadata), json.dumps(user_metadata),
        email_confirmed_at, phone_confirmed_at, invited_at, banned_until, is_anonymous, signed_in_at,
    )  # fmt: skip
    return None if new_id is None else await user_by_id(conn, new_id)


async def record_sign_in(
    conn: Connection, user_id: UUID, provider: str, caller: Caller, now: datetime, *, method: str
) -> None:
    """Records when the user signed in, and adds an audit entry with the method."""
    await conn.execute(
        """
        with identity as (
            update auth.identities set last_sign_in_at = $3 where user_id = $1 and provider = $2
        ), audit_entry as (
            insert into auth.audit_log (user_id, act, ip, payload)
            values ($1, 'login', $4, jsonb_build_object('method', $5::text))
        )
        update auth.users set last_sign_in_at = $3 where id = $1
        """,
        user_id, provider, now, caller.ip, method,
    )  # fmt: skip


async def lock_password(conn: Connection, user_id: UUID, encrypted_password: str | None) -> bool:
    """Keeps the password unchanged until the transaction ends. Returns False if it has changed already."""
    locked_id = await conn.fetchval(
        "select id from auth.users where id = $1 and encrypted_password = $2 for no key update",
        user_id, encrypted_password,
    )  # fmt: skip
    return locked_id is not None


async def change_user(conn: Connection, user_id: UUID, data: Mapping[str, Any], encrypted_password: str | None) -> None:
    """Sets the password if there is a new one, and merges `data` into the metadata. Null removes a key."""
    await conn.execute(
        """
        update auth.users
           set user_metadata      = (user_metadata || $2::jsonb) - $3::text[],
               encrypted_password = coalesce($4, encrypted_password),
               app_metadata       = case when $4 is null then app_metadata else app_metadata - 'password_removed' end,
               updated_at         = now()
         where id = $1
        """,
        user_id, json.dumps(dict(data)), [key for key, value in data.items() if value is None], encrypted_password,
    )  # fmt: skip


def _read_optional_user(row: asyncpg.Record | None) -> User | None:
    return None if row is None else read_user(row)


def read_user(row: asyncpg.Record) -> User:
    """Reads a user from a row with the columns `USER_COLUMNS`. The row may have more columns."""
    columns = {field.name: row[field.name] for field in fields(User)}
    parsed_columns = {
        "app_metadata": json.loads(row["app_metadata"]),
        "user_metadata": json.loads(row["user_metadata"]),
        "identities": _identities(json.loads(row["identities"])),
        "factors": _factors(json.loads(row["factors"])),
    }
    return User(**{**columns, **parsed_columns})


def read_user_json(document: dict[str, Any]) -> User:
    """Reads a user from a row that Postgres has converted to JSON."""
    user = read_json_row(User, document)
    return replace(user, identities=_identities(document["identities"]), factors=_factors(document["factors"]))


def _identities(rows: list[dict[str, Any]]) -> tuple[Identity, ...]:
    return tuple(read_json_row(Identity, row) for row in rows)


def _factors(rows: list[dict[str, Any]]) -> tuple[Factor, ...]:
    return tuple(read_json_row(Factor, row) for row in rows)
