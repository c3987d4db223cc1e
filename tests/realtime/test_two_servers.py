"""Two servers on one database are one house to those who are in it."""

import asyncio
from uuid import UUID

import asyncpg

from cairn.auth import Keyring
from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import RealtimeSettings, service
from tests.cast import Person
from tests.make import make_session, sign
from tests.realtime.client import TOPIC, Client, connected
from tests.realtime.conftest import TokenFor, served
from tests.realtime.test_broadcast import HELLO, kind_3
from tests.realtime.test_presence import diff, enter, track
from tests.realtime.test_private import own_topic


async def test_a_broadcast_reaches_the_members_of_the_other(address: str, neighbour: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as here, connected(neighbour, keyring.anon_key) as there:
        for client in (here, there):
            await client.join(broadcast={"self": True})
        await here.send(TOPIC, "broadcast", HELLO, join_ref="1")
        for client in (here, there):
            assert (await client.receive())["payload"] == HELLO
            assert await client.receives_nothing(0.1)


async def test_long_ones_and_bytes_arrive_whole_and_in_order(address: str, neighbour: str, keyring: Keyring) -> None:
    words = [{"number": number, "words": "ö€" * size} for number, size in enumerate((1, 30_000, 7_000, 2))]
    async with connected(address, keyring.anon_key) as here, connected(neighbour, keyring.anon_key) as there:
        for client in (here, there):
            await client.join()
        for payload in words:
            await here.send(TOPIC, "broadcast", {**HELLO, "payload": payload}, join_ref="1")
        assert [(await there.receive())["payload"]["payload"] for _ in words] == words
        await here.connection.send(kind_3(0, bytes(range(256)) * 100))
        frame = await there.connection.recv()
        assert isinstance(frame, bytes)
        assert frame.endswith(bytes(range(256)) * 100)


async def test_equal_messages_are_not_taken_for_one(address: str, neighbour: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as here, connected(neighbour, keyring.anon_key) as there:
        for client in (here, there):
            await client.join()
        for _ in range(20):
            await here.send(TOPIC, "broadcast", HELLO, join_ref="1")
        assert [(await there.receive())["payload"] for _ in range(20)] == [HELLO] * 20
        assert await there.receives_nothing(0.1)


async def test_a_private_broadcast_stays_private_on_the_way(
    rosa: Person, bea: Person, address: str, neighbour: str, keyring: Keyring, token_for: TokenFor
) -> None:
    topic = own_topic(rosa)
    async with (
        connected(address, keyring.anon_key) as here,
        connected(neighbour, keyring.anon_key) as there,
        connected(neighbour, keyring.anon_key) as in_public,
    ):
        await here.join(topic=topic, token=token_for(rosa), private=True)
        await there.join(topic=topic, token=token_for(bea), private=True)
        await in_public.join(topic=topic)
        await here.send(topic, "broadcast", HELLO, join_ref="1")
        assert (await there.receive())["payload"] == HELLO
        assert await in_public.receives_nothing(0.1)


async def test_everybody_is_seen_on_both(address: str, neighbour: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as here:
        await enter(here, "rosa")
        await track(here, {"at": "the desk"})
        rosa = (await diff(here))[0]
        async with connected(neighbour, keyring.anon_key) as there:
            assert await enter(there, "bea") == rosa
            await track(there, {"at": "the river"})
            bea = (await diff(there))[0]
            assert await diff(here) == (bea, {})
        assert await diff(here) == ({}, bea)


async def test_a_server_that_comes_learns_who_is_there_and_one_that_goes_takes_its_own(
    address: str, login_url: str, keyring: Keyring
) -> None:
    async with connected(address, keyring.anon_key) as here:
        await enter(here, "rosa")
        await track(here, {})
        rosa = (await diff(here))[0]
        async with Database(login_url) as database, OutboxNotifier(login_url) as notifier:
            app = service(database, notifier=notifier, principal_of=keyring.principal, settings=RealtimeSettings())
            async with served(app) as second:
                await asyncio.sleep(0.2)
                async with connected(second, keyring.anon_key) as there:
                    assert await enter(there, "bea") == rosa
                    await track(there, {})
                    bea = (await diff(here))[0]
                    assert list(bea) == ["bea"]
                    # The server stops with its client still there.
                    there.connection.transport.abort()
        assert await diff(here) == ({}, bea)


async def test_after_lost_connections_everybody_is_seen_again(
    address: str, neighbour: str, keyring: Keyring, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    async with connected(address, keyring.anon_key) as here, connected(neighbour, keyring.anon_key) as there:
        await enter(here, "rosa")
        await enter(there, "bea")
        await admin.execute(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and query ~ 'cairn_realtime|pg_notify' and pid <> pg_backend_pid()
            """
        )
        await track(there, {"at": "the river"})
        bea = (await diff(there))[0]
        assert await diff(here) == (bea, {})
        await track(here, {"at": "the desk"})
        rosa = (await diff(here))[0]
        assert await diff(there) == (rosa, {})


async def test_a_signing_is_told_by_both(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    address: str,
    neighbour: str,
    keyring: Keyring,
    token_for: TokenFor,
) -> None:
    session = await make_session(database, rosa)
    async with connected(address, keyring.anon_key) as here, connected(neighbour, keyring.anon_key) as there:
        for client in (here, there):
            await client.watch(token_for(rosa))
        signed: list[UUID] = []
        for _ in range(5):
            signed.append((await sign(database, session))["id"])
            notifier.notify()
        told = [await ids(client) for client in (here, there)]
    assert told == [signed, signed]


async def ids(client: Client) -> list[UUID]:
    return [UUID((await client.change())["data"]["record"]["id"]) for _ in range(5)]
