"""Clients that ask again as soon as they are answered, written so that they cost the server's cores little."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping


def request(method: str, path: str, headers: Mapping[str, str], body: object = None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: bench", *(f"{name}: {value}" for name, value in headers.items())]
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(lines).encode() + content


async def rate(port: int, clients: int, seconds: float, next_request: Callable[[], bytes], status: int) -> float:
    """Answers a second, of which each must carry the expected status."""
    began = time.perf_counter()
    until = began + seconds
    counts = await asyncio.gather(*(_client(port, until, next_request, status) for _ in range(clients)))
    return sum(counts) / (time.perf_counter() - began)


async def once(port: int, asked: bytes, status: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(asked)
    head = await reader.readuntil(b"\r\n\r\n")
    if int(head[9:12]) != status:
        raise SystemExit(f"error: expected {status} and was answered {head[9:12].decode()}")
    writer.close()


async def _client(port: int, until: float, next_request: Callable[[], bytes], status: int) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = 0
    while time.perf_counter() < until:
        writer.write(next_request())
        answered_with, body = await answer(reader)
        if answered_with != status:
            raise SystemExit(f"error: expected {status} and was answered {answered_with}: {body[:300].decode()}")
        answered += 1
    writer.close()
    await writer.wait_closed()
    return answered


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Status and body."""
    head = await reader.readuntil(b"\r\n\r\n")
    return int(head[9:12]), await reader.readexactly(_length(head))


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    raise SystemExit("error: an answer came without its length")
