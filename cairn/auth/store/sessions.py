import json
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from cairn.auth.model import Caller, RefreshToken, Session, User
from cairn.auth.store.json_rows import read_json_row
from cairn.auth.store.users import JOIN_IDENTITIES_AND_FACTORS, USER_COLUMNS, read_user, read_user_json
from cairn.db import SERVICE, Connection, Database, Value
from cairn.kit import frozen_dataclass


@frozen_dataclass
class SessionCutoffs:
    """A session has ended if it was created or last refreshed before these times. None means that there is no limit."""

    created_at: datetime | None
    refreshed_at: datetime | None


async def add_session(
    conn: Connection,
    user_id: UUID,
    amr: list[dict[str, Any]],
    caller: Caller,
    token_sha256: bytes,
    *,
    mailed_to: str | None,
    max_sessions: int,
) -> Session:
    """Adds a session with its first refresh token. The trigger `note_proven_email` decides what `mailed_to` proves.

    If the user has `max_sessions` already, the least recently used ones end. Sessions that passed the second factor are
    counted by `raise_to_aal2`, so someone who only knows the password cannot end them.
    """
    row = await conn.fetchrow(
        """
        with session as (
            insert into auth.sessions (user_id, amr, ip, user_agent, proven_email)
            values ($1, $2, $3, $4, $6)
            returning id, user_id, aal, amr, created_at, refreshed_at
        ), token as (
            insert into auth.refresh_tokens (session_id, token_sha256) select id, $5 from session
        ), ended as (
            delete from auth.sessions
             where id in (select id
                            from auth.sessions
                           where user_id = $1 and aal = 'aal1'
                           order by coalesce(refreshed_at, created_at) desc
                          offset $7 - 1)
        )
        select id, user_id, aal, amr, created_at, refreshed_at from session
        """,
        user_id, json.dumps(amr), caller.ip, caller.user_agent, token_sha256, mailed_to, max_sessions,
    )  # fmt: skip
    assert row is not None
    return _session(row)


async def session_by_id(conn: Connection, session_id: UUID) -> Session | None:
    row = await conn.fetchrow(
        "select id, user_id, aal, amr, created_at, refreshed_at from auth.sessions where id = $1", session_id
    )
    return None if row is None else _session(row)


async def session_by_token(conn: Connection, token_sha256: bytes) -> tuple[Session, User] | None:
    """Finds the session of a refresh token and locks it, so that concurrent refreshes of the same session wait."""
    row = await conn.fetchrow(
        f"""
        select {SESSION_COLUMNS}, {USER_COLUMNS}
          from auth.sessions s
          join auth.users u on u.id = s.user_id
          {JOIN_IDENTITIES_AND_FACTORS}
         where s.id = (select session_id from auth.refresh_tokens where token_sha256 = $1)
           for update of s
        """,
        token_sha256,
    )
    return None if row is None else _session_and_user(row)


async def rotate_active_token(
    database: Database,
    token_sha256: bytes,
    successor_sha256: bytes,
    *,
    now: datetime,
    cutoffs: SessionCutoffs,
    caller: Caller,
) -> tuple[Session, User] | None:
    """Replaces the active token of a valid session, in one round trip.

    Returns None and changes nothing if the token is not active or the session has ended.
    """
    cutoff_times = [time.isoformat() if time else "" for time in (cutoffs.created_at, cutoffs.refreshed_at)]
    values: tuple[Value, ...] = (token_sha256, successor_sha256, now.isoformat(), *cutoff_times, caller.ip or "")
    row = await database.run_statement(SERVICE, {"lock_timeout": "5s"}, _ROTATE_TOKEN, values)
    if not row or row[0] is None:
        return None
    document = json.loads(row[0])
    return read_json_row(Session, document, prefix="s_"), read_user_json(document)


async def session_and_user(
    conn: Connection, user_id: UUID, session_id: UUID | None
) -> tuple[Session | None, User] | None:
    """Returns the user, and their session with this id if it exists."""
    row = await conn.fetchrow(
        f"""
        select {SESSION_COLUMNS}, {USER_COLUMNS}
          from auth.users u
          left join auth.sessions s on s.id = $2 and s.user_id = u.id
          {JOIN_IDENTITIES_AND_FACTORS}
         where u.id = $1
        """,
        user_id, session_id,
    )  # fmt: skip
    if row is None:
        return None
    return (None, read_user(row)) if row["s_id"] is None else _session_and_user(row)


async def lock_session(conn: Connection, session_id: UUID) -> Session | None:
    await conn.execute("select from auth.sessions where id = $1 for update", session_id)
    return await session_by_id(conn, session_id)


async def active_token(conn: Connection, session_id: UUID) -> RefreshToken | None:
    row = await conn.fetchrow(
        """
        select id, token_sha256, parent_id, revoked_at
          from auth.refresh_tokens
         where session_id = $1 and revoked_at is null
        """,
        session_id,
    )
    return None if row is None else RefreshToken(**dict(row))


async def raise_to_aal2(
    conn: Connection, session: Session, amr: list[dict[str, Any]], factor_id: UUID | None, *, max_sessions: int
) -> None:
    """Raises the session to aal2.

    If the user then has more than `max_sessions` sessions at aal2, the least recently used ones end.
    """
    await conn.execute(
        """
        with ended as (
            delete from auth.sessions
             where id in (select id
                            from auth.sessions
                           where user_id = $5 and aal = 'aal2' and id <> $1
                           order by coalesce(refreshed_at, created_at) desc
                          offset $4 - 1)
        )
        update auth.sessions set aal = 'aal2', amr = $2, factor_id = $3 where id = $1
        """,
        session.id, json.dumps(amr), factor_id, max_sessions, session.user_id,
    )  # fmt: skip


async def presented_and_active_token(
    conn: Connection, session_id: UUID, token_sha256: bytes
) -> tuple[RefreshToken, RefreshToken | None]:
    """Returns the token that the client sent and the one that is active now."""
    rows = await conn.fetch(
        """
        select id, token_sha256, parent_id, revoked_at
          from auth.refresh_tokens
         where session_id = $1 and (token_sha256 = $2 or revoked_at is null)
        """,
        session_id, token_sha256,
    )  # fmt: skip
    tokens = [RefreshToken(**dict(row)) for row in rows]
    presented = next(token for token in tokens if token.token_sha256 == token_sha256)
    return presented, next((token for token in tokens if token.revoked_at is None), None)


async def replace_token(conn: Connection, session_id: UUID, token_id: int, token_sha256: bytes, now: datetime) -> None:
    await conn.execute(
        """
        with refreshed as (
            update auth.sessions set refreshed_at = $4 where id = $1
        ), revoked as (
            update auth.refresh_tokens set revoked_at = $4 where id = $2
        )
        insert into auth.refresh_tokens (session_id, token_sha256, parent_id) values ($1, $3, $2)
        """,
        session_id, token_id, token_sha256, now,
    )  # fmt: skip


async def end_session(conn: Connection, session_id: UUID) -> None:
    await conn.execute("delete from auth.sessions where id = $1", session_id)


async def end_all_sessions(conn: Connection, user_id: UUID) -> bool:
    """Returns whether there was a session."""
    return await conn.execute("delete from auth.sessions where user_id = $1", user_id) != "DELETE 0"


async def end_other_sessions(conn: Connection, user_id: UUID, kept_session_id: UUID | None) -> bool:
    """Returns whether there was another session."""
    status = await conn.execute(
        "delete from auth.sessions where user_id = $1 and id is distinct from $2", user_id, kept_session_id
    )
    return status != "DELETE 0"


async def end_aal1_sessions(conn: Connection, user_id: UUID) -> None:
    await conn.execute("delete from auth.sessions where user_id = $1 and aal = 'aal1'", user_id)


# The prefix distinguishes the columns of the session from those of the user in the same row.
SESSION_COLUMNS = ", ".join(
    f"s.{column} as s_{column}" for column in ("id", "user_id", "aal", "amr", "created_at", "refreshed_at")
)


# Replaces the token $1 by its successor $2 at the time $3. Nothing changes if the token was already replaced, if the
# user is banned, or if the session was created before $4 or last refreshed before $5. $6 is the IP address of the
# caller. For the last three parameters, an empty text means null.
_ROTATE_TOKEN = f"""
with locked as (
    select {SESSION_COLUMNS}, {USER_COLUMNS}
      from auth.sessions s
      join auth.users u on u.id = s.user_id
      {JOIN_IDENTITIES_AND_FACTORS}
     where s.id = (select session_id from auth.refresh_tokens where token_sha256 = $1::bytea)
       for update of s
), revoked as (
    update auth.refresh_tokens t
       set revoked_at = $3::timestamptz
      from locked l
     where t.token_sha256 = $1::bytea
       and t.revoked_at is null
       and (l.banned_until is null or l.banned_until <= $3::timestamptz)
       and ($4::text = '' or l.s_created_at >= $4::text::timestamptz)
       and ($5::text = '' or coalesce(l.s_refreshed_at, l.s_created_at) >= $5::text::timestamptz)
    returning t.id, t.session_id
), successor as (
    insert into auth.refresh_tokens (session_id, token_sha256, parent_id)
    select session_id, $2::bytea, id from revoked
), refreshed as (
    update auth.sessions s set refreshed_at = $3::timestamptz from revoked where s.id = revoked.session_id
), audit_entry as (
    insert into auth.audit_log (act, user_id, ip, payload)
    select 'token_refreshed', l.id, nullif($6::text, ''), '{{}}' from locked l cross join revoked
)
select to_jsonb(l)::text from locked l cross join revoked
"""


def _session_and_user(row: asyncpg.Record) -> tuple[Session, User]:
    session = Session(
        id=row["s_id"],
        user_id=row["s_user_id"],
        aal=row["s_aal"],
        amr=json.loads(row["s_amr"]),
        created_at=row["s_created_at"],
        refreshed_at=row["s_refreshed_at"],
    )
    return session, read_user(row)


def _session(row: asyncpg.Record) -> Session:
    return Session(**{**row, "amr": json.loads(row["amr"])})
