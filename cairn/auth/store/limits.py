from datetime import timedelta

from cairn.db import Connection


async def take(conn: Connection, bucket: str, *, every: timedelta, room: timedelta) -> timedelta | None:
    """Takes one from the bucket; None when there was one, otherwise how long until there is."""
    taken = await conn.fetchval(
        """
        insert into auth.rate_limits as known (bucket, full_at)
        values ($1, now() + $2::interval)
        on conflict (bucket) do update
              set full_at = greatest(known.full_at, now()) + $2::interval
            where greatest(known.full_at, now()) + $2::interval <= now() + $3::interval
        returning true
        """,
        bucket, every, room,
    )  # fmt: skip
    if taken:
        return None
    wait: timedelta | None = await conn.fetchval(
        "select full_at + $2::interval - $3::interval - now() from auth.rate_limits where bucket = $1",
        bucket,
        every,
        room,
    )
    return wait


async def give_back(conn: Connection, bucket: str, *, every: timedelta) -> None:
    await conn.execute("update auth.rate_limits set full_at = full_at - $2::interval where bucket = $1", bucket, every)
