"""Head and body of an answer in one write.

uvicorn hands them to the transport one after the other, and uvloop writes each at once: two system calls, and a reader
that is woken twice. Gathered until the event loop's next turn they are one.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

ENOUGH_BYTES = 64 * 1024
"""A body that comes in many parts is not gathered up whole."""


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
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # of a socket, always
        super().connection_made(Gathering(transport))

    def handle_websocket_upgrade(self) -> None:
        """Frames are written as they are: their sender watches how much of them is still unread."""
        if isinstance(self.transport, Gathering):
            self.transport = self.transport.bare
        super().handle_websocket_upgrade()
