"""Token buckets in the database."""

from datetime import timedelta

from cairn.db import SERVICE, Connection, Database
from cairn.kit import frozen_dataclass

_TAKE = "select limits.take($1, $2::text::int, $3::text::interval)::text"


@frozen_dataclass
class Limit:
    """Allows `max_requests` at once. An empty bucket is full again after `window`."""

    bucket: str
    max_requests: int
    window: timedelta


async def take(conn: Connection, limit: Limit) -> float | None:
    """Takes one token in the caller's transaction. Returns None, or the seconds to wait if the bucket is empty."""
    return _parse(await conn.fetchval(_TAKE, *_parameters(limit)))


async def take_now(database: Database, limit: Limit) -> float | None:
    """Takes one token in a separate short transaction, so that requests that fail later count as well."""
    (wait_seconds,) = await database.run_statement(SERVICE, {"lock_timeout": "5s"}, _TAKE, _parameters(limit))
    return _parse(wait_seconds)


async def give_back(conn: Connection, limit: Limit) -> None:
    """Returns the token of a request that should not have counted."""
    await conn.execute("select limits.give_back($1, $2::text::int, $3::text::interval)", *_parameters(limit))


async def sweep(database: Database) -> None:
    """Deletes the buckets that are full again, because a missing bucket counts as full."""
    async with database.acting_as(SERVICE) as conn:
        await conn.execute("delete from limits.buckets where full_at < now()")


def _parameters(limit: Limit) -> tuple[str, str, str]:
    return limit.bucket, str(limit.max_requests), f"{limit.window // timedelta(microseconds=1)} microseconds"


def _parse(wait_seconds: str | bytes | None) -> float | None:
    return None if wait_seconds is None else float(wait_seconds)
