"""Runs a proxy between the browser and the server, which can drop, hold or intercept requests."""

import asyncio
import socket
import struct
from asyncio import IncompleteReadError, StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from cairn.kit import frozen_dataclass

# A hotel network sends this response to every request of a client that has not signed in to the network.
CAPTIVE_PORTAL = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>Welcome to our Wi-Fi</h1>"
# This SO_LINGER value has a timeout of zero, so that closing the socket sends a TCP reset.
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


@frozen_dataclass
class ProxiedRequest:
    """A request and its connection. Each connection carries one request, so a fault affects no other request."""

    content: bytes
    reader: StreamReader
    writer: StreamWriter

    @property
    def name(self) -> str:
        """Returns the method and the path, for example `POST /rest/v1/signed_waivers`."""
        method, url, _ = self.content.split(b" ", 2)
        return f"{method.decode()} {urlsplit(url.decode()).path}"

    @property
    def is_websocket(self) -> bool:
        return b"\r\nupgrade: websocket\r\n" in self.content.lower()

    def reset(self) -> None:
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        self.writer.transport.abort()


Handler = Callable[[ProxiedRequest], Awaitable[None]]


class FaultProxy:
    def __init__(self, server_url: str) -> None:
        self._server = urlsplit(server_url)
        self._handlers: dict[str, Handler] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""

    @property
    def server_port(self) -> int:
        """Returns the port on which the proxy expects the server, which may be started after the proxy."""
        return self._server.port or 80

    @asynccontextmanager
    async def drop_requests(self, name: str) -> AsyncIterator[None]:
        """Resets the connection before the server receives the request."""

        async def handle(request: ProxiedRequest) -> None:
            request.reset()

        async with self._handling(name, handle):
            yield

    @asynccontextmanager
    async def drop_responses(self, name: str) -> AsyncIterator[None]:
        """Lets the server process the request, but resets the connection instead of sending the response."""

        async def handle(request: ProxiedRequest) -> None:
            reader, writer = await self._send(request)
            await reader.read()
            writer.close()
            request.reset()

        async with self._handling(name, handle):
            yield

    @asynccontextmanager
    async def hold_requests(self, name: str) -> AsyncIterator[None]:
        """Holds the requests, and forwards them when the `with` block ends."""
        released = asyncio.Event()

        async def handle(request: ProxiedRequest) -> None:
            await released.wait()
            await self._forward(request)

        async with self._handling(name, handle):
            try:
                yield
            finally:
                released.set()

    @asynccontextmanager
    async def intercept(self, name: str, response: bytes = CAPTIVE_PORTAL) -> AsyncIterator[None]:
        """Sends `response` to the browser instead of forwarding the requests to the server."""

        async def handle(request: ProxiedRequest) -> None:
            request.writer.write(response)
            await request.writer.drain()

        async with self._handling(name, handle):
            yield

    @asynccontextmanager
    async def _handling(self, name: str, handler: Handler) -> AsyncIterator[None]:
        handled_requests: list[ProxiedRequest] = []

        async def record_and_handle(request: ProxiedRequest) -> None:
            handled_requests.append(request)
            await handler(request)

        self._handlers[name] = record_and_handle
        try:
            yield
        finally:
            del self._handlers[name]
        assert handled_requests, f"the browser did not send {name}"

    def accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        # Browsers open connections that they never use, and close connections before the response is complete.
        with suppress(ConnectionError, IncompleteReadError):
            request = ProxiedRequest(await _read_request(reader), reader, writer)
            await self._handlers.get(request.name, self._forward)(request)
        writer.close()

    async def _forward(self, request: ProxiedRequest) -> None:
        reader, writer = await self._send(request)
        directions = [_copy(reader, request.writer)]
        if request.is_websocket:
            directions.append(_copy(request.reader, writer))
        await asyncio.gather(*directions)
        writer.close()

    async def _send(self, request: ProxiedRequest) -> tuple[StreamReader, StreamWriter]:
        reader, writer = await asyncio.open_connection(self._server.hostname, self.server_port)
        writer.write(request.content)
        return reader, writer


@asynccontextmanager
async def running_fault_proxy(server_url: str) -> AsyncIterator[FaultProxy]:
    """Runs a proxy; a browser that opens its URL sees the same product at a different origin."""
    proxy = FaultProxy(server_url)
    listener = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        listener.close()
        await proxy.close()


async def _read_request(reader: StreamReader) -> bytes:
    request_line, *lines = (await reader.readuntil(b"\r\n\r\n")).rstrip().split(b"\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    if b"upgrade" not in headers:
        headers[b"connection"] = b"close"
    body = await reader.readexactly(int(headers.get(b"content-length", b"0")))
    return b"\r\n".join([request_line, *(b"%b: %b" % header for header in headers.items()), b"", body])


async def _copy(source: StreamReader, target: StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
    target.close()
