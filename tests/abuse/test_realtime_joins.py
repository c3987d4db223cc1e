"""F2: the limits count what joins of realtime channels really cost, and joins leave database connections to others.

F2 is a finding in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
import pytest_asyncio

from cairn.auth import Keyring
from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import RealtimeSettings, service
from cairn.realtime.change_feed import ChangeFeed
from cairn.realtime.channels import Channels
from cairn.realtime.network_limits import NetworkLimits
from tests.abuse.locked_table import largest_waiting_count
from tests.realtime.client import connected
from tests.realtime.conftest import OpenClient, open_client, serve_app

__all__ = ["open_client"]

NETWORK, OTHER_NETWORK = "198.51.100.7", "203.0.113.9"
NOTIFICATIONS = {"event": "*", "schema": "public", "table": "notifications"}
FILTER_COUNT = 100
MAX_PRIVATE_TOPICS = 10


class CountingDatabase(Database):
    transaction_count = 0

    @asynccontextmanager
    async def acting_as(self, *arguments: Any, **options: Any) -> AsyncIterator[Connection]:
        self.transaction_count += 1
        async with super().acting_as(*arguments, **options) as connection:
            yield connection


@pytest_asyncio.fixture
async def counting_database(database: Database) -> AsyncIterator[CountingDatabase]:
    async with CountingDatabase(database.url) as counting_database:
        yield counting_database


@pytest_asyncio.fixture
async def address(
    counting_database: CountingDatabase, notifier: OutboxNotifier, keyring: Keyring
) -> AsyncIterator[str]:
    app = service(counting_database, notifier=notifier, principal_of=keyring.principal, settings=RealtimeSettings())
    async with serve_app(app) as address:
        yield address


async def test_f2_all_filters_of_a_join_are_checked_in_one_transaction(
    counting_database: CountingDatabase, open_client: OpenClient
) -> None:
    filters = [{**NOTIFICATIONS, "filter": f"title=eq.{number}"} for number in range(FILTER_COUNT)]
    async with open_client() as client:
        assert (await client.join())["status"] == "ok"
        before = counting_database.transaction_count
        assert (await client.join(*filters, topic="realtime:filtered"))["status"] == "ok"
        transactions = counting_database.transaction_count - before

    # The feed of changes also uses transactions, about ten in a second.
    assert transactions < FILTER_COUNT / 2


async def test_f2_one_wrong_filter_among_others_is_refused_with_a_reason(open_client: OpenClient) -> None:
    filters = [{**NOTIFICATIONS, "filter": text} for text in ("title=eq.1", "id=eq.river", "title=eq.2")]
    async with open_client() as client:
        assert (await client.join(*filters))["status"] == "ok"
        frame = (await client.receive())["payload"]

    assert frame["status"] == "error"
    assert "id=eq.river" in frame["message"]
    assert "invalid input syntax for type uuid" in frame["message"]


@pytest.mark.parametrize(("filters", "regexes", "is_slowed"), [(5, 5, False), (11, 11, True), (5000, 0, True)])
def test_f2_filters_and_regular_expressions_use_up_the_units_of_their_network(
    filters: int, regexes: int, is_slowed: bool
) -> None:
    limits = NetworkLimits(RealtimeSettings())

    limits.count_filters(NETWORK, filters, 0)
    limits.count_filter_check(NETWORK, regexes)

    assert (limits.take_message(NETWORK) is not None) is is_slowed
    assert limits.take_message(OTHER_NETWORK) is None


async def test_f2_joins_with_unknown_tables_read_the_catalog_once_in_a_second(
    counting_database: CountingDatabase, notifier: OutboxNotifier
) -> None:
    feed = ChangeFeed(counting_database, notifier, Channels())

    for _ in range(2):
        await asyncio.gather(*(feed.read_newer_tables() for _ in range(50)))

    assert counting_database.transaction_count == 2
    assert ("public", "notifications") in feed.tables


async def test_f2_a_network_uses_at_most_two_database_connections_for_its_joins(
    keyring: Keyring, address: str, admin: Connection
) -> None:
    async def join(stack: AsyncExitStack, network: str) -> dict[str, Any]:
        headers = {"X-Forwarded-For": network}
        client = await stack.enter_async_context(connected(address, keyring.anon_key, additional_headers=headers))
        return await client.join(private=True)

    async with AsyncExitStack() as stack:
        async with admin.transaction():
            await admin.execute("lock table realtime.messages in access exclusive mode")
            joins = [asyncio.create_task(join(stack, NETWORK)) for _ in range(6)]
            assert await largest_waiting_count_in_two_seconds(admin) == 2
            joins.append(asyncio.create_task(join(stack, OTHER_NETWORK)))
            assert await largest_waiting_count_in_two_seconds(admin) == 3
        replies = await asyncio.gather(*joins)

    # The project key alone has no permission for a private channel, but each join gets a reply.
    assert {reply["status"] for reply in replies} == {"error"}
    assert all("You do not have permissions" in reply["response"]["reason"] for reply in replies)


async def largest_waiting_count_in_two_seconds(admin: Connection) -> int:
    """Returns the largest number of transactions that wait for the table of messages at once, within two seconds."""
    pause = asyncio.create_task(asyncio.sleep(2))
    return await largest_waiting_count(admin, "realtime.messages", until=pause)


async def test_f2_a_request_sends_to_at_most_ten_private_topics(
    counting_database: CountingDatabase, address: str, keyring: Keyring
) -> None:
    def messages(topic_count: int, message_count: int) -> dict[str, Any]:
        message = {"event": "moved", "payload": {}, "private": True}
        return {"messages": [{**message, "topic": f"trip {number % topic_count}"} for number in range(message_count)]}

    async with httpx.AsyncClient(base_url=f"http://{address}/api") as http:
        anon, service_role = {"apikey": keyring.anon_key}, {"apikey": keyring.service_key}
        refused = await http.post("/broadcast", json=messages(11, 11), headers=anon)
        of_service = await http.post("/broadcast", json=messages(11, 11), headers=service_role)
        before = counting_database.transaction_count
        accepted = await http.post("/broadcast", json=messages(MAX_PRIVATE_TOPICS, 400), headers=anon)
        transactions = counting_database.transaction_count - before

    assert refused.status_code == 400
    assert refused.json()["error"].startswith("A request can send to at most 10 private topics. Please send")
    assert (of_service.status_code, accepted.status_code) == (202, 202)
    assert transactions < 100
