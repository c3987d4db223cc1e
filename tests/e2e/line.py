"""The line between browser and server, which can be cut, held up, or taken by somebody in the middle."""

import asyncio
import socket
import struct
from asyncio import IncompleteReadError, StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

# As a hotel's network answers whoever has not signed in to it, whatever was asked for.
PORTAL = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>Welcome to our Wi-Fi</h1>"
WITHOUT_GOODBYE = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True)
class Call:
    """One request, on a connection of its own, so that what befalls it befalls no other."""

    request: bytes
    reader: StreamReader
    writer: StreamWriter

    @property
    def name(self) -> str:
        """As in `POST /rest/v1/signed_waivers`."""
        method, address, _ = self.request.split(b" ", 2)
        return f"{method.decode()} {urlsplit(address.decode()).path}"

    @property
    def stays_open(self) -> bool:
        return b"\r\nupgrade: websocket\r\n" in self.request.lower()

    def reset(self) -> None:
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, WITHOUT_GOODBYE)
        self.writer.transport.abort()


Fate = Callable[[Call], Awaitable[None]]


class Line:
    def __init__(self, server: str) -> None:
        self._server = urlsplit(server)
        self._fates: dict[str, Fate] = {}
        self._calls: set[asyncio.Task[None]] = set()
        self.url = ""

    @property
    def port(self) -> int:
        """Of the server, who need not be there yet."""
        return self._server.port or 80

    @asynccontextmanager
    async def cut(self, name: str) -> AsyncIterator[None]:
        """Nothing of these calls arrives."""

        async def fate(call: Call) -> None:
            call.reset()

        async with self._befalls(name, fate):
            yield

    @asynccontextmanager
    async def losing_answers(self, name: str) -> AsyncIterator[None]:
        """The server does what it is asked; the browser never hears of it."""

        async def fate(call: Call) -> None:
            reader, writer = await self._ask(call)
            await reader.read()
            writer.close()
            call.reset()

        async with self._befalls(name, fate):
            yield

    @asynccontextmanager
    async def held(self, name: str) -> AsyncIterator[None]:
        """These calls wait until the block ends."""
        over = asyncio.Event()

        async def fate(call: Call) -> None:
            await over.wait()
            await self._carry(call)

        async with self._befalls(name, fate):
            try:
                yield
            finally:
                over.set()

    @asynccontextmanager
    async def taken(self, name: str, answer: bytes = PORTAL) -> AsyncIterator[None]:
        """Somebody in the middle answers these calls; the server never hears of them."""

        async def fate(call: Call) -> None:
            call.writer.write(answer)
            await call.writer.drain()

        async with self._befalls(name, fate):
            yield

    @asynccontextmanager
    async def _befalls(self, name: str, fate: Fate) -> AsyncIterator[None]:
        met: list[Call] = []

        async def noted(call: Call) -> None:
            met.append(call)
            await fate(call)

        self._fates[name] = noted
        try:
            yield
        finally:
            del self._fates[name]
        assert met, f"nobody asked for {name}"

    def take_up(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._through(reader, writer))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    async def hang_up(self) -> None:
        for task in self._calls:
            task.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)

    async def _through(self, reader: StreamReader, writer: StreamWriter) -> None:
        # Browsers open connections that they do not use in the end, and drop those they no longer care for.
        with suppress(ConnectionError, IncompleteReadError):
            call = Call(await _request(reader), reader, writer)
            await self._fates.get(call.name, self._carry)(call)
        writer.close()

    async def _carry(self, call: Call) -> None:
        reader, writer = await self._ask(call)
        ways = [_pipe(reader, call.writer)]
        if call.stays_open:
            ways.append(_pipe(call.reader, writer))
        await asyncio.gather(*ways)
        writer.close()

    async def _ask(self, call: Call) -> tuple[StreamReader, StreamWriter]:
        reader, writer = await asyncio.open_connection(self._server.hostname, self.port)
        writer.write(call.request)
        return reader, writer


@asynccontextmanager
async def line_to(server: str) -> AsyncIterator[Line]:
    """A browser that is given its address instead of the server's finds the same, at an origin of its own."""
    line = Line(server)
    exchange = await asyncio.start_server(line.take_up, "127.0.0.1", 0)
    line.url = f"http://127.0.0.1:{exchange.sockets[0].getsockname()[1]}"
    try:
        yield line
    finally:
        exchange.close()
        await line.hang_up()


async def _request(reader: StreamReader) -> bytes:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).rstrip().split(b"\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    if b"upgrade" not in headers:
        headers[b"connection"] = b"close"
    body = await reader.readexactly(int(headers.get(b"content-length", b"0")))
    return b"\r\n".join([first, *(b"%b: %b" % header for header in headers.items()), b"", body])


async def _pipe(source: StreamReader, target: StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
    target.close()
