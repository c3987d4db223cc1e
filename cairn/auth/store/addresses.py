"""Confirming and changing the email addresses and phone numbers of users."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from cairn.db import Connection

SentColumn = Literal[
    "confirmation_sent_at",
    "invited_at",
    "recovery_sent_at",
    "email_change_sent_at",
    "phone_change_sent_at",
    "reauthentication_sent_at",
]


async def record_sent(conn: Connection, user_id: UUID, column: SentColumn, now: datetime) -> None:
    await conn.execute(f"update auth.users set {column} = $2 where id = $1", user_id, now)


async def confirm_email(conn: Connection, user_id: UUID, now: datetime) -> None:
    """Keeps the time of the first confirmation."""
    await conn.execute(
        """
        with identity as (
            update auth.identities
               set identity_data = identity_data || '{"email_verified": true}', updated_at = $2
             where user_id = $1 and provider = 'email'
        )
        update auth.users
           set email_confirmed_at = coalesce(email_confirmed_at, $2), updated_at = $2
         where id = $1
        """,
        user_id, now,
    )  # fmt: skip


async def confirm_phone(conn: Connection, user_id: UUID, now: datetime) -> None:
    await conn.execute(
        """
        with identity as (
            update auth.identities
               set identity_data = identity_data || '{"phone_verified": true}', updated_at = $2
             where user_id = $1 and provider = 'phone'
        )
        update auth.users
           set phone_confirmed_at = coalesce(phone_confirmed_at, $2), updated_at = $2
         where id = $1
        """,
        user_id, now,
    )  # fmt: skip


async def request_email_change(conn: Connection, user_id: UUID, new_email: str, awaits: Sequence[str]) -> None:
    await conn.execute(
        "update auth.users set new_email = $2, email_change_awaits = $3 where id = $1", user_id, new_email, awaits
    )


async def confirm_email_change(conn: Connection, user_id: UUID, by: str) -> list[str]:
    """Returns which addresses have not confirmed yet."""
    awaits: list[str] = await conn.fetchval(
        """
        update auth.users
           set email_change_awaits = array_remove(email_change_awaits, $2)
         where id = $1
        returning email_change_awaits
        """,
        user_id, by,
    )  # fmt: skip
    return awaits


async def request_phone_change(conn: Connection, user_id: UUID, new_phone: str) -> None:
    await conn.execute("update auth.users set new_phone = $2 where id = $1", user_id, new_phone)


async def change_email(conn: Connection, user_id: UUID, email: str, now: datetime, *, confirmed: bool) -> None:
    """Replaces the address. An anonymous user becomes a permanent one."""
    await conn.execute(
        """
        update auth.users
           set email              = $2,
               email_confirmed_at = case when $4 then $3::timestamptz end,
               new_email          = null,
               email_change_awaits = '{}',
               is_anonymous       = false,
               app_metadata       = app_metadata || case when is_anonymous
                                    then '{"provider": "email", "providers": ["email"]}'::jsonb else '{}' end,
               updated_at         = $3
         where id = $1
        """,
        user_id, email, now, confirmed,
    )  # fmt: skip
    await _upsert_identity(conn, user_id, "email", email, confirmed)


async def change_phone(conn: Connection, user_id: UUID, phone: str, now: datetime, *, confirmed: bool) -> None:
    await conn.execute(
        """
        update auth.users
           set phone              = $2,
               phone_confirmed_at = case when $4 then $3::timestamptz end,
               new_phone          = null,
               is_anonymous       = false,
               app_metadata       = app_metadata || case when is_anonymous
                                    then '{"provider": "phone", "providers": ["phone"]}'::jsonb else '{}' end,
               updated_at         = $3
         where id = $1
        """,
        user_id, phone, now, confirmed,
    )  # fmt: skip
    await _upsert_identity(conn, user_id, "phone", phone, confirmed)


async def _upsert_identity(conn: Connection, user_id: UUID, provider: str, address: str, confirmed: bool) -> None:
    await conn.execute(
        """
        insert into auth.identities as existing (user_id, provider, provider_id, identity_data)
        values ($1::uuid, $2, $1::uuid::text,
                jsonb_build_object('sub', $1::uuid, $2::text, $3::text, $2::text || '_verified', $4::boolean))
        on conflict (provider, provider_id) do update
              set identity_data = existing.identity_data || excluded.identity_data, updated_at = now()
        """,
        user_id, provider, address, confirmed,
    )  # fmt: skip
