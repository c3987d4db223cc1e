"""Clients that ask again as soon as they are answered, written so that they cost the server's cores little."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping

CLIENTS = 8


def request(method: str, path: str, headers: Mapping[str, str], body: object = None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: bench", *(f"{name}: {value}" for name, value in headers.items())]
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(lines).encode() + content


async def rate(port: int, clients: int, seconds: float, next_request: Callable[[], bytes], status: int) -> float:
    """Answers a second, of which each must carry the expected status."""
    loop, began = asyncio.get_running_loop(), time.perf_counter()
    asking: list[_Asking] = []
    for _ in range(clients):
        _, each = await loop.create_connection(
            lambda: _Asking(next_request, status, began + seconds), "127.0.0.1", port
        )
        asking.append(each)
    await asyncio.gather(*(each.done for each in asking))
    return sum(each.answered for each in asking) / (time.perf_counter() - began)


async def once(port: int, asked: bytes, status: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(asked)
    head = await reader.readuntil(b"\r\n\r\n")
    if int(head[9:12]) != status:
        raise SystemExit(f"error: expected {status} and was answered {head[9:12].decode()}")
    writer.close()


class _Asking(asyncio.Protocol):
    """One client. Below the streams of asyncio, whose comfort would be a third of a core that the server needs."""

    def __init__(self, next_request: Callable[[], bytes], status: int, until: float) -> None:
        self._next_request, self._status, self._until = next_request, b"%d" % status, until
        self._heard = b""
        self.answered = 0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # of a socket, always
        self._transport = transport
        transport.write(self._next_request())

    def data_received(self, data: bytes) -> None:
        self._heard = heard = self._heard + data if self._heard else data
        end = heard.find(b"\r\n\r\n")
        if end < 0 or len(heard) < end + 4 + _length(heard[:end]):
            return
        if heard[9:12] != self._status:
            self._end(SystemExit(f"error: expected {self._status.decode()} and was answered {heard[:400].decode()}"))
            return
        self.answered += 1
        self._heard = b""
        if time.perf_counter() < self._until:
            self._transport.write(self._next_request())
        else:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self._end(SystemExit(f"error: the server hung up: {exc}"))

    def _end(self, failure: BaseException | None = None) -> None:
        if failure is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(failure)
        self._transport.close()


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Status and body."""
    head = await reader.readuntil(b"\r\n\r\n")
    return int(head[9:12]), await reader.readexactly(_length(head))


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    raise SystemExit("error: an answer came without its length")
