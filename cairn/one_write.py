"""Sends the headers and the body of a response in one write.

uvicorn passes headers and body to the transport separately, and uvloop writes each of them immediately. That means two
system calls and two packets, and the client wakes up twice. Here both are collected until the next iteration of the
event loop and then written together. Three rules must hold:

- Closing the transport writes the collected data first.
- A body that is streamed in many parts is written whenever `FLUSH_BYTES` are collected, to save memory.
- Websocket frames are not collected, because their sender needs to know how much is not sent yet.

A list request costs the server 4 % less CPU time than with uvicorn's own protocol, measured in alternating rounds. The
bench measures it as "list with one write".
"""

import asyncio
from typing import Any

from cairn.header_limit import HeaderLimitProtocol

FLUSH_BYTES = 64 * 1024
"""If more than this is collected, it is written without waiting for the event loop."""


class CollectingTransport(asyncio.Transport):
    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self.wrapped = transport
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._collected_bytes = 0

    def write(self, data: Any) -> None:
        if not self._parts:
            self._loop.call_soon(self._flush)
        self._parts.append(data)
        self._collected_bytes += len(data)
        if self._collected_bytes > FLUSH_BYTES:
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
        parts, self._parts, self._collected_bytes = self._parts, [], 0
        if parts and not self.wrapped.is_closing():
            self.wrapped.writelines(parts)


class OneWriteProtocol(HeaderLimitProtocol):
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # always a socket
        super().connection_made(CollectingTransport(transport))

    def handle_websocket_upgrade(self) -> None:
        if isinstance(self.transport, CollectingTransport):
            self.transport = self.transport.wrapped
        super().handle_websocket_upgrade()
