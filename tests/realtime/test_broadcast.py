"""Broadcasts reach the other members of a channel."""

import json
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from cairn.auth import Keyring
from tests.realtime.client import BINARY, JSON, TOPIC, Client, binary_broadcast
from tests.realtime.conftest import OpenClient

HELLO = {"type": "broadcast", "event": "greeting", "payload": {"text": "hello"}}


async def test_a_broadcast_reaches_the_other_members_but_not_the_sender(open_client: OpenClient) -> None:
    async with (
        open_client("1.0.0") as old_client,
        open_client() as new_client,
        open_client() as outsider,
    ):
        await old_client.join()
        await new_client.join()
        await outsider.join(topic="realtime:another-topic")
        await old_client.send(TOPIC, "broadcast", HELLO, join_ref="1")

        frame = await new_client.receive()
        assert (frame["topic"], frame["event"], frame["payload"]) == (TOPIC, "broadcast", HELLO)
        assert await old_client.receives_nothing(0.1)
        assert await outsider.receives_nothing(0)


async def test_a_sender_can_request_its_own_message_and_a_reply(client: Client) -> None:
    await client.join(broadcast={"self": True, "ack": True})
    ref = await client.send(TOPIC, "broadcast", HELLO, join_ref="1")
    frame, reply = await client.receive(), await client.receive()
    assert frame["payload"] == HELLO
    assert (reply["event"], reply["ref"], reply["payload"]["status"]) == ("phx_reply", ref, "ok")


async def test_a_json_broadcast_in_a_binary_frame_reaches_old_clients_as_json(open_client: OpenClient) -> None:
    async with open_client("1.0.0") as old_client, open_client() as new_client:
        await old_client.join()
        await new_client.join()
        await new_client.connection.send(binary_broadcast(JSON, b'{"text":"hello"}'))
        assert (await old_client.receive())["payload"] == HELLO


async def test_binary_broadcasts_reach_only_clients_that_support_them(open_client: OpenClient) -> None:
    async with (
        open_client() as sender,
        open_client() as new_client,
        open_client("1.0.0") as old_client,
    ):
        for client in (sender, new_client, old_client):
            await client.join()
        await sender.connection.send(binary_broadcast(BINARY, b"\x00\xff"))
        frame = await new_client.connection.recv()
        assert isinstance(frame, bytes)
        assert frame[0] == 4
        assert frame.endswith(b"greeting\x00\xff")
        assert await old_client.receives_nothing(0.1)


@pytest.fixture
def http(address: str, keyring: Keyring) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://{address}", headers={"apikey": keyring.anon_key})


@pytest.mark.accept("RT-10")
async def test_a_broadcast_over_http_reaches_the_members(http: httpx.AsyncClient, client: Client) -> None:
    await client.join()
    message = {"topic": TOPIC.removeprefix("realtime:"), "event": "greeting", "payload": {"text": "hello"}}
    async with http:
        response = await http.post("/api/broadcast", json={"messages": [message, {**message, "private": True}]})
    assert (response.status_code, response.content) == (202, b"")
    assert (await client.receive())["payload"] == HELLO
    assert await client.receives_nothing(0.1)


@pytest.mark.parametrize("name", ["signed-waivers-changes", "rivers/Soča %"])
async def test_the_route_of_one_topic_takes_the_payload_as_its_body(
    http: httpx.AsyncClient, client: Client, name: str
) -> None:
    await client.join(topic=f"realtime:{name}")
    async with http:
        path = f"/api/broadcast/{quote(name, safe='')}/events/greeting"
        response = await http.post(path, json={"text": "hello"})
    assert response.status_code == 202
    assert (await client.receive())["payload"] == HELLO


@pytest.mark.parametrize(
    "body",
    [b"", b"not json", b"[]", json.dumps({"messages": [{"topic": "x"}]}).encode(), b'{"messages":[{"topic":""}]}'],
)
async def test_a_malformed_broadcast_is_rejected(http: httpx.AsyncClient, body: bytes) -> None:
    async with http:
        response = await http.post("/api/broadcast", content=body)
    assert response.status_code == 422
    errors: dict[str, Any] = response.json()["errors"]
    assert errors


async def test_broadcasting_needs_a_valid_key(address: str) -> None:
    async with httpx.AsyncClient(base_url=f"http://{address}") as stranger:
        responses = [
            await stranger.post("/api/broadcast", json={"messages": []}, headers=headers)
            for headers in ({}, {"apikey": "a.b.c"})
        ]
    assert [response.status_code for response in responses] == [401, 401]
