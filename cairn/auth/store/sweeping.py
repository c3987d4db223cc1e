from datetime import timedelta

from cairn.auth.store.password_tries import COUNT_RETENTION
from cairn.db import Connection


async def sweep(conn: Connection, max_age: timedelta) -> None:
    """Deletes tokens and flows that are older than `max_age`, and expired counts of password tries."""
    await conn.execute("delete from auth.password_tries where last_try_at < now() - $1::interval", COUNT_RETENTION)
    await conn.execute("delete from auth.one_time_tokens where created_at < now() - $1::interval", max_age)
    await conn.execute("delete from auth.flow_state where created_at < now() - $1::interval", max_age)
