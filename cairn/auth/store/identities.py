import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.db import Connection


async def lock_names(conn: Connection, *names: str) -> None:
    """Makes transactions that lock the same name run one after another.

    For example, two sign-ins with the same new address must not both create an account. The names are sorted, so that
    two transactions cannot deadlock.
    """
    for name in sorted(names):
        await conn.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", name)


async def identity_owner(conn: Connection, provider: str, provider_id: str) -> UUID | None:
    owner_id: UUID | None = await conn.fetchval(
        "select user_id from auth.identities where provider = $1 and provider_id = $2", provider, provider_id
    )
    return owner_id


async def add_federated_user(
    conn: Connection,
    *,
    email: str | None,
    confirmed_at: datetime | None,
    app_metadata: Mapping[str, Any],
    user_metadata: Mapping[str, Any],
) -> UUID | None:
    """Creates a user without a password. Returns None if the address already has an account."""
    user_id: UUID | None = await conn.fetchval(
        """
        insert into auth.users (email, email_confirmed_at, app_metadata, user_metadata)
        values ($1, $2, $3, $4)
        on conflict (email) do nothing
        returning id
        """,
        email, confirmed_at, json.dumps(dict(app_metadata)), json.dumps(dict(user_metadata)),
    )  # fmt: skip
    return user_id


async def add_identity(
    conn: Connection, user_id: UUID, provider: str, provider_id: str, data: Mapping[str, Any], *, now: datetime
) -> None:
    await conn.execute(
        """
        insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
        values ($1, $2, $3, $4, $5)
        """,
        user_id, provider, provider_id, json.dumps(dict(data)), now,
    )  # fmt: skip
    await update_provider_list(conn, user_id)


async def update_identity(
    conn: Connection, provider: str, provider_id: str, data: Mapping[str, Any], *, now: datetime
) -> None:
    """Stores the provider's current data and the time of the sign-in. Metadata that the user has set is kept."""
    await conn.execute(
        """
        with identity as (
            update auth.identities
               set identity_data = $3, last_sign_in_at = $4, updated_at = $4
             where provider = $1 and provider_id = $2
            returning user_id
        )
        update auth.users
           set last_sign_in_at = $4, user_metadata = $3::jsonb || user_metadata
         where id = (select user_id from identity)
        """,
        provider, provider_id, json.dumps(dict(data)), now,
    )  # fmt: skip


async def make_permanent(conn: Connection, user_id: UUID, email: str | None, now: datetime) -> None:
    """Makes an anonymous user permanent. The user gets the address unless another account already has it."""
    await conn.execute(
        """
        update auth.users
           set is_anonymous       = false,
               email              = available.email,
               email_confirmed_at = case when available.email is not null then $3::timestamptz end,
               updated_at         = $3
          from (select case when not exists (select from auth.users where email = $2) then $2 end as email) available
         where id = $1 and is_anonymous
        """,
        user_id, email, now,
    )  # fmt: skip


async def remove_identity(conn: Connection, user_id: UUID, identity_id: UUID) -> None:
    """Removes an identity. The password belongs to the identity `email` and is deleted with it."""
    provider = await conn.fetchval(
        "delete from auth.identities where user_id = $1 and id = $2 returning provider", user_id, identity_id
    )
    if provider == "email":
        await conn.execute("update auth.users set encrypted_password = null where id = $1", user_id)
    await update_provider_list(conn, user_id)


async def clear_account(conn: Connection, user_id: UUID, *, kept_flow_id: UUID | None = None) -> None:
    """Deletes everything that lets someone use the account.

    These are sessions, password, factors, codes, identities, phone, and pending links and changes. A sign-in that is
    under way holds the lock on its flow or on the user, or has to wait for that lock. So the flows are deleted and the
    user is locked first, and the last statement then also deletes a session that the sign-in has opened. Triggers on
    `handed_over_at` remove what an earlier user has connected to the company.
    """
    await conn.execute(
        "delete from auth.flow_state where (user_id = $1 or linking_user_id = $1) and id is distinct from $2",
        user_id, kept_flow_id,
    )  # fmt: skip
    await conn.execute("select from auth.users where id = $1 for update", user_id)
    await conn.execute(
        """
        with sessions   as (delete from auth.sessions where user_id = $1),
             factors    as (delete from auth.mfa_factors where user_id = $1),
             codes      as (delete from auth.mfa_recovery_codes where user_id = $1),
             tokens     as (delete from auth.one_time_tokens where user_id = $1),
             identities as (delete from auth.identities where user_id = $1)
        update auth.users
           set encrypted_password = null, phone = null, phone_confirmed_at = null,
               new_email = null, email_change_awaits = '{}', new_phone = null, token_only_emails = '{}',
               handed_over_at = now()
         where id = $1
        """,
        user_id,
    )


async def mark_password_removed(conn: Connection, user_id: UUID) -> None:
    """Marks that the user should choose a new password. The mark disappears when they do."""
    await conn.execute(
        """
        update auth.users set app_metadata = app_metadata || '{"password_removed": true}' where id = $1
        """,
        user_id,
    )


async def lock_user(conn: Connection, user_id: UUID) -> None:
    """Makes other transactions that change this user or their tokens wait for the end of this one."""
    await conn.execute("select from auth.users where id = $1 for no key update", user_id)


async def update_provider_list(conn: Connection, user_id: UUID) -> None:
    """Copies the providers of the user's identities into app_metadata, which is part of every access token."""
    await conn.execute(
        """
        with current as (
            select jsonb_agg(provider order by created_at) as providers,
                   (array_agg(provider order by created_at))[1] as first
              from auth.identities
             where user_id = $1
        )
        update auth.users
           set app_metadata = app_metadata || jsonb_build_object(
                   'providers', current.providers,
                   'provider', case when current.providers ? (app_metadata ->> 'provider')
                                    then app_metadata ->> 'provider' else current.first end),
               updated_at = now()
          from current
         where id = $1
        """,
        user_id,
    )
