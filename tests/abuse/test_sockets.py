"""Sockets per network and per account are limited, and honest users notice nothing of an attack with 2,000 sockets."""

import asyncio
import json
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.abuse.connections import Connection, allow_many_files, connect
from tests.abuse.honest import ATTACKER_ADDRESS, HONEST_ADDRESS, Account, honest_visits, sign_up
from tests.abuse.memory import memory_stays_within
from tests.serving import RunningServer, serving

SOCKET_COUNT = 2000
PER_NETWORK = 500
PER_ACCOUNT = 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    allow_many_files()
    settings = {"CAIRN_REALTIME__SOCKETS_PER_ACCOUNT": str(PER_ACCOUNT)}
    with serving(Path(tmp_path_factory.mktemp("sockets")), worker=False, settings=settings) as running:
        yield running


async def test_2000_sockets_of_one_network_leave_the_server_usable(server: RunningServer) -> None:
    sockets: list[Connection] = []
    statuses: Counter[bytes] = Counter()
    async with honest_visits(server, at_least=3):
        with memory_stays_within(server, times=2):
            for _ in range(SOCKET_COUNT):
                socket, head = await open_socket(server, ATTACKER_ADDRESS)
                statuses[head[9:12]] += 1
                sockets.append(socket)
            for _, writer in sockets[:PER_NETWORK]:
                writer.write(join_frame(number=1))
            replies = await asyncio.gather(*(receive_frame(reader) for reader, _ in sockets[:PER_NETWORK]))
            honest_socket, honest_head = await open_socket(server, HONEST_ADDRESS)

    assert statuses == {b"101": PER_NETWORK, b"429": SOCKET_COUNT - PER_NETWORK}
    assert {reply[4]["status"] for reply in replies} == {"ok"}
    assert honest_head.startswith(b"HTTP/1.1 101")
    for _, writer in [*sockets, honest_socket]:
        writer.close()


async def test_a_refused_handshake_says_why_and_when_to_try_again(server: RunningServer) -> None:
    sockets = [await open_socket(server, "127.0.0.4") for _ in range(PER_NETWORK + 1)]
    (reader, _), head = sockets[-1]

    assert head.startswith(b"HTTP/1.1 429")
    assert b"retry-after: 10" in head.lower()
    assert b'{"error":"Too many connected users on this network"}' in await reader.read(1000)
    for (_, writer), _ in sockets:
        writer.close()
    await asyncio.sleep(1)
    (_, writer), head = await open_socket(server, "127.0.0.4")
    assert head.startswith(b"HTTP/1.1 101"), "closed sockets no longer count"
    writer.close()


async def test_an_account_joins_on_a_limited_number_of_sockets_from_all_networks(server: RunningServer) -> None:
    mallory, rosa = await sign_up(server, "mallory@example.com"), await sign_up(server, "rosa@example.com")
    sockets = []
    for number in range(PER_ACCOUNT):
        socket, _ = await open_socket(server, f"127.0.1.{number + 1}")
        assert (await join(socket, mallory))["status"] == "ok"
        sockets.append(socket)
    socket, _ = await open_socket(server, "127.0.2.1")
    sockets.append(socket)

    refused = {"reason": "ConnectionRateLimitReached: Too many connections of this account"}
    assert (await join(socket, mallory)) == {"status": "error", "response": refused}
    assert (await join(socket, rosa, number=2))["status"] == "ok", "other accounts are not affected"
    assert (await join(sockets[0], mallory, number=2))["status"] == "ok", "a counted socket may join more channels"

    # A channel that was joined without an account cannot receive its token either.
    socket, _ = await open_socket(server, "127.0.2.2")
    sockets.append(socket)
    assert (await join(socket, None))["status"] == "ok"
    socket[1].write(frame(["1", "2", "realtime:river-1", "access_token", {"access_token": mallory.token}]))
    events = [await receive_frame(socket[0]) for _ in range(2)]
    assert events[0][4]["message"] == "Too many connections of this account"
    assert events[1][3] == "phx_close"

    for _, writer in sockets:
        writer.close()
    await asyncio.sleep(1)
    socket, _ = await open_socket(server, "127.0.2.3")
    assert (await join(socket, mallory))["status"] == "ok", "closed sockets no longer count"
    socket[1].close()


async def open_socket(server: RunningServer, address: str) -> tuple[Connection, bytes]:
    """Returns the connection and the head of the response to the handshake."""
    path = f"/realtime/v1/websocket?vsn=2.0.0&apikey={quote(server.anon_key)}"
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    request = f"GET {path} HTTP/1.1\r\nHost: cairn\r\n{upgrade}\r\n{key}\r\n\r\n".encode()
    reader, writer = await connect(server, request, address=address)
    return (reader, writer), await reader.readuntil(b"\r\n\r\n")


async def join(socket: Connection, account: Account | None, *, number: int = 1) -> dict[str, object]:
    reader, writer = socket
    writer.write(join_frame(number=number, token=account.token if account else None))
    reply: dict[str, object] = (await receive_frame(reader))[4]
    return reply


def join_frame(*, number: int, token: str | None = None) -> bytes:
    config = {"config": {"presence": {"enabled": False}}, **({"access_token": token} if token else {})}
    return frame([str(number), str(number), f"realtime:river-{number}", "phx_join", config])


def frame(message: object) -> bytes:
    text = json.dumps(message).encode()
    # The protocol requires a mask. A mask of zeros does not change the text.
    return bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(text)) + bytes(4) + text


async def receive_frame(reader: asyncio.StreamReader) -> list[Any]:
    async with asyncio.timeout(20):
        _, length = await reader.readexactly(2)
        if length == 126:
            (length,) = struct.unpack(">H", await reader.readexactly(2))
        message: list[Any] = json.loads(await reader.readexactly(length))
        return message
