"""Sends the headers and the body of a response in one write.

uvicorn passes headers and body to the transport separately, and uvloop writes each immediately: two system calls, two
packets, and a client that is woken twice. Here both are collected until the next iteration of the event loop and then
written together. Three things must stay true: closing the transport flushes first, a body that is streamed in many
parts is not collected whole, and websocket frames bypass the collecting, because their sender watches how much is
unsent. On two cores shared with eight clients and PostgreSQL this gave 9 % more lists a second, measured in alternating
rounds against uvicorn's own protocol; the bench row is "list with one write".
"""

import asyncio
from typing import Any

from cairn.header_limit import HeaderLimitProtocol

FLUSH_BYTES = 64 * 1024
"""More than this is written without waiting for the event loop."""


class CollectingTransport(asyncio.Transport):
    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self.wrapped = transport
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._bytes = 0

    def write(self, data: Any) -> None:
        if not self._parts:
            self._loop.call_soon(self._flush)
        self._parts.append(data)
        self._bytes += len(data)
        if self._bytes > FLUSH_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self.wrapped.close()

    def is_closing(self) -> bool:
        return self.wrapped.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self.wrapped.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self.wrapped.pause_reading()

    def resume_reading(self) -> None:
        self.wrapped.resume_reading()

    def _flush(self) -> None:
        parts, self._parts, self._bytes = self._parts, [], 0
        if parts and not self.wrapped.is_closing():
            self.wrapped.writelines(parts)


class OneWriteProtocol(HeaderLimitProtocol):
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # always a socket
        super().connection_made(CollectingTransport(transport))

    def handle_websocket_upgrade(self) -> None:
        if isinstance(self.transport, CollectingTransport):
            self.transport = self.transport.wrapped
        super().handle_websocket_upgrade()
