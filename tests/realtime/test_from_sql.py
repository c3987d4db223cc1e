"""Messages sent from SQL are delivered only if their transaction commits."""

import json
import time

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from tests.factories import make_template
from tests.people import Person
from tests.realtime.client import TOPIC, Client
from tests.realtime.conftest import OpenClient, TokenFor
from tests.realtime.test_private import own_topic


async def send(database: Database, notifier: OutboxNotifier, payload: object, topic: str, *, private: bool) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "select realtime.send($1, 'news', $2, $3)",
            json.dumps(payload),
            topic.removeprefix("realtime:"),
            private,
        )
    notifier.notify()


async def test_a_message_reaches_the_members_on_every_server_after_the_commit(
    database: Database, notifier: OutboxNotifier, second_address: str, open_client: OpenClient
) -> None:
    async with open_client() as local, open_client(server=second_address) as remote:
        for client in (local, remote):
            await client.join()
        with pytest.raises(ZeroDivisionError):
            async with database.acting_as(SERVICE) as connection:
                await connection.execute("select realtime.send('{}', 'news', 'signed-waivers-changes', false)")
                raise ZeroDivisionError
        await send(database, notifier, {"water": "high"}, TOPIC, private=False)
        for client in (local, remote):
            frame = await client.receive()
            assert frame["payload"] == {"type": "broadcast", "event": "news", "payload": {"water": "high"}}
            assert await client.receives_nothing(0.1)


async def test_a_binary_message_is_delivered_as_bytes(
    database: Database, notifier: OutboxNotifier, client: Client
) -> None:
    await client.join()
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select realtime.send_binary('\\x00ff', 'news', 'signed-waivers-changes', false)")
    notifier.notify()
    assert (await client.connection.recv()).endswith(b"news\x00\xff")  # type: ignore[arg-type] # a binary frame


async def test_a_trigger_broadcasts_row_changes(
    database: Database,
    notifier: OutboxNotifier,
    admin: "asyncpg.Connection[asyncpg.Record]",
    rosa: Person,
    client: Client,
    token_for: TokenFor,
) -> None:
    await admin.execute(
        """
        create function public.notify_company() returns trigger language plpgsql security definer set search_path = ''
        as $$
        begin
            perform realtime.broadcast_changes('company:' || new.company_id, tg_op, tg_op, tg_table_name,
                                               tg_table_schema, new, old);
            return null;
        end $$;
        create trigger notify_company after insert on public.waiver_templates
            for each row execute function public.notify_company();
        """
    )
    await client.join(topic=own_topic(rosa), token=token_for(rosa), private=True)
    template = await make_template(database, rosa, name="River trip")
    notifier.notify()
    broadcast = (await client.receive())["payload"]
    assert broadcast["event"] == "INSERT"
    payload = broadcast["payload"]
    assert (payload["schema"], payload["table"], payload["operation"]) == ("public", "waiver_templates", "INSERT")
    assert (payload["record"]["id"], payload["record"]["name"]) == (template, "River trip")
    assert payload["old_record"] is None
    assert payload["id"]


async def test_earlier_messages_are_replayed_once_on_request(
    database: Database, notifier: OutboxNotifier, rosa: Person, mallory: Person, client: Client, token_for: TokenFor
) -> None:
    topic, rival_topic = own_topic(rosa), own_topic(mallory)
    for number in range(5):
        await send(database, notifier, {"number": number}, topic, private=True)
    await send(database, notifier, {"number": "of a rival"}, rival_topic, private=True)
    replay = {"since": int(time.time() * 1000) - 60_000, "limit": 3}

    join_reply = await client.join(topic=topic, token=token_for(rosa), private=True, broadcast={"replay": replay})
    assert join_reply["status"] == "ok"
    replayed_messages = [(await client.receive())["payload"] for _ in range(3)]
    assert [message["payload"]["number"] for message in replayed_messages] == [2, 3, 4]
    assert all(message["meta"]["replayed"] and message["meta"]["id"] for message in replayed_messages)

    await send(database, notifier, {"number": 5}, topic, private=True)
    assert (await client.receive())["payload"] == {"type": "broadcast", "event": "news", "payload": {"number": 5}}
    assert await client.receives_nothing(0.1)


async def test_a_public_channel_has_no_replay(client: Client) -> None:
    reply = await client.join(broadcast={"replay": {"since": 0}})
    assert reply["response"]["reason"] == "UnableToReplayMessages: Replay is not allowed for public channels"


async def test_users_cannot_send_messages_from_sql(database: Database, rosa: Person) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute("select realtime.send('{}', 'news', 'anything', false)")
