"""Token buckets in the database."""

from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256

from cairn.db import SERVICE, Connection, Database, delete_old_rows, run_in_batches
from cairn.kit import frozen_dataclass
from cairn.limits.network import LARGER_NETWORK_FACTOR, key_of_larger_network

_TAKE = "select limits.take($1, $2::text::int, $3::text::interval)::text"


@frozen_dataclass
class Limit:
    """Allows `max_requests` at once. An empty bucket is full again after `window`.

    If the name of the bucket ends with an IPv6 network, each request also counts in the bucket of the larger network
    around it. The token of that bucket is taken second, so that a refused network does not use up the larger bucket.
    """

    bucket: str
    max_requests: int
    window: timedelta


async def take(conn: Connection, limit: Limit) -> float | None:
    """Takes one token in the caller's transaction. Returns None, or the seconds to wait if the bucket is empty."""
    for parameters in _parameters(limit):
        wait_seconds = await conn.fetchval(_TAKE, *parameters)
        if wait_seconds is not None:
            return float(wait_seconds)
    return None


async def take_now(database: Database, limit: Limit) -> float | None:
    """Takes one token in a separate short transaction, so that requests that fail later count as well."""
    for parameters in _parameters(limit):
        (wait_seconds,) = await database.run_statement(SERVICE, {"lock_timeout": "5s"}, _TAKE, parameters)
        if wait_seconds is not None:
            return float(wait_seconds)
    return None


async def seconds_to_wait(conn: Connection, limit: Limit) -> float | None:
    """Returns None if the bucket has a token, or the seconds until it has one. Takes nothing."""
    for parameters in _parameters(limit):
        wait_seconds = await conn.fetchval("select limits.wait($1, $2::text::int, $3::text::interval)", *parameters)
        if wait_seconds is not None:
            return float(wait_seconds)
    return None


async def give_back(conn: Connection, limit: Limit) -> None:
    """Returns the token of a request that should not have counted."""
    for parameters in _parameters(limit):
        await conn.execute("select limits.give_back($1, $2::text::int, $3::text::interval)", *parameters)


async def sweep(database: Database) -> None:
    """Deletes the buckets that are full again, because a missing bucket counts as full."""
    await run_in_batches(database, delete_old_rows("limits.buckets", "full_at"), timedelta())


def _parameters(limit: Limit) -> Iterator[tuple[str, str, str]]:
    """Returns the parameters of the SQL functions for the bucket, and for the one of the larger network if any."""
    window = f"{limit.window // timedelta(microseconds=1)} microseconds"
    yield _with_hashed_network(limit.bucket), str(limit.max_requests), window
    larger_bucket = key_of_larger_network(limit.bucket)
    if larger_bucket is not None:
        yield _with_hashed_network(larger_bucket), str(limit.max_requests * LARGER_NETWORK_FACTOR), window


def _with_hashed_network(bucket: str) -> str:
    """Hashes the network at the end of a name such as `sign in from 203.0.113.7`, so that it is not stored."""
    kind, separator, network = bucket.rpartition(" from ")
    return f"{kind}{separator}{sha256(network.encode()).hexdigest()}" if separator else bucket
