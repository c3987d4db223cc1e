"""Realtime sockets for tests that open more of them than a client library would."""

import asyncio
import json
import struct
from typing import Any
from urllib.parse import quote

from bench.listener import websocket_frame
from tests.abuse.connections import Connection, connect
from tests.abuse.honest import Account
from tests.serving import RunningServer
from tests.waiting import PATIENCE_SECONDS

SOCKETS_PER_NETWORK = 500
SOCKETS_PER_ACCOUNT = 20
SOCKET_SETTINGS = {"CAIRN_REALTIME__SOCKETS_PER_ACCOUNT": str(SOCKETS_PER_ACCOUNT)}


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
    return websocket_frame([str(number), str(number), f"realtime:river-{number}", "phx_join", config])


async def receive_frame(reader: asyncio.StreamReader) -> list[Any]:
    async with asyncio.timeout(PATIENCE_SECONDS):
        _, length = await reader.readexactly(2)
        if length == 126:
            (length,) = struct.unpack(">H", await reader.readexactly(2))
        message: list[Any] = json.loads(await reader.readexactly(length))
        return message
