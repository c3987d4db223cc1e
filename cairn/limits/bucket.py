"""Token buckets in the database."""

from dataclasses import dataclass
from datetime import timedelta

from cairn.db import SERVICE, Connection, Database

_TAKE = "select limits.take($1, $2::text::int, $3::text::interval)::text"


@dataclass(frozen=True, slots=True)
class Limit:
    """Allows a burst of `capacity` requests. An empty bucket is full again after `refill_time`."""

    bucket: str
    capacity: int
    refill_time: timedelta


async def take(conn: Connection, limit: Limit) -> float | None:
    """Takes one token in the caller's transaction. Returns None, or the seconds to wait if the bucket is empty."""
    return _seconds(await conn.fetchval(_TAKE, *_parameters(limit)))


async def take_now(database: Database, limit: Limit) -> float | None:
    """Takes one token in a separate short transaction, so that requests that fail later count as well."""
    (wait,) = await database.run_statement(SERVICE, {"lock_timeout": "5s"}, _TAKE, _parameters(limit))
    return _seconds(wait)


async def give_back(conn: Connection, limit: Limit) -> None:
    """Returns the token of a request that should not have counted."""
    await conn.execute("select limits.give_back($1, $2::text::int, $3::text::interval)", *_parameters(limit))


def _parameters(limit: Limit) -> tuple[str, str, str]:
    return limit.bucket, str(limit.capacity), f"{limit.refill_time // timedelta(microseconds=1)} microseconds"


def _seconds(wait: str | None) -> float | None:
    return None if wait is None else float(wait)
