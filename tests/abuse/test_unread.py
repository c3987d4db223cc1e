"""D6, D7: the memory for data that clients do not read is limited for all connections together, also on websockets.

D6 and D7 are findings in docs/security.md.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.settings import ConnectionSettings
from cairn.slow_clients import ConnectionLimits, LimitedProtocol, LimitedWebSocketProtocol, close_slow_connections
from tests.abuse.connections import read_until_closed

BODY_BYTES = 4_000_000
MAX_UNREAD_BYTES = 5 * BODY_BYTES
MAX_UNFINISHED_BYTES = 5_000_000
UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


async def large_response(scope: Scope, receive: Receive, send: Send) -> None:
    """Sends a large body, or a large message on a websocket. At `/echo`, it sends back the message that it received."""
    await receive()
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        if scope["path"] == "/echo":
            await send({"type": "websocket.send", "bytes": (await receive())["bytes"]})
        else:
            await send({"type": "websocket.send", "bytes": bytes(BODY_BYTES)})
        await receive()
        return
    headers = [(b"content-length", str(BODY_BYTES).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": bytes(BODY_BYTES)})


@asynccontextmanager
async def serving(
    read_seconds: float, app: ASGIApp = large_response
) -> AsyncIterator[tuple[int, set[asyncio.Protocol]]]:
    """Yields the port and the open connections of a server that closes the connections of slow clients."""
    settings = ConnectionSettings(
        max_unread_bytes=MAX_UNREAD_BYTES,
        max_unfinished_bytes=MAX_UNFINISHED_BYTES,
        read_timeout=timedelta(seconds=read_seconds),
    )
    limits = ConnectionLimits(settings, trusted_proxies="127.0.0.1")
    config = uvicorn.Config(
        app,
        http=partial(LimitedProtocol, limits=limits),  # type: ignore[arg-type] # uvicorn only calls it
        ws=partial(LimitedWebSocketProtocol, limits=limits),  # type: ignore[arg-type] # uvicorn only calls it
        log_level="critical",
        lifespan="off",
        forwarded_allow_ips="127.0.0.1",
    )
    server = uvicorn.Server(config)
    connections: set[asyncio.Protocol] = server.server_state.connections  # type: ignore[assignment] # all protocols
    with socket.create_server(("127.0.0.1", 0)) as listener:
        tasks = asyncio.create_task(server.serve([listener])), asyncio.create_task(close_slow_connections(connections))
        try:
            yield listener.getsockname()[1], connections
        finally:
            server.should_exit = server.force_exit = True
            tasks[1].cancel()
            await tasks[0]


def request(port: int, network: str, headers: bytes = b"", path: str = "/") -> socket.socket:
    """Sends a request as a trusted proxy does for a client of the network, and reads nothing."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {network}\r\n".encode() + headers + b"\r\n")
    client.setblocking(False)
    return client


def unread_bytes(connections: set[asyncio.Protocol]) -> int:
    return sum(
        connection.unread_bytes()
        for connection in connections
        if isinstance(connection, LimitedProtocol | LimitedWebSocketProtocol)
    )


async def read_all(client: socket.socket) -> int:
    reader, writer = await asyncio.open_connection(sock=client)
    writer.write_eof()
    received = await asyncio.wait_for(read_until_closed(reader), 20)
    writer.close()
    return len(received)


@pytest.mark.parametrize("headers", [b"", UPGRADE], ids=["responses", "websockets"])
async def test_d7_unread_bytes_of_all_connections_are_limited_and_the_greediest_network_is_closed_first(
    headers: bytes,
) -> None:
    async with serving(read_seconds=60) as (port, connections):
        honest = request(port, "203.0.113.9", headers)
        attackers = []
        for number in range(20):
            attackers.append(request(port, f"2001:db8:5:{number}::1", headers))
            await asyncio.sleep(0.05)

        assert 0 < unread_bytes(connections) <= MAX_UNREAD_BYTES
        received = await asyncio.gather(*map(read_all, attackers))
        assert min(received) < BODY_BYTES < max(received), "the last ones are still open, the first ones are not"
        assert await read_all(honest) > BODY_BYTES, "a client of another network reads its whole response"
        assert unread_bytes(connections) == 0


async def test_d6_a_websocket_that_reads_nothing_is_disconnected_even_after_its_closing_frame() -> None:
    async with serving(read_seconds=1) as (port, connections):
        client = request(port, "203.0.113.9", UPGRADE)
        await asyncio.sleep(0.3)
        assert unread_bytes(connections) > 0
        # A frame that closes the websocket.
        client.sendall(b"\x88\x80\0\0\0\0")
        await asyncio.sleep(3.5)

        assert not connections
        client.close()


async def test_d6_unfinished_messages_of_all_websockets_are_limited_and_the_greediest_network_is_closed_first() -> None:
    length = 900_000
    # The head of a binary message, with its length and a mask of zeros.
    head = b"\x82\xff" + length.to_bytes(8) + bytes(4)
    async with serving(read_seconds=60) as (port, connections):
        clients = [request(port, "203.0.113.9", UPGRADE, "/echo")]
        clients += [request(port, f"2001:db8:5:{number}::1", UPGRADE, "/echo") for number in range(12)]
        await asyncio.sleep(0.5)
        loop = asyncio.get_running_loop()
        for client in clients:
            with suppress(ConnectionError):
                await loop.sock_sendall(client, head + bytes(length - 1))
        await asyncio.sleep(1)

        sockets = [connection for connection in connections if isinstance(connection, LimitedWebSocketProtocol)]
        assert 0 < sum(connection.unfinished_bytes for connection in sockets) <= MAX_UNFINISHED_BYTES
        clients[0].sendall(b"x")
        assert await read_all(clients[0]) > length, "a client of another network sends its whole message"
        for client in clients[1:]:
            client.close()
