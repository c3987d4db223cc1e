from datetime import timedelta

from cairn.db import SERVICE, Connection, Database

# Takes one token from the bucket $1, or returns the seconds to wait if the bucket is empty. $2 is the time in which one
# token returns to the bucket, and $3 is the time in which an empty bucket becomes full. If a concurrent transaction has
# just inserted the row, this statement cannot see it yet, and the wait is the time for one token.
_TAKE_FROM_BUCKET = """
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


async def take_from_bucket(
    conn: Connection, bucket: str, *, refill_interval: timedelta, window: timedelta
) -> float | None:
    """Takes one token. If the bucket is empty, returns how many seconds to wait."""
    wait_seconds: str | None = await conn.fetchval(
        _TAKE_FROM_BUCKET, bucket, _interval(refill_interval), _interval(window)
    )
    return None if wait_seconds is None else float(wait_seconds)


async def take_from_bucket_and_commit(
    database: Database, bucket: str, *, refill_interval: timedelta, window: timedelta
) -> float | None:
    """Takes one token in a separate short transaction, because many requests may wait for the same bucket."""
    values = (bucket, _interval(refill_interval), _interval(window))
    (wait_seconds,) = await database.run_statement(SERVICE, {"lock_timeout": "5s"}, _TAKE_FROM_BUCKET, values)
    return None if wait_seconds is None else float(wait_seconds)


async def return_to_bucket(conn: Connection, bucket: str, *, refill_interval: timedelta) -> None:
    await conn.execute(
        "update auth.rate_limits set full_at = full_at - $2::interval where bucket = $1", bucket, refill_interval
    )


def _interval(duration: timedelta) -> str:
    return f"{duration // timedelta(microseconds=1)} microseconds"
