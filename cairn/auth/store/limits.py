from datetime import timedelta

from cairn.db import SERVICE, Connection, Database

# A row that a concurrent transaction has just inserted is not in our snapshot; then the wait is one interval.
_TAKE = """
with taken as (
    insert into auth.rate_limits as existing (bucket, full_at)
    values ($1, now() + $2::text::interval)
    on conflict (bucket) do update
          set full_at = greatest(existing.full_at, now()) + $2::text::interval
        where greatest(existing.full_at, now()) + $2::text::interval <= now() + $3::text::interval
    returning true
)
select case when not exists (select from taken) then extract(epoch from coalesce(
           (select full_at + $2::text::interval - $3::text::interval - now() from auth.rate_limits where bucket = $1),
           $2::text::interval))::text end
"""


async def take_from_bucket(conn: Connection, bucket: str, *, interval: timedelta, capacity: timedelta) -> float | None:
    """Takes one token; returns None, or the seconds to wait if the bucket is empty."""
    wait: str | None = await conn.fetchval(_TAKE, bucket, _interval(interval), _interval(capacity))
    return None if wait is None else float(wait)


async def take_from_bucket_now(
    database: Database, bucket: str, *, interval: timedelta, capacity: timedelta
) -> float | None:
    """Takes one token in its own short transaction, because many requests may wait for the row of one address."""
    values = (bucket, _interval(interval), _interval(capacity))
    (wait,) = await database.run_statement(SERVICE, {"lock_timeout": "5s"}, _TAKE, values)
    return None if wait is None else float(wait)


async def return_to_bucket(conn: Connection, bucket: str, *, interval: timedelta) -> None:
    await conn.execute(
        "update auth.rate_limits set full_at = full_at - $2::interval where bucket = $1", bucket, interval
    )


def _interval(time: timedelta) -> str:
    return f"{time // timedelta(microseconds=1)} microseconds"
