"""Runs a local HTTP server that replaces an external service in tests."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from cairn.kit import frozen_dataclass

# The status code and the JSON body.
JsonResponse = tuple[int, dict[str, object]]
ConnectionHandler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@frozen_dataclass
class ReceivedRequest:
    path: str
    authorization: str
    form: dict[str, str]

    @property
    def login(self) -> tuple[str, str]:
        """Returns the user name and password of the `Authorization: Basic` header."""
        name, _, secret = base64.b64decode(self.authorization.removeprefix("Basic ")).decode().partition(":")
        return name, secret


@dataclass(slots=True)
class FakeService:
    respond: Callable[[ReceivedRequest], JsonResponse]
    requests: list[ReceivedRequest] = field(default_factory=list)
    url: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        request_line, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        form = dict(parse_qsl((await reader.readexactly(int(headers.get("content-length", 0)))).decode()))
        request = ReceivedRequest(request_line.split(" ")[1], headers.get("authorization", ""), form)
        self.requests.append(request)
        status, content = self.respond(request)
        body = json.dumps(content).encode()
        writer.write(
            f"HTTP/1.1 {status} Response\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            "Connection: close\r\n\r\n".encode()
            + body
        )
        await writer.drain()
        writer.close()


@asynccontextmanager
async def running_fake_service(respond: Callable[[ReceivedRequest], JsonResponse]) -> AsyncIterator[FakeService]:
    service = FakeService(respond)
    async with listening(service, service.serve):
        yield service


@asynccontextmanager
async def listening(service: FakeService, handle_connection: ConnectionHandler) -> AsyncIterator[None]:
    """Accepts connections on a free port and sets the URL of the service."""
    server = await asyncio.start_server(handle_connection, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    service.url = f"http://{host}:{port}"
    try:
        yield
    finally:
        server.close()
        await server.wait_closed()
