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

# The default of the setting CAIRN_REALTIME__SOCKETS_PER_NETWORK.
SOCKETS_PER_NETWORK = 500
# Lower than the default of 200, so that the tests open fewer sockets.
SOCKETS_PER_ACCOUNT = 20
SOCKET_SETTINGS = {"CAIRN_REALTIME__SOCKETS_PER_ACCOUNT": str(SOCKETS_PER_ACCOUNT)}


async def open_socket(server: RunningServer, address: str) -> tuple[Connection, bytes]:
    """Opens a socket from the address. Returns the connection and the head of the response to the handshake."""
    path = f"/realtime/v1/websocket?vsn=2.0.0&apikey={quote(server.anon_key)}"
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    request = f"GET {path} HTTP/1.1\r\nHost: cairn\r\n{upgrade}\r\n{key}\r\n\r\n".encode()
    reader, writer = await connect(server, request, address=address)
    return (reader, writer), await reader.readuntil(b"\r\n\r\n")


async def join(socket: Connection, account: Account | None, *, channel_number: int = 1) -> dict[str, object]:
    """Joins a channel, and returns the payload of the reply."""
    reader, writer = socket
    writer.write(join_frame(channel_number=channel_number, token=account.token if account else None))
    _join_ref, _ref, _topic, _event, payload = await receive_message(reader)
    reply: dict[str, object] = payload
    return reply


def join_frame(*, channel_number: int, token: str | None = None) -> bytes:
    payload = {"config": {"presence": {"enabled": False}}, **({"access_token": token} if token else {})}
    reference = str(channel_number)
    return websocket_frame([reference, reference, f"realtime:river-{channel_number}", "phx_join", payload])


async def receive_message(reader: asyncio.StreamReader) -> list[Any]:
    """Returns a message of the protocol: join reference, reference, topic, event and payload."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        _, length = await reader.readexactly(2)
        if length == 126:
            (length,) = struct.unpack(">H", await reader.readexactly(2))
        message: list[Any] = json.loads(await reader.readexactly(length))
        return message
