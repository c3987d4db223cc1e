"""Two servers on one database behave like one server."""

import asyncio
from uuid import UUID

import asyncpg

from cairn.auth import Keyring
from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import RealtimeSettings, service
from tests.cast import Person
from tests.factories import make_session, sign
from tests.realtime.client import TOPIC, Client, connected
from tests.realtime.conftest import TokenFor, serve_app
from tests.realtime.test_broadcast import HELLO, kind_3
from tests.realtime.test_presence import diff, enter, track
from tests.realtime.test_private import own_topic


async def test_a_broadcast_reaches_the_members_on_the_other_server(
    address: str, second_address: str, keyring: Keyring
) -> None:
    async with connected(address, keyring.anon_key) as local, connected(second_address, keyring.anon_key) as remote:
        for client in (local, remote):
            await client.join(broadcast={"self": True})
        await local.send(TOPIC, "broadcast", HELLO, join_ref="1")
        for client in (local, remote):
            assert (await client.receive())["payload"] == HELLO
            assert await client.receives_nothing(0.1)


async def test_long_and_binary_messages_arrive_whole_and_in_order(
    address: str, second_address: str, keyring: Keyring
) -> None:
    payloads = [{"number": number, "text": "ö€" * size} for number, size in enumerate((1, 30_000, 7_000, 2))]
    async with connected(address, keyring.anon_key) as local, connected(second_address, keyring.anon_key) as remote:
        for client in (local, remote):
            await client.join()
        for payload in payloads:
            await local.send(TOPIC, "broadcast", {**HELLO, "payload": payload}, join_ref="1")
        assert [(await remote.receive())["payload"]["payload"] for _ in payloads] == payloads
        await local.connection.send(kind_3(0, bytes(range(256)) * 100))
        frame = await remote.connection.recv()
        assert isinstance(frame, bytes)
        assert frame.endswith(bytes(range(256)) * 100)


async def test_equal_messages_are_not_merged(address: str, second_address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as local, connected(second_address, keyring.anon_key) as remote:
        for client in (local, remote):
            await client.join()
        for _ in range(20):
            await local.send(TOPIC, "broadcast", HELLO, join_ref="1")
        assert [(await remote.receive())["payload"] for _ in range(20)] == [HELLO] * 20
        assert await remote.receives_nothing(0.1)


async def test_a_private_broadcast_stays_private_across_servers(
    rosa: Person, bea: Person, address: str, second_address: str, keyring: Keyring, token_for: TokenFor
) -> None:
    topic = own_topic(rosa)
    async with (
        connected(address, keyring.anon_key) as local,
        connected(second_address, keyring.anon_key) as remote,
        connected(second_address, keyring.anon_key) as in_public,
    ):
        await local.join(topic=topic, token=token_for(rosa), private=True)
        await remote.join(topic=topic, token=token_for(bea), private=True)
        await in_public.join(topic=topic)
        await local.send(topic, "broadcast", HELLO, join_ref="1")
        assert (await remote.receive())["payload"] == HELLO
        assert await in_public.receives_nothing(0.1)


async def test_presence_is_shared_between_servers(address: str, second_address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as local:
        await enter(local, "rosa")
        await track(local, {"at": "the office"})
        rosa = (await diff(local))[0]
        async with connected(second_address, keyring.anon_key) as remote:
            assert await enter(remote, "bea") == rosa
            await track(remote, {"at": "the river"})
            bea = (await diff(remote))[0]
            assert await diff(local) == (bea, {})
        assert await diff(local) == ({}, bea)


async def test_a_starting_server_learns_the_presence_state_and_a_stopping_one_removes_its_entries(
    address: str, login_url: str, keyring: Keyring
) -> None:
    async with connected(address, keyring.anon_key) as local:
        await enter(local, "rosa")
        await track(local, {})
        rosa = (await diff(local))[0]
        async with Database(login_url) as database, OutboxNotifier(login_url) as notifier:
            app = service(database, notifier=notifier, principal_of=keyring.principal, settings=RealtimeSettings())
            async with serve_app(app) as second:
                await asyncio.sleep(0.2)
                async with connected(second, keyring.anon_key) as remote:
                    assert await enter(remote, "bea") == rosa
                    await track(remote, {})
                    bea = (await diff(local))[0]
                    assert list(bea) == ["bea"]
                    # The client is still connected when the server stops.
                    remote.connection.transport.abort()
        assert await diff(local) == ({}, bea)


async def test_presence_recovers_after_lost_connections(
    address: str, second_address: str, keyring: Keyring, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    async with connected(address, keyring.anon_key) as local, connected(second_address, keyring.anon_key) as remote:
        await enter(local, "rosa")
        await enter(remote, "bea")
        await admin.execute(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and query ~ 'cairn_realtime|pg_notify' and pid <> pg_backend_pid()
            """
        )
        await track(remote, {"at": "the river"})
        bea = (await diff(remote))[0]
        assert await diff(local) == (bea, {})
        await track(local, {"at": "the office"})
        rosa = (await diff(local))[0]
        assert await diff(remote) == (rosa, {})


async def test_both_servers_deliver_a_signing(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    address: str,
    second_address: str,
    keyring: Keyring,
    token_for: TokenFor,
) -> None:
    session = await make_session(database, rosa)
    async with connected(address, keyring.anon_key) as local, connected(second_address, keyring.anon_key) as remote:
        for client in (local, remote):
            await client.watch(token_for(rosa))
        signed: list[UUID] = []
        for _ in range(5):
            signed.append((await sign(database, session))["id"])
            notifier.notify()
        received = [await ids(client) for client in (local, remote)]
    assert received == [signed, signed]


async def ids(client: Client) -> list[UUID]:
    return [UUID((await client.change())["data"]["record"]["id"]) for _ in range(5)]
