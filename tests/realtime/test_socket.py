"""A websocket opens, stays alive and closes."""

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
from tests.people import Person
from tests.realtime.client import TOPIC, Client
from tests.realtime.conftest import OpenClient, TokenFor


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
async def test_the_reply_to_a_heartbeat_has_its_ref(version: str, open_client: OpenClient) -> None:
    async with open_client(version) as client:
        ref = await client.send("phoenix", "heartbeat", {})
        reply = await client.receive()
    assert (reply["topic"], reply["event"], reply["ref"]) == ("phoenix", "phx_reply", ref)
    assert reply["payload"] == {"status": "ok", "response": {}}


async def rejected_handshake(address: str, query: str) -> tuple[int, object]:
    with pytest.raises(InvalidStatus) as error:
        async with connect(f"ws://{address}/websocket?{query}"):
            pass
    response = error.value.response
    return response.status_code, json.loads(response.body or b"")


async def test_a_rejected_handshake_is_a_plain_http_response(
    address: str, keyring: Keyring, rosa: Person, token_for: TokenFor
) -> None:
    expired_token = token_for(rosa, issued_at=now() - timedelta(hours=2))
    assert await rejected_handshake(address, "vsn=2.0.0") == (401, {"error": "API key is missing"})
    assert await rejected_handshake(address, f"apikey={expired_token}") == (401, {"error": "Token has expired"})
    assert await rejected_handshake(address, "apikey=nonsense") == (
        401,
        {"error": "The token provided is not a valid JWT"},
    )
    assert await rejected_handshake(address, "apikey=a.b.c") == (401, {"error": "Failed to validate JWT signature"})
    status, _ = await rejected_handshake(address, f"apikey={quote(keyring.anon_key)}&vsn=3.0.0")
    assert status == 400


@pytest.mark.parametrize("settings", [RealtimeSettings(max_sockets=1)])
async def test_closing_a_socket_makes_space_for_another(
    address: str, keyring: Keyring, open_client: OpenClient
) -> None:
    key = keyring.anon_key
    async with open_client() as client:
        assert await rejected_handshake(address, f"apikey={key}") == (429, {"error": "Too many connected users"})
        assert await client.receives_nothing(0)
    await asyncio.sleep(0.1)
    async with open_client() as client:
        assert await client.receives_nothing(0)


@pytest.mark.parametrize("settings", [RealtimeSettings(silence=timedelta(milliseconds=400))])
async def test_a_socket_without_heartbeats_is_closed(open_client: OpenClient) -> None:
    async with open_client() as active, open_client() as silent:
        for _ in range(4):
            assert await active.receives_nothing(0.2)
        with pytest.raises(ConnectionClosed):
            await silent.receive(timeout_seconds=0.1)


@pytest.mark.parametrize(
    ("settings", "frame", "code"),
    [
        (RealtimeSettings(), "not json", 1007),
        (RealtimeSettings(), b"\x09", 1007),
        (RealtimeSettings(max_frame_bytes=1024), "x" * 1025, 1009),
    ],
)
async def test_a_protocol_violation_closes_the_socket(client: Client, frame: str | bytes, code: int) -> None:
    await client.connection.send(frame)
    with pytest.raises(ConnectionClosed) as error:
        await client.receive()
    assert error.value.rcvd is not None
    assert error.value.rcvd.code == code


@pytest.mark.parametrize("settings", [RealtimeSettings(channels_per_socket=2)])
async def test_the_number_of_channels_per_socket_is_limited(client: Client) -> None:
    for name in ("one", "two"):
        assert (await client.join(topic=f"realtime:{name}"))["status"] == "ok"
    reply = await client.join(topic="realtime:three")
    assert reply["response"] == {"reason": "ChannelRateLimitReached: Too many channels"}

    await client.send("realtime:one", "phx_leave", {}, join_ref="1")
    assert [(await client.receive())["event"] for _ in range(2)] == ["phx_reply", "phx_close"]
    assert (await client.join(topic="realtime:three"))["status"] == "ok"


@pytest.mark.parametrize("settings", [RealtimeSettings(max_unsent_bytes=500_000)])
async def test_a_slow_client_is_disconnected_and_delays_no_one(address: str, open_client: OpenClient) -> None:
    with socket.socket() as small_socket:
        small_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        host, port = address.split(":")
        small_socket.connect((host, int(port)))
        async with (
            open_client() as sender,
            open_client(compression=None) as fast,
            open_client(compression=None, sock=small_socket, max_queue=1, close_timeout=0.1) as slow,
        ):
            for client in (sender, fast, slow):
                assert (await client.join())["status"] == "ok"

            for number in range(100):
                message = {"type": "broadcast", "event": "shout", "payload": {"number": number, "text": "x" * 100_000}}
                await sender.send(TOPIC, "broadcast", message, join_ref="1")
                assert (await fast.receive(timeout_seconds=2))["payload"]["payload"]["number"] == number

            assert await slow.count_frames_until_closed() < 100
