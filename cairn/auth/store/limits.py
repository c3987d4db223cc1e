from datetime import timedelta

from cairn.db import SERVICE, Connection, Database

# A bucket that somebody else began at this very moment is in no snapshot of ours: then the wait is for one drop.
_TAKE = """
with taken as (
    insert into auth.rate_limits as known (bucket, full_at)
    values ($1, now() + $2::text::interval)
    on conflict (bucket) do update
          set full_at = greatest(known.full_at, now()) + $2::text::interval
        where greatest(known.full_at, now()) + $2::text::interval <= now() + $3::text::interval
    returning true
)
select case when not exists (select from taken) then extract(epoch from coalesce(
           (select full_at + $2::text::interval - $3::text::interval - now() from auth.rate_limits where bucket = $1),
           $2::text::interval))::text end
"""


async def take_from_bucket(conn: Connection, bucket: str, *, interval: timedelta, capacity: timedelta) -> float | None:
    """Takes one from the bucket; None when there was one, otherwise how many seconds until there is."""
    wait: str | None = await conn.fetchval(_TAKE, bucket, _interval(interval), _interval(capacity))
    return None if wait is None else float(wait)


async def take_from_bucket_now(
    database: Database, bucket: str, *, interval: timedelta, capacity: timedelta
) -> float | None:
    """The same in a transaction of its own, which many who come from one address wait for as short as can be."""
    values = (bucket, _interval(interval), _interval(capacity))
    (wait,) = await database.run_statement(SERVICE, {"lock_timeout": "5s"}, _TAKE, values)
    return None if wait is None else float(wait)


async def return_to_bucket(conn: Connection, bucket: str, *, interval: timedelta) -> None:
    await conn.execute(
        "update auth.rate_limits set full_at = full_at - $2::interval where bucket = $1", bucket, interval
    )


def _interval(time: timedelta) -> str:
    return f"{time // timedelta(microseconds=1)} microseconds"
