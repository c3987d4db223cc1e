"""One connection: how it is opened, kept and ended."""

import asyncio
import json
import socket
from datetime import timedelta
from urllib.parse import quote

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cairn.auth import Keyring
from cairn.kit import now
from cairn.realtime import RealtimeSettings
from tests.cast import Person
from tests.realtime.client import TOPIC, Client, connected
from tests.realtime.conftest import TokenFor


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
async def test_a_heartbeat_is_answered_under_its_own_ref(address: str, keyring: Keyring, version: str) -> None:
    async with connected(address, keyring.anon_key, version) as client:
        ref = await client.send("phoenix", "heartbeat", {})
        reply = await client.receive()
    assert (reply["topic"], reply["event"], reply["ref"]) == ("phoenix", "phx_reply", ref)
    assert reply["payload"] == {"status": "ok", "response": {}}


async def refusal(address: str, query: str) -> tuple[int, object]:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(f"ws://{address}/websocket?{query}"):
            pass
    response = refused.value.response
    return response.status_code, json.loads(response.body or b"")


async def test_a_refused_handshake_is_plain_http(
    address: str, keyring: Keyring, rosa: Person, token_for: TokenFor
) -> None:
    expired = token_for(rosa, issued_at=now() - timedelta(hours=2))
    assert await refusal(address, "vsn=2.0.0") == (401, {"error": "API key is missing"})
    assert await refusal(address, f"apikey={expired}") == (401, {"error": "Token has expired"})
    assert await refusal(address, "apikey=nonsense") == (401, {"error": "The token provided is not a valid JWT"})
    assert await refusal(address, "apikey=a.b.c") == (401, {"error": "Failed to validate JWT signature"})
    status, _ = await refusal(address, f"apikey={quote(keyring.anon_key)}&vsn=3.0.0")
    assert status == 400


@pytest.mark.parametrize("settings", [RealtimeSettings(max_sockets=1)])
async def test_a_place_that_becomes_free_is_taken_again(address: str, keyring: Keyring) -> None:
    key = keyring.anon_key
    async with connected(address, key) as client:
        assert await refusal(address, f"apikey={key}") == (429, {"error": "Too many connected users"})
        assert await client.receives_nothing(0)
    await asyncio.sleep(0.1)
    async with connected(address, key) as client:
        assert await client.receives_nothing(0)


@pytest.mark.parametrize("settings", [RealtimeSettings(silence=timedelta(milliseconds=400))])
async def test_a_silent_socket_is_closed_and_a_beating_one_is_not(address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as beating, connected(address, keyring.anon_key) as silent:
        for _ in range(4):
            assert await beating.receives_nothing(0.2)
        with pytest.raises(ConnectionClosed):
            await silent.receive(within=0.1)


@pytest.mark.parametrize(
    ("settings", "frame", "code"),
    [
        (RealtimeSettings(), "not json", 1007),
        (RealtimeSettings(), b"\x09", 1007),
        (RealtimeSettings(max_frame_bytes=1024), "x" * 1025, 1009),
    ],
)
async def test_breaking_the_rules_ends_the_socket(anyone: Client, frame: str | bytes, code: int) -> None:
    await anyone.connection.send(frame)
    with pytest.raises(ConnectionClosed) as closed:
        await anyone.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


@pytest.mark.parametrize("settings", [RealtimeSettings(channels_per_socket=2)])
async def test_a_socket_has_only_so_many_channels(anyone: Client) -> None:
    for name in ("one", "two"):
        assert (await anyone.join(topic=f"realtime:{name}"))["status"] == "ok"
    refused = await anyone.join(topic="realtime:three")
    assert refused["response"] == {"reason": "ChannelRateLimitReached: Too many channels"}

    await anyone.send("realtime:one", "phx_leave", {}, join_ref="1")
    assert [(await anyone.receive())["event"] for _ in range(2)] == ["phx_reply", "phx_close"]
    assert (await anyone.join(topic="realtime:three"))["status"] == "ok"


@pytest.mark.parametrize("settings", [RealtimeSettings(max_unsent_bytes=500_000)])
async def test_a_slow_reader_is_dropped_and_holds_up_nobody(address: str, keyring: Keyring) -> None:
    key = keyring.anon_key
    with socket.socket() as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        host, port = address.split(":")
        narrow.connect((host, int(port)))
        async with (
            connected(address, key) as speaker,
            connected(address, key, compression=None) as brisk,
            connected(address, key, compression=None, sock=narrow, max_queue=1, close_timeout=0.1) as slow,
        ):
            for client in (speaker, brisk, slow):
                assert (await client.join())["status"] == "ok"

            for number in range(100):
                said = {"type": "broadcast", "event": "shout", "payload": {"number": number, "words": "x" * 100_000}}
                await speaker.send(TOPIC, "broadcast", said, join_ref="1")
                assert (await brisk.receive(within=2))["payload"]["payload"]["number"] == number

            heard = 0
            with pytest.raises(ConnectionClosed):
                while True:
                    await slow.receive()
                    heard += 1
    assert heard < 100
