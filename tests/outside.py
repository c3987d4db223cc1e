"""Services of others, as real local servers that speak their protocol."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

Answer = tuple[int, dict[str, object]]


@dataclass(frozen=True, slots=True)
class Asked:
    path: str
    authorization: str
    form: dict[str, str]

    @property
    def login(self) -> tuple[str, str]:
        name, _, secret = base64.b64decode(self.authorization.removeprefix("Basic ")).decode().partition(":")
        return name, secret


@dataclass(slots=True)
class Outside:
    answer: Callable[[Asked], Answer]
    asked: list[Asked] = field(default_factory=list)
    url: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        request, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        asked = Asked(request.split(" ")[1], headers.get("authorization", ""), dict(parse_qsl(body.decode())))
        self.asked.append(asked)
        status, content = self.answer(asked)
        payload = json.dumps(content).encode()
        writer.write(
            f"HTTP/1.1 {status} Answer\r\nContent-Type: application/json\r\nContent-Length: {len(payload)}\r\n"
            "Connection: close\r\n\r\n".encode()
            + payload
        )
        await writer.drain()
        writer.close()


@asynccontextmanager
async def outside(answer: Callable[[Asked], Answer]) -> AsyncIterator[Outside]:
    place = Outside(answer)
    server = await asyncio.start_server(place.serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    place.url = f"http://{host}:{port}"
    try:
        yield place
    finally:
        server.close()
        await server.wait_closed()
