"""Measures a server with clients that send the next request as soon as a response arrives.

The clients use little CPU time themselves.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping

CLIENT_COUNT = 8


def build_request(method: str, path: str, headers: Mapping[str, str], body: object = None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: bench", *(f"{name}: {value}" for name, value in headers.items())]
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(lines).encode() + content


async def measure_rate(
    port: int, client_count: int, seconds: float, next_request: Callable[[], bytes], status: int
) -> float:
    """Returns the responses per second. Each response must have `status`."""
    response_count, elapsed_seconds = await count_responses(port, client_count, seconds, next_request, status)
    return response_count / elapsed_seconds


async def count_responses(
    port: int, client_count: int, seconds: float, next_request: Callable[[], bytes], status: int
) -> tuple[int, float]:
    """Returns the number of responses, and the seconds until the last of them."""
    loop, started_at = asyncio.get_running_loop(), time.perf_counter()
    load_clients: list[_LoadClient] = []
    for _ in range(client_count):
        _, client = await loop.create_connection(
            lambda: _LoadClient(next_request, status, started_at + seconds), "127.0.0.1", port
        )
        load_clients.append(client)
    await asyncio.gather(*(client.done for client in load_clients))
    return sum(client.response_count for client in load_clients), time.perf_counter() - started_at


async def send_once(port: int, request: bytes, status: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    if int(head[9:12]) != status:
        raise SystemExit(f"error: expected status {status}, received {head[9:12].decode()}")
    writer.close()


class _LoadClient(asyncio.Protocol):
    """Sends requests on one connection. It does not use asyncio's streams, which would need a third of a core."""

    def __init__(self, next_request: Callable[[], bytes], status: int, deadline: float) -> None:
        self._next_request, self._status, self._deadline = next_request, b"%d" % status, deadline
        self._received = b""
        self.response_count = 0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # the transport is a socket
        self._transport = transport
        transport.write(self._next_request())

    def data_received(self, data: bytes) -> None:
        self._received += data
        received = self._received
        end = received.find(b"\r\n\r\n")
        if end < 0 or len(received) < end + 4 + _content_length(received[:end]):
            return
        if received[9:12] != self._status:
            self._end(SystemExit(f"error: expected status {self._status.decode()}: {received[:400].decode()}"))
            return
        self.response_count += 1
        self._received = b""
        if time.perf_counter() < self._deadline:
            self._transport.write(self._next_request())
        else:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self._end(SystemExit(f"error: the server closed the connection: {exc}"))

    def _end(self, failure: BaseException | None = None) -> None:
        if failure is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(failure)
        self._transport.close()


async def read_response(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Returns the status and the body."""
    head = await reader.readuntil(b"\r\n\r\n")
    return int(head[9:12]), await reader.readexactly(_content_length(head))


def _content_length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    raise SystemExit("error: a response has no Content-Length")
