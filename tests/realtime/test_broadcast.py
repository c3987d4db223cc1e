"""What members of a topic say to each other."""

import json
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from cairn.auth import Keyring
from tests.realtime.client import TOPIC, Client, connected

HELLO = {"type": "broadcast", "event": "greeting", "payload": {"text": "hello"}}


async def test_the_others_hear_it_and_the_sender_does_not(address: str, keyring: Keyring) -> None:
    async with (
        connected(address, keyring.anon_key, "1.0.0") as old,
        connected(address, keyring.anon_key) as new,
        connected(address, keyring.anon_key) as elsewhere,
    ):
        await old.join()
        await new.join()
        await elsewhere.join(topic="realtime:another-room")
        await old.send(TOPIC, "broadcast", HELLO, join_ref="1")

        heard = await new.receive()
        assert (heard["topic"], heard["event"], heard["payload"]) == (TOPIC, "broadcast", HELLO)
        assert await old.receives_nothing(0.1)
        assert await elsewhere.receives_nothing(0)


async def test_self_and_ack_are_given_to_those_who_ask(anyone: Client) -> None:
    await anyone.join(broadcast={"self": True, "ack": True})
    ref = await anyone.send(TOPIC, "broadcast", HELLO, join_ref="1")
    heard, reply = await anyone.receive(), await anyone.receive()
    assert heard["payload"] == HELLO
    assert (reply["event"], reply["ref"], reply["payload"]["status"]) == ("phx_reply", ref, "ok")


def kind_3(encoding: int, payload: bytes) -> bytes:
    parts = b"1", b"2", TOPIC.encode(), b"greeting", b""
    return bytes([3, *map(len, parts), encoding]) + b"".join(parts) + payload


async def test_what_new_clients_send_in_binary_reaches_old_ones_as_json(address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key, "1.0.0") as old, connected(address, keyring.anon_key) as new:
        await old.join()
        await new.join()
        await new.connection.send(kind_3(1, b'{"text":"hello"}'))
        assert (await old.receive())["payload"] == HELLO


async def test_bytes_reach_those_who_can_take_them(address: str, keyring: Keyring) -> None:
    async with (
        connected(address, keyring.anon_key) as speaker,
        connected(address, keyring.anon_key) as new,
        connected(address, keyring.anon_key, "1.0.0") as old,
    ):
        for client in (speaker, new, old):
            await client.join()
        await speaker.connection.send(kind_3(0, b"\x00\xff"))
        frame = await new.connection.recv()
        assert isinstance(frame, bytes)
        assert frame[0] == 4
        assert frame.endswith(b"greeting\x00\xff")
        assert await old.receives_nothing(0.1)


@pytest.fixture
def http(address: str, keyring: Keyring) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://{address}", headers={"apikey": keyring.anon_key})


@pytest.mark.accept("RT-10")
async def test_without_a_socket_one_can_broadcast_by_post(http: httpx.AsyncClient, anyone: Client) -> None:
    await anyone.join()
    message = {"topic": TOPIC.removeprefix("realtime:"), "event": "greeting", "payload": {"text": "hello"}}
    async with http:
        answer = await http.post("/api/broadcast", json={"messages": [message, {**message, "private": True}]})
    assert (answer.status_code, answer.content) == (202, b"")
    assert (await anyone.receive())["payload"] == HELLO
    assert await anyone.receives_nothing(0.1)


@pytest.mark.parametrize("name", ["signed-waivers-changes", "rivers/Soča %"])
async def test_the_newer_address_takes_the_bare_payload(http: httpx.AsyncClient, anyone: Client, name: str) -> None:
    await anyone.join(topic=f"realtime:{name}")
    async with http:
        address = f"/api/broadcast/{quote(name, safe='')}/events/greeting"
        answer = await http.post(address, json={"text": "hello"})
    assert answer.status_code == 202
    assert (await anyone.receive())["payload"] == HELLO


@pytest.mark.parametrize(
    "body",
    [b"", b"not json", b"[]", json.dumps({"messages": [{"topic": "x"}]}).encode(), b'{"messages":[{"topic":""}]}'],
)
async def test_an_unreadable_broadcast_is_refused(http: httpx.AsyncClient, body: bytes) -> None:
    async with http:
        answer = await http.post("/api/broadcast", content=body)
    assert answer.status_code == 422
    errors: dict[str, Any] = answer.json()["errors"]
    assert errors


async def test_nobody_broadcasts_without_a_key(address: str) -> None:
    async with httpx.AsyncClient(base_url=f"http://{address}") as stranger:
        answers = [
            await stranger.post("/api/broadcast", json={"messages": []}, headers=headers)
            for headers in ({}, {"apikey": "a.b.c"})
        ]
    assert [answer.status_code for answer in answers] == [401, 401]
