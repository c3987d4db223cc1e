"""Only members of a company may join the private channels of its topics."""

import asyncpg
import httpx
import pytest

from cairn.auth import Keyring
from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from tests.people import Person
from tests.realtime.client import Client
from tests.realtime.conftest import OpenClient, TokenFor
from tests.realtime.test_broadcast import HELLO
from tests.realtime.test_presence import next_diff, track

DENIED_REASON_START = "Unauthorized: You do not have permissions to read from this Channel topic: "


def own_topic(person: Person, suffix: str = "") -> str:
    return f"realtime:company:{person.company}{suffix}"


async def test_members_of_a_company_share_a_private_channel(
    rosa: Person, bea: Person, token_for: TokenFor, open_client: OpenClient
) -> None:
    topic = own_topic(rosa, ":office")
    async with open_client() as first_client, open_client() as second_client:
        for client, person in ((first_client, rosa), (second_client, bea)):
            join_reply = await client.join(topic=topic, token=token_for(person), private=True, broadcast={"ack": True})
            assert join_reply["status"] == "ok"
        await first_client.send(topic, "broadcast", HELLO, join_ref="1")
        assert (await first_client.receive())["payload"]["status"] == "ok"
        assert (await second_client.receive())["payload"] == HELLO


@pytest.mark.parametrize("suffix", ["", ":office"])
async def test_a_rival_and_a_stranger_cannot_join_a_private_channel(
    rosa: Person, mallory: Person, gil: Person, client: Client, token_for: TokenFor, suffix: str
) -> None:
    topic = own_topic(rosa, suffix)
    for token in (token_for(mallory), token_for(gil), None):
        reply = await client.join(topic=topic, token=token, private=True)
        assert reply["response"]["reason"] == DENIED_REASON_START + topic.removeprefix("realtime:")


async def test_a_topic_that_only_resembles_a_company_topic_is_denied(
    rosa: Person, client: Client, token_for: TokenFor
) -> None:
    for name in (own_topic(rosa) + "0", own_topic(rosa)[:-1], "realtime:company:", "realtime:office"):
        assert (await client.join(topic=name, token=token_for(rosa), private=True))["status"] == "error"


async def test_a_public_channel_of_the_same_name_is_separate(
    rosa: Person, mallory: Person, token_for: TokenFor, open_client: OpenClient
) -> None:
    topic = own_topic(rosa)
    presence = {"key": "x", "enabled": True}
    async with open_client() as owner, open_client() as rival:
        await owner.join(topic=topic, token=token_for(rosa), private=True, presence=presence)
        assert (await rival.join(topic=topic, token=token_for(mallory), presence=presence))["status"] == "ok"
        for client in (owner, rival):
            assert (await client.receive())["payload"] == {}
        await owner.send(topic, "broadcast", HELLO, join_ref="1")
        await track(owner, {"at": "the office"}, topic)
        await next_diff(owner)
        assert await rival.receives_nothing(0.2)
        await rival.send(topic, "broadcast", HELLO, join_ref="1")
        assert await owner.receives_nothing(0.1)


async def test_http_broadcasts_to_a_private_channel_need_permission(
    rosa: Person, mallory: Person, address: str, keyring: Keyring, token_for: TokenFor, open_client: OpenClient
) -> None:
    topic = own_topic(rosa)
    broadcast = {"topic": topic.removeprefix("realtime:"), "event": "greeting", "private": True}
    async with (
        open_client() as owner,
        httpx.AsyncClient(base_url=f"http://{address}") as http,
    ):
        await owner.join(topic=topic, token=token_for(rosa), private=True)
        for person, text in ((mallory, "forged"), (rosa, "hello")):
            message = {**broadcast, "payload": {"text": text}}
            headers = {"apikey": keyring.anon_key, "authorization": f"Bearer {token_for(person)}"}
            response = await http.post("/api/broadcast", json={"messages": [message]}, headers=headers)
            assert response.status_code == 202
        assert (await owner.receive())["payload"] == HELLO
        assert await owner.receives_nothing(0.1)


async def test_a_token_without_permission_ends_the_channel(
    rosa: Person, mallory: Person, client: Client, token_for: TokenFor
) -> None:
    topic = own_topic(rosa)
    await client.join(topic=topic, token=token_for(rosa), private=True)
    await client.send(topic, "access_token", {"access_token": token_for(rosa)}, join_ref="1")
    assert await client.receives_nothing(0.1)
    await client.send(topic, "access_token", {"access_token": token_for(mallory)}, join_ref="1")
    system_frame, close_frame = await client.receive(), await client.receive()
    assert system_frame["payload"]["message"].startswith("You do not have permissions to read from this Channel topic")
    assert close_frame["event"] == "phx_close"


READ_ONLY_POLICY = """
create policy "everyone receives the weather" on realtime.messages for select to anon, authenticated
    using (realtime.topic() = 'weather' and extension = 'broadcast')
"""


async def test_a_member_with_read_permission_cannot_broadcast_or_track(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]", notifier: OutboxNotifier, open_client: OpenClient
) -> None:
    await admin.execute(READ_ONLY_POLICY)
    topic = "realtime:weather"
    async with open_client() as first_client, open_client() as second_client:
        for client in (first_client, second_client):
            presence = {"key": "x", "enabled": True}
            join_reply = await client.join(topic=topic, private=True, presence=presence, broadcast={"ack": True})
            assert join_reply["status"] == "ok"
        await first_client.send(topic, "broadcast", HELLO, join_ref="1")
        reply = await track(first_client, {}, topic)
        assert reply["payload"]["status"] == "error"
        assert await first_client.receives_nothing(0.1)
        assert await second_client.receives_nothing(0)

        async with database.acting_as(SERVICE) as connection:
            await connection.execute("select realtime.send('{\"sky\": \"blue\"}', 'forecast', 'weather', true)")
        notifier.notify()
        assert (await second_client.receive())["payload"]["payload"] == {"sky": "blue"}
