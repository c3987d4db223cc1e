from datetime import timedelta

from cairn.auth.store.password_tries import COUNT_RETENTION
from cairn.db import Connection

# Deletes up to $1 sessions that were not refreshed for $2, with their tokens, and returns how many these were.
DELETE_IDLE_SESSIONS = """
with idle as (
    select id from auth.sessions
     where coalesce(refreshed_at, created_at) < now() - $2::interval
     limit $1 for update skip locked),
deleted as (
    delete from auth.sessions s using idle where s.id = idle.id returning s.id)
select count(*) from deleted
"""


async def sweep(conn: Connection, max_age: timedelta) -> None:
    """Deletes tokens, flows and challenges that are older than `max_age`, and expired counts of password tries."""
    await conn.execute("delete from auth.password_tries where last_try_at < now() - $1::interval", COUNT_RETENTION)
    await conn.execute("delete from auth.one_time_tokens where created_at < now() - $1::interval", max_age)
    await conn.execute("delete from auth.flow_state where created_at < now() - $1::interval", max_age)
    await conn.execute("delete from auth.mfa_challenges where created_at < now() - $1::interval", max_age)
