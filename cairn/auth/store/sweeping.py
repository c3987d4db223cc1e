from datetime import timedelta

from cairn.db import Connection


async def sweep(conn: Connection, max_age: timedelta) -> None:
    """Deletes tokens and flows that are older than `max_age`."""
    await conn.execute("delete from auth.one_time_tokens where created_at < now() - $1::interval", max_age)
    await conn.execute("delete from auth.flow_state where created_at < now() - $1::interval", max_age)
