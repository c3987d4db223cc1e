"""When a server stops, its clients continue on another server without missing a change."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from itertools import count

import asyncpg
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cairn.auth import Keyring
from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import Realtime, RealtimeSettings
from tests.factories import make_session, sign
from tests.people import Person
from tests.realtime.client import Client, connected
from tests.realtime.conftest import OpenClient, TokenFor, serve_app
from tests.realtime.test_real_client import real_client

OpenStoppableServer = Callable[[], AbstractAsyncContextManager[tuple[Client, Realtime, str]]]


@pytest.fixture
def open_stoppable_server(database: Database, notifier: OutboxNotifier, keyring: Keyring) -> OpenStoppableServer:
    """Returns a function that starts a server with a client. The function yields the client, the server's service,
    which the test stops, and the server's address."""

    @asynccontextmanager
    async def open_stoppable_server() -> AsyncIterator[tuple[Client, Realtime, str]]:
        realtime = Realtime(database, notifier=notifier, principal_of=keyring.principal, settings=RealtimeSettings())
        async with (
            realtime,
            serve_app(Starlette(routes=[Mount("/", realtime.app)])) as address,
            connected(address, keyring.anon_key) as client,
        ):
            yield client, realtime, address

    return open_stoppable_server


def rejoining(client: Client) -> Client:
    """Lets the refs of the client start at a higher number, like those of a client that joins again."""
    client._refs = count(10)
    return client


@pytest.mark.accept("OPS-42")
async def test_a_client_that_joins_again_receives_what_it_missed_once_and_in_order(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    keyring: Keyring,
    token_for: TokenFor,
    open_client: OpenClient,
    open_stoppable_server: OpenStoppableServer,
) -> None:
    token, session = token_for(rosa), await make_session(database, rosa)
    async with open_client() as other_window:
        await other_window.watch(token, topic="realtime:another-topic")
        async with open_stoppable_server() as (client, realtime, address):
            await client.watch(token)
            received = [await sign(database, session)]
            notifier.notify()
            assert (await client.next_change())["data"]["record"]["id"] == str(received[0]["id"])
            await realtime.prepare_to_stop()
            with pytest.raises(InvalidStatus, match="503"):
                await connected(address, keyring.anon_key).__aenter__()
        missed = [await sign(database, session) for _ in range(3)]
        notifier.notify()
        for waiver in (*received, *missed):
            assert (await other_window.next_change())["data"]["record"]["id"] == str(waiver["id"])

        async with open_client() as client, open_client() as new_client:
            await new_client.watch(token)
            await rejoining(client).watch(token)
            later = await sign(database, session)
            notifier.notify()
            for waiver in (*missed, later):
                assert (await client.next_change())["data"]["record"]["id"] == str(waiver["id"])
            assert await client.receives_nothing()
            assert (await new_client.next_change())["data"]["record"]["id"] == str(later["id"])
            assert await new_client.receives_nothing(0)
        assert (await other_window.next_change())["data"]["record"]["id"] == str(later["id"])
        assert await other_window.receives_nothing(0), "clients of the other server receive nothing twice"

        async with open_client() as client:
            await rejoining(client).watch(token)
            assert await client.receives_nothing(), "a position is used once"


async def test_missed_changes_are_delivered_only_to_the_same_account_and_only_for_a_short_time(
    database: Database,
    notifier: OutboxNotifier,
    admin: "asyncpg.Connection[asyncpg.Record]",
    rosa: Person,
    mallory: Person,
    open_stoppable_server: OpenStoppableServer,
    token_for: TokenFor,
    open_client: OpenClient,
) -> None:
    session = await make_session(database, rosa)
    async with open_stoppable_server() as (client, realtime, _):
        await client.watch(token_for(rosa))
        await realtime.prepare_to_stop()
    await sign(database, session)
    notifier.notify()

    async with open_client() as stranger:
        await rejoining(stranger).watch(token_for(mallory))
        assert await stranger.receives_nothing()
    await admin.execute("update realtime.closed_channels set closed_at = closed_at - interval '3 minutes'")
    async with open_client() as late_client:
        await rejoining(late_client).watch(token_for(rosa))
        assert await late_client.receives_nothing()


async def test_two_windows_whose_servers_stopped_one_after_the_other_miss_nothing(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    open_stoppable_server: OpenStoppableServer,
    token_for: TokenFor,
    open_client: OpenClient,
) -> None:
    token, session = token_for(rosa), await make_session(database, rosa)
    waivers = []
    for _ in range(2):
        async with open_stoppable_server() as (client, realtime, _):
            await client.watch(token)
            await realtime.prepare_to_stop()
        waivers.append(await sign(database, session))
    notifier.notify()

    for _ in range(2):
        async with open_client() as client:
            await rejoining(client).watch(token)
            for waiver in waivers:
                assert (await client.next_change())["data"]["record"]["id"] == str(waiver["id"])


async def test_a_join_during_the_stop_is_refused_and_the_client_can_join_elsewhere(
    open_stoppable_server: OpenStoppableServer,
) -> None:
    async with open_stoppable_server() as (client, realtime, _):
        await realtime.prepare_to_stop()
        reply = await client.join()
    with pytest.raises(ConnectionClosed):
        await client.receive()

    assert reply["status"] == "error"
    assert reply["response"]["reason"].startswith("ServerStopping: ")


@pytest.mark.accept("OPS-42")
async def test_the_real_client_misses_nothing_while_its_server_restarts(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    keyring: Keyring,
    token_for: TokenFor,
    pytestconfig: pytest.Config,
) -> None:
    session = await make_session(database, rosa)
    port = None

    @asynccontextmanager
    async def server() -> AsyncIterator[tuple[str, Realtime]]:
        realtime = Realtime(database, notifier=notifier, principal_of=keyring.principal, settings=RealtimeSettings())
        app = Starlette(routes=[Mount("/realtime/v1", realtime.app)])
        async with realtime, serve_app(app, port=port or 0) as address:
            yield address, realtime

    async with AsyncExitStack() as running_client:
        async with server() as (address, realtime):
            port = int(address.rpartition(":")[2])
            arguments = f"http://{address}", keyring.anon_key, token_for(rosa)
            # With frequent heartbeats, the client would also reconnect at other times on a slow machine.
            real = real_client(pytestconfig.rootpath, *arguments, heartbeat_ms=25_000)
            client = await running_client.enter_async_context(real)
            while (await client.next_output())[0] != "system":
                pass
            await realtime.prepare_to_stop()
        signed = [str((await sign(database, session))["id"]) for _ in range(5)]
        async with server():
            signed.append(str((await sign(database, session))["id"]))
            notifier.notify()
            received: list[str] = []
            while len(received) < len(signed):
                kind, value = await client.next_output()
                if kind == "change":
                    received.append(value["new"]["id"])

    assert received == signed
