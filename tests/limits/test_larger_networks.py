"""A12 in docs/security.md: limits per network also count the larger network that contains it.

Otherwise one customer of an internet provider, with a /48 network of IPv6, would have each limit 65,536 times, once for
each /64 network.
"""

from datetime import timedelta

import pytest

from cairn.db import SERVICE, Database
from cairn.inquiries import Author, Inquiry, InquirySettings, TooManyInquiries, receive_inquiry
from cairn.limits import (
    Limit,
    MemoryLimiter,
    NetworkCounter,
    give_back,
    network_of,
    take,
    take_now,
)
from cairn.realtime import RealtimeSettings
from cairn.realtime.errors import TooManySocketsOfNetwork
from cairn.realtime.open_sockets import OpenSockets
from cairn.settings import ConnectionSettings
from cairn.slow_clients import ConnectionLimits, TooManyConnections

MINUTE = timedelta(minutes=1)
# Each of these networks makes one request. Together they make more than the eight that their /48 network may make.
SAME_CUSTOMER = [network_of(f"2001:db8:7:{number:x}::1") for number in range(12)]
OTHER_CUSTOMER = network_of("2001:db8:8:1::1")


def limit_of(network: str) -> Limit:
    return Limit(f"sign up from {network}", 2, MINUTE)


def test_a12_a_limit_in_memory_allows_a_customer_four_times_as_much_as_one_network() -> None:
    limiter = MemoryLimiter(2, MINUTE, clock=lambda: 1000.0)
    waits = [limiter.take(network) for network in SAME_CUSTOMER]
    assert waits == [None] * 8 + [7.5] * 4
    assert limiter.take(OTHER_CUSTOMER) is None
    assert limiter.take("203.0.113.7") is None


def test_a12_a_refusal_of_one_network_takes_nothing_from_its_larger_network() -> None:
    limiter = MemoryLimiter(2, MINUTE, clock=lambda: 1000.0)
    for _ in range(20):
        limiter.take(SAME_CUSTOMER[0])
    assert [limiter.take(network) for network in SAME_CUSTOMER[1:7]] == [None] * 6


async def test_a12_a_limit_in_the_database_allows_a_customer_four_times_as_much_as_one_network(
    database: Database,
) -> None:
    waits = [await take_now(database, limit_of(network)) for network in SAME_CUSTOMER]
    assert [wait is None for wait in waits] == [True] * 8 + [False] * 4
    assert await take_now(database, limit_of(OTHER_CUSTOMER)) is None

    async with database.acting_as(SERVICE) as connection:
        assert await take(connection, limit_of(SAME_CUSTOMER[-1])) is not None
        await give_back(connection, limit_of(SAME_CUSTOMER[0]))
        assert await take(connection, limit_of(SAME_CUSTOMER[0])) is None


def test_a12_a_network_counter_counts_the_larger_network_too() -> None:
    counter = NetworkCounter(2)
    assert [counter.add(network) for network in SAME_CUSTOMER] == [True] * 8 + [False] * 4
    assert counter.add(OTHER_CUSTOMER)
    counter.remove(SAME_CUSTOMER[0])
    assert counter.add(SAME_CUSTOMER[11])
    assert not counter.add(SAME_CUSTOMER[11])
    assert [counter.add("203.0.113.7") for _ in range(3)] == [True, True, False]


async def test_a12_inquiries_of_one_customer_are_limited(database: Database) -> None:
    inquiry = Inquiry("contact", "Mallory", "mallory@rapid-rivals.example", message="Buy our boats.")
    settings = InquirySettings(rate_limit=2)
    for network in SAME_CUSTOMER[:8]:
        await receive_inquiry(database, inquiry, Author(network), settings)

    with pytest.raises(TooManyInquiries):
        await receive_inquiry(database, inquiry, Author(SAME_CUSTOMER[8]), settings)

    for network in (OTHER_CUSTOMER, "203.0.113.7", "unknown"):
        await receive_inquiry(database, inquiry, Author(network), settings)


def test_a12_sockets_and_connections_of_one_customer_are_limited() -> None:
    sockets = OpenSockets(RealtimeSettings(sockets_per_network=2))
    connections = ConnectionLimits(ConnectionSettings(per_network=2), "127.0.0.1")
    for network in SAME_CUSTOMER[:8]:
        sockets.open(network)
        connections.open(network.removesuffix("/64") + "1")
    with pytest.raises(TooManySocketsOfNetwork):
        sockets.open(SAME_CUSTOMER[8])
    with pytest.raises(TooManyConnections):
        connections.open(SAME_CUSTOMER[8].removesuffix("/64") + "1")
