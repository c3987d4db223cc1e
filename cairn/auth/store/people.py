import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from cairn.auth.model import Factor, Identity, Person
from cairn.db import Connection

PERSON = """
    select u.id, u.email, u.encrypted_password, u.email_confirmed_at, u.confirmation_sent_at, u.last_sign_in_at,
           u.app_metadata, u.user_metadata, u.banned_until, u.created_at, u.updated_at,
           coalesce(known.identities, '[]') as identities,
           coalesce(held.factors, '[]') as factors
      from auth.users u
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


async def person_by_id(conn: Connection, user_id: UUID) -> Person | None:
    return _person(await conn.fetchrow(PERSON + " where u.id = $1", user_id))


async def person_by_email(conn: Connection, email: str) -> Person | None:
    return _person(await conn.fetchrow(PERSON + " where u.email = $1", email))


async def add_person(
    conn: Connection,
    *,
    email: str,
    encrypted_password: str,
    app_metadata: dict[str, Any],
    user_metadata: dict[str, Any],
    now: datetime,
) -> Person | None:
    """None when the address has an account already. The public profile follows by trigger, in the same transaction."""
    user_id = await conn.fetchval(
        """
        with person as (
            insert into auth.users (email, encrypted_password, app_metadata, user_metadata, last_sign_in_at)
            values ($1, $2, $3, $4, $5)
            on conflict (email) do nothing
            returning id, email
        )
        insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
        select id, 'email', id::text,
               jsonb_build_object('sub', id, 'email', email, 'email_verified', false, 'phone_verified', false), $5
          from person
        returning user_id
        """,
        email, encrypted_password, json.dumps(app_metadata), json.dumps(user_metadata), now,
    )  # fmt: skip
    return None if user_id is None else await person_by_id(conn, user_id)


async def signed_in(conn: Connection, user_id: UUID, provider: str, now: datetime) -> None:
    await conn.execute(
        """
        with identity as (
            update auth.identities set last_sign_in_at = $3 where user_id = $1 and provider = $2
        )
        update auth.users set last_sign_in_at = $3 where id = $1
        """,
        user_id, provider, now,
    )  # fmt: skip


async def change_person(
    conn: Connection, user_id: UUID, data: Mapping[str, Any], encrypted_password: str | None
) -> None:
    """`data` is merged shallowly into what is there, and a key set to null is removed."""
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


def _person(row: asyncpg.Record | None) -> Person | None:
    if row is None:
        return None
    identities = tuple(_identity(each) for each in json.loads(row["identities"]))
    factors = tuple(_factor(each) for each in json.loads(row["factors"]))
    metadata = {name: json.loads(row[name]) for name in ("app_metadata", "user_metadata")}
    return Person(**{**dict(row), **metadata, "identities": identities, "factors": factors})


def _identity(row: dict[str, Any]) -> Identity:
    """Out of JSON, where times and ids are texts."""
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
