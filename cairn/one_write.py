"""Head and body of an answer in one write.

uvicorn hands them to the transport one after the other, and uvloop writes each at once: two system calls, and a reader
that is woken twice. Gathered until the event loop's next turn they are one.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

ENOUGH_BYTES = 64 * 1024
"""A body that comes in many parts is not gathered up whole."""

MOST_HEAD_BYTES = 128 * 1024
"""The parser knows no limit, and a list of a million words takes seconds to read, in which nobody else is served."""


class Gathering(asyncio.Transport):
    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self.bare = transport
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._bytes = 0

    def write(self, data: Any) -> None:
        if not self._parts:
            self._loop.call_soon(self._flush)
        self._parts.append(data)
        self._bytes += len(data)
        if self._bytes > ENOUGH_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self.bare.close()

    def is_closing(self) -> bool:
        return self.bare.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self.bare.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self.bare.pause_reading()

    def resume_reading(self) -> None:
        self.bare.resume_reading()

    def _flush(self) -> None:
        parts, self._parts, self._bytes = self._parts, [], 0
        if parts and not self.bare.is_closing():
            self.bare.writelines(parts)


class OneWriteProtocol(HttpToolsProtocol):
    _in_head = False
    _chunk_bytes = 0
    _first_bytes = 0
    """Of the chunk in which the head began, perhaps after another request, and `_later_bytes` of those since."""

    _later_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # of a socket, always
        super().connection_made(Gathering(transport))

    def data_received(self, data: bytes) -> None:
        self._chunk_bytes = len(data)
        self._later_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._later_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        self._in_head, self._first_bytes, self._later_bytes = True, self._chunk_bytes, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        # Only where it came with much else is it worth counting what was the head of it.
        came = self._first_bytes + self._later_bytes
        if came > MOST_HEAD_BYTES and _size(self.headers) > MOST_HEAD_BYTES:
            raise ValueError("the head of the request is too large")
        self._in_head = False
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """Frames are written as they are: their sender watches how much of them is still unread."""
        if isinstance(self.transport, Gathering):
            self.transport = self.transport.bare
        super().handle_websocket_upgrade()


def _size(headers: list[tuple[bytes, bytes]]) -> int:
    return sum(len(name) + len(value) for name, value in headers)
