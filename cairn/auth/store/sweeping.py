from datetime import timedelta

from cairn.db import Connection


async def sweep(conn: Connection, oldest: timedelta) -> None:
    """Deletes full buckets, and tokens and flows that are older than the longest lifetime of a link."""
    await conn.execute("delete from auth.rate_limits where full_at < now()")
    await conn.execute("delete from auth.one_time_tokens where created_at < now() - $1::interval", oldest)
    await conn.execute("delete from auth.flow_state where created_at < now() - $1::interval", oldest)
