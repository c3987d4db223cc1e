"""These queries confirm and change the email addresses and phone numbers of users."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from cairn.auth.store.identities import update_provider_list
from cairn.db import Connection

AddressKind = Literal["email", "phone"]

SentAtColumn = Literal[
    "confirmation_sent_at",
    "invited_at",
    "recovery_sent_at",
    "email_change_sent_at",
    "phone_change_sent_at",
    "reauthentication_sent_at",
]


async def record_sent_at(conn: Connection, user_id: UUID, column: SentAtColumn, now: datetime) -> None:
    await conn.execute(f"update auth.users set {column} = $2 where id = $1", user_id, now)


async def confirm_address(conn: Connection, user_id: UUID, kind: AddressKind, now: datetime) -> None:
    """Marks the address as confirmed. If it was confirmed before, the earlier time stays."""
    await conn.execute(
        f"""
        with identity as (
            update auth.identities
               set identity_data = identity_data || '{{"{kind}_verified": true}}', updated_at = $2
             where user_id = $1 and provider = '{kind}'
        )
        update auth.users
           set {kind}_confirmed_at = coalesce({kind}_confirmed_at, $2), updated_at = $2
         where id = $1
        """,
        user_id, now,
    )  # fmt: skip


async def change_to_proven_address(
    conn: Connection, user_id: UUID, kind: AddressKind, address: str, now: datetime
) -> None:
    """Sets the address and its identity. `clear_account` must have deleted all other identities before."""
    await change_address(conn, user_id, kind, address, now, confirmed=True)
    await update_provider_list(conn, user_id)


async def request_email_change(
    conn: Connection, user_id: UUID, new_email: str, awaited_purposes: Sequence[str]
) -> None:
    """The change takes effect when a mailed link of each purpose in `awaited_purposes` has been used.

    The links that were sent for another new address are deleted. Otherwise they would confirm this change.
    """
    await conn.execute(
        """
        delete from auth.one_time_tokens t
         using auth.users u
         where u.id = $1
           and t.user_id = u.id
           and t.purpose in ('email_change_current', 'email_change_new')
           and u.new_email is distinct from $2
        """,
        user_id, new_email,
    )  # fmt: skip
    await conn.execute(
        "update auth.users set new_email = $2, email_change_awaits = $3 where id = $1",
        user_id,
        new_email,
        awaited_purposes,
    )


async def confirm_email_change(conn: Connection, user_id: UUID, purpose: str) -> list[str]:
    """Records the confirmation and returns the purposes of the links that have not been used yet."""
    awaited_purposes: list[str] = await conn.fetchval(
        """
        update auth.users
           set email_change_awaits = array_remove(email_change_awaits, $2)
         where id = $1
        returning email_change_awaits
        """,
        user_id, purpose,
    )  # fmt: skip
    return awaited_purposes


async def record_email_proof(conn: Connection, user_id: UUID, new_email: str, *, token_only: bool) -> None:
    """Records whether the new address was confirmed with the mailed token alone, or also with the password."""
    await conn.execute(
        """
        update auth.users
           set token_only_emails = array_remove(token_only_emails, $2::text)
                               || case when $3::boolean then array[$2::text] else '{}' end
         where id = $1
        """,
        user_id, new_email, token_only,
    )  # fmt: skip


async def trust_password(conn: Connection, user_id: UUID, session_id: UUID | None) -> None:
    """Lets later sign-ins with the password, which the user has just set in this session, prove the email address.

    Nothing changes if the session has not proven the address. Nothing changes either if the account has a phone number
    or another provider, because someone who used the account earlier may still sign in with those.
    """
    await conn.execute(
        """
        update auth.users u
           set token_only_emails = array_remove(u.token_only_emails, u.email)
          from auth.sessions s
         where u.id = $1 and s.id = $2 and s.user_id = u.id and s.proven_email = u.email and u.phone is null
           and not exists (select from auth.identities i where i.user_id = u.id and i.provider <> 'email')
        """,
        user_id, session_id,
    )  # fmt: skip


async def request_phone_change(conn: Connection, user_id: UUID, new_phone: str) -> None:
    await conn.execute("update auth.users set new_phone = $2 where id = $1", user_id, new_phone)


async def change_address(
    conn: Connection, user_id: UUID, kind: AddressKind, address: str, now: datetime, *, confirmed: bool
) -> None:
    """Replaces the address. An anonymous user becomes a permanent one."""
    await conn.execute(
        f"""
        update auth.users
           set {kind}              = $2,
               {kind}_confirmed_at = case when $4 then $3::timestamptz end,
               new_{kind}          = null,
               email_change_awaits = case when $5 = 'email' then '{{}}' else email_change_awaits end,
               is_anonymous        = false,
               app_metadata        = app_metadata || case when is_anonymous then
                                         jsonb_build_object('provider', $5::text, 'providers', array[$5::text])
                                         else '{{}}' end,
               updated_at          = $3
         where id = $1
        """,
        user_id, address, now, confirmed, kind,
    )  # fmt: skip
    await _upsert_identity(conn, user_id, kind, address, confirmed)


async def _upsert_identity(conn: Connection, user_id: UUID, kind: AddressKind, address: str, confirmed: bool) -> None:
    await conn.execute(
        """
        insert into auth.identities as existing (user_id, provider, provider_id, identity_data)
        values ($1::uuid, $2, $1::uuid::text,
                jsonb_build_object('sub', $1::uuid, $2::text, $3::text, $2::text || '_verified', $4::boolean))
        on conflict (provider, provider_id) do update
              set identity_data = existing.identity_data || excluded.identity_data, updated_at = now()
        """,
        user_id, kind, address, confirmed,
    )  # fmt: skip
