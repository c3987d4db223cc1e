"""Token buckets in the database."""

import asyncio
from datetime import timedelta

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Database
from cairn.limits import Limit, give_back, network_of, seconds_to_wait, sweep, take, take_now

LIMIT = Limit("sign in from 203.0.113.7", 3, timedelta(minutes=1))


async def test_a_full_bucket_allows_a_burst(database: Database) -> None:
    waits = [await take_now(database, LIMIT) for _ in range(4)]

    assert waits[:3] == [None, None, None]
    assert waits[3] is not None
    assert 15 < waits[3] <= 20


async def test_concurrent_requests_do_not_exceed_the_limit(database: Database) -> None:
    waits = await asyncio.gather(*(take_now(database, LIMIT) for _ in range(12)))

    assert sum(wait is None for wait in waits) == 3


async def test_a_token_can_be_given_back(database: Database) -> None:
    for _ in range(3):
        await take_now(database, LIMIT)

    async with database.acting_as(SERVICE) as conn:
        await give_back(conn, LIMIT)

    assert await take_now(database, LIMIT) is None
    assert await take_now(database, LIMIT) is not None


async def test_a_rolled_back_request_does_not_count(database: Database) -> None:
    limit_of_one = Limit("email to a guest", 1, timedelta(days=1))
    with pytest.raises(RuntimeError):
        async with database.acting_as(SERVICE) as conn:
            assert await take(conn, limit_of_one) is None
            raise RuntimeError

    assert await take_now(database, limit_of_one) is None


async def test_buckets_are_updated_in_place(database: Database) -> None:
    """Otherwise a busy address would leave a dead row and dead index entries behind with every request."""
    async with database.acting_as(SERVICE) as conn:
        for _ in range(3):
            assert await take(conn, LIMIT) is None
        in_place = await conn.fetchval("select pg_stat_get_xact_tuples_hot_updated('limits.buckets'::regclass)")
    assert in_place == 2, "the first of the three calls inserts the row"


async def test_only_full_buckets_are_deleted(database: Database) -> None:
    await take_now(database, Limit("sign in", 3, timedelta(minutes=1)))
    await take_now(database, Limit("sign up", 3, timedelta(microseconds=3)))

    await sweep(database)

    async with database.acting_as(SERVICE) as conn:
        assert await conn.fetchval("select array_agg(bucket) from limits.buckets") == ["sign in"]


@pytest.mark.parametrize("ip", ["203.0.113.7", "2001:db8:7:1::5"])
async def test_the_table_of_buckets_contains_no_ip_networks(database: Database, ip: str) -> None:
    limit = Limit(f"sign in from {network_of(ip)}", 1, timedelta(minutes=1))
    assert await take_now(database, limit) is None
    assert await take_now(database, limit) is not None

    async with database.acting_as(SERVICE) as conn:
        buckets = [row["bucket"] for row in await conn.fetch("select bucket from limits.buckets")]
    assert all(bucket.startswith("sign in from ") for bucket in buckets)
    assert not [bucket for bucket in buckets if "203.0" in bucket or "db8" in bucket or "/" in bucket]


async def test_clients_cannot_use_the_buckets(database: Database) -> None:
    async with database.acting_as(ANON) as conn:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await conn.execute("select limits.take('any', 1, interval '1 day')")


@pytest.mark.parametrize(
    ("ip", "counted_as"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        (None, "unknown"),
        ("a unix socket", "unknown"),
    ],
)
def test_an_ipv6_network_counts_as_one_client(ip: str | None, counted_as: str) -> None:
    assert network_of(ip) == counted_as


async def test_seconds_to_wait_takes_nothing_and_returns_the_same_as_a_refused_take(database: Database) -> None:
    async with database.acting_as(SERVICE) as conn:
        for _ in range(LIMIT.max_requests):
            assert await seconds_to_wait(conn, LIMIT) is None
            assert await seconds_to_wait(conn, LIMIT) is None
            assert await take(conn, LIMIT) is None

        seconds = await seconds_to_wait(conn, LIMIT)

        assert seconds is not None
        assert seconds == pytest.approx(await take(conn, LIMIT))
