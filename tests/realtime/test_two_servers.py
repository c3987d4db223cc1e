"""Two servers on one database behave like one server."""

import asyncio
from uuid import UUID

import asyncpg

from cairn.auth import Keyring
from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import RealtimeSettings, service
from tests.factories import make_session, sign
from tests.people import Person
from tests.realtime.client import BINARY, TOPIC, Client, binary_broadcast
from tests.realtime.conftest import OpenClient, TokenFor, serve_app
from tests.realtime.test_broadcast import HELLO
from tests.realtime.test_presence import join_with_presence, next_diff, track
from tests.realtime.test_private import own_topic


async def test_a_broadcast_reaches_the_members_on_the_other_server(
    second_address: str, open_client: OpenClient
) -> None:
    async with open_client() as local, open_client(server=second_address) as remote:
        for client in (local, remote):
            await client.join(broadcast={"self": True})
        await local.send(TOPIC, "broadcast", HELLO, join_ref="1")
        for client in (local, remote):
            assert (await client.receive())["payload"] == HELLO
            assert await client.receives_nothing(0.1)


async def test_long_and_binary_messages_arrive_whole_and_in_order(second_address: str, open_client: OpenClient) -> None:
    payloads = [{"number": number, "text": "ö€" * size} for number, size in enumerate((1, 30_000, 7_000, 2))]
    async with open_client() as local, open_client(server=second_address) as remote:
        for client in (local, remote):
            await client.join()
        for payload in payloads:
            await local.send(TOPIC, "broadcast", {**HELLO, "payload": payload}, join_ref="1")
        assert [(await remote.receive())["payload"]["payload"] for _ in payloads] == payloads
        await local.connection.send(binary_broadcast(BINARY, bytes(range(256)) * 100))
        frame = await remote.connection.recv()
        assert isinstance(frame, bytes)
        assert frame.endswith(bytes(range(256)) * 100)


async def test_equal_messages_are_not_merged(second_address: str, open_client: OpenClient) -> None:
    async with open_client() as local, open_client(server=second_address) as remote:
        for client in (local, remote):
            await client.join()
        for _ in range(20):
            await local.send(TOPIC, "broadcast", HELLO, join_ref="1")
        assert [(await remote.receive())["payload"] for _ in range(20)] == [HELLO] * 20
        assert await remote.receives_nothing(0.1)


async def test_a_private_broadcast_stays_private_across_servers(
    rosa: Person, bea: Person, second_address: str, token_for: TokenFor, open_client: OpenClient
) -> None:
    topic = own_topic(rosa)
    async with (
        open_client() as local,
        open_client(server=second_address) as remote,
        open_client(server=second_address) as public_member,
    ):
        await local.join(topic=topic, token=token_for(rosa), private=True)
        await remote.join(topic=topic, token=token_for(bea), private=True)
        await public_member.join(topic=topic)
        await local.send(topic, "broadcast", HELLO, join_ref="1")
        assert (await remote.receive())["payload"] == HELLO
        assert await public_member.receives_nothing(0.1)


async def test_presence_is_shared_between_servers(second_address: str, open_client: OpenClient) -> None:
    async with open_client() as local:
        await join_with_presence(local, "rosa")
        await track(local, {"at": "the office"})
        rosas_entries = (await next_diff(local))[0]
        async with open_client(server=second_address) as remote:
            assert await join_with_presence(remote, "bea") == rosas_entries
            await track(remote, {"at": "the river"})
            beas_entries = (await next_diff(remote))[0]
            assert await next_diff(local) == (beas_entries, {})
        assert await next_diff(local) == ({}, beas_entries)


async def test_a_starting_server_learns_the_presence_state_and_a_stopping_one_removes_its_entries(
    login_url: str, keyring: Keyring, open_client: OpenClient
) -> None:
    async with open_client() as local:
        await join_with_presence(local, "rosa")
        await track(local, {})
        rosas_entries = (await next_diff(local))[0]
        async with Database(login_url) as database, OutboxNotifier(login_url) as notifier:
            app = service(database, notifier=notifier, principal_of=keyring.principal, settings=RealtimeSettings())
            async with serve_app(app) as second_address:
                await asyncio.sleep(0.2)
                async with open_client(server=second_address) as remote:
                    assert await join_with_presence(remote, "bea") == rosas_entries
                    await track(remote, {})
                    beas_entries = (await next_diff(local))[0]
                    assert list(beas_entries) == ["bea"]
                    # The client is still connected when the server stops.
                    remote.connection.transport.abort()
        assert await next_diff(local) == ({}, beas_entries)


async def test_presence_recovers_after_lost_connections(
    second_address: str, admin: "asyncpg.Connection[asyncpg.Record]", open_client: OpenClient
) -> None:
    async with open_client() as local, open_client(server=second_address) as remote:
        await join_with_presence(local, "rosa")
        await join_with_presence(remote, "bea")
        await admin.execute(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and query ~ 'cairn_realtime|pg_notify' and pid <> pg_backend_pid()
            """
        )
        await track(remote, {"at": "the river"})
        beas_entries = (await next_diff(remote))[0]
        assert await next_diff(local) == (beas_entries, {})
        await track(local, {"at": "the office"})
        rosas_entries = (await next_diff(local))[0]
        assert await next_diff(remote) == (rosas_entries, {})


async def test_both_servers_deliver_a_signing(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    second_address: str,
    token_for: TokenFor,
    open_client: OpenClient,
) -> None:
    session = await make_session(database, rosa)
    async with open_client() as local, open_client(server=second_address) as remote:
        for client in (local, remote):
            await client.watch(token_for(rosa))
        signed_ids: list[UUID] = []
        for _ in range(5):
            signed_ids.append((await sign(database, session))["id"])
            notifier.notify()
        received_ids = [await receive_waiver_ids(client) for client in (local, remote)]
    assert received_ids == [signed_ids, signed_ids]


async def receive_waiver_ids(client: Client) -> list[UUID]:
    return [UUID((await client.next_change())["data"]["record"]["id"]) for _ in range(5)]
