"""Private channels: a company's own topics, and nobody else's."""

import asyncpg
import httpx
import pytest

from cairn.auth import Keyring
from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from tests.cast import Person
from tests.realtime.client import Client, connected
from tests.realtime.conftest import TokenFor
from tests.realtime.test_broadcast import HELLO
from tests.realtime.test_presence import diff, track

DENIED = "Unauthorized: You do not have permissions to read from this Channel topic: "


def own_topic(person: Person, more: str = "") -> str:
    return f"realtime:company:{person.company}{more}"


async def test_a_company_speaks_among_itself(
    rosa: Person, bea: Person, address: str, keyring: Keyring, token_for: TokenFor
) -> None:
    topic = own_topic(rosa, ":desk")
    async with connected(address, keyring.anon_key) as one, connected(address, keyring.anon_key) as other:
        for client, person in ((one, rosa), (other, bea)):
            joined = await client.join(topic=topic, token=token_for(person), private=True, broadcast={"ack": True})
            assert joined["status"] == "ok"
        await one.send(topic, "broadcast", HELLO, join_ref="1")
        assert (await one.receive())["payload"]["status"] == "ok"
        assert (await other.receive())["payload"] == HELLO


@pytest.mark.parametrize("more", ["", ":desk"])
async def test_a_rival_and_a_stranger_do_not_get_in(
    rosa: Person, mallory: Person, gil: Person, anyone: Client, token_for: TokenFor, more: str
) -> None:
    topic = own_topic(rosa, more)
    for token in (token_for(mallory), token_for(gil), None):
        reply = await anyone.join(topic=topic, token=token, private=True)
        assert reply["response"]["reason"] == DENIED + topic.removeprefix("realtime:")


async def test_nobody_has_a_topic_that_only_begins_like_a_companys(
    rosa: Person, anyone: Client, token_for: TokenFor
) -> None:
    for name in (own_topic(rosa) + "0", own_topic(rosa)[:-1], "realtime:company:", "realtime:desk"):
        assert (await anyone.join(topic=name, token=token_for(rosa), private=True))["status"] == "error"


async def test_the_public_channel_of_the_same_name_is_another_place(
    rosa: Person, mallory: Person, address: str, keyring: Keyring, token_for: TokenFor
) -> None:
    topic = own_topic(rosa)
    presence = {"key": "x", "enabled": True}
    async with connected(address, keyring.anon_key) as own, connected(address, keyring.anon_key) as rival:
        await own.join(topic=topic, token=token_for(rosa), private=True, presence=presence)
        assert (await rival.join(topic=topic, token=token_for(mallory), presence=presence))["status"] == "ok"
        for client in (own, rival):
            assert (await client.receive())["payload"] == {}
        await own.send(topic, "broadcast", HELLO, join_ref="1")
        await track(own, {"at": "the desk"}, topic)
        await diff(own)
        assert await rival.receives_nothing(0.2)
        await rival.send(topic, "broadcast", HELLO, join_ref="1")
        assert await own.receives_nothing(0.1)


async def test_by_http_too_only_the_company_is_heard(
    rosa: Person, mallory: Person, address: str, keyring: Keyring, token_for: TokenFor
) -> None:
    topic = own_topic(rosa)
    sending = {"topic": topic.removeprefix("realtime:"), "event": "greeting", "private": True}
    async with (
        connected(address, keyring.anon_key) as own,
        httpx.AsyncClient(base_url=f"http://{address}") as http,
    ):
        await own.join(topic=topic, token=token_for(rosa), private=True)
        for person, words in ((mallory, "fooled you"), (rosa, "hello")):
            message = {**sending, "payload": {"text": words}}
            headers = {"apikey": keyring.anon_key, "authorization": f"Bearer {token_for(person)}"}
            answer = await http.post("/api/broadcast", json={"messages": [message]}, headers=headers)
            assert answer.status_code == 202
        assert (await own.receive())["payload"] == HELLO
        assert await own.receives_nothing(0.1)


async def test_a_token_without_the_right_ends_the_channel(
    rosa: Person, mallory: Person, anyone: Client, token_for: TokenFor
) -> None:
    topic = own_topic(rosa)
    await anyone.join(topic=topic, token=token_for(rosa), private=True)
    await anyone.send(topic, "access_token", {"access_token": token_for(rosa)}, join_ref="1")
    assert await anyone.receives_nothing(0.1)
    await anyone.send(topic, "access_token", {"access_token": token_for(mallory)}, join_ref="1")
    told, closed = await anyone.receive(), await anyone.receive()
    assert told["payload"]["message"].startswith("You do not have permissions to read from this Channel topic")
    assert closed["event"] == "phx_close"


READ_ONLY = """
create policy "everybody listens to the weather" on realtime.messages for select to anon, authenticated
    using (realtime.topic() = 'weather' and extension = 'broadcast')
"""


async def test_who_may_only_listen_is_not_heard_and_not_seen(
    database: Database,
    admin: "asyncpg.Connection[asyncpg.Record]",
    address: str,
    keyring: Keyring,
    notifier: OutboxNotifier,
) -> None:
    await admin.execute(READ_ONLY)
    topic = "realtime:weather"
    async with connected(address, keyring.anon_key) as one, connected(address, keyring.anon_key) as other:
        for client in (one, other):
            presence = {"key": "x", "enabled": True}
            joined = await client.join(topic=topic, private=True, presence=presence, broadcast={"ack": True})
            assert joined["status"] == "ok"
        await one.send(topic, "broadcast", HELLO, join_ref="1")
        reply = await track(one, {}, topic)
        assert reply["payload"]["status"] == "error"
        assert await one.receives_nothing(0.1)
        assert await other.receives_nothing(0)

        async with database.acting_as(SERVICE) as connection:
            await connection.execute("select realtime.send('{\"sky\": \"blue\"}', 'forecast', 'weather', true)")
        notifier.notify()
        assert (await other.receive())["payload"]["payload"] == {"sky": "blue"}
