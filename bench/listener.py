"""Opens connections that only wait for a marker. They use little CPU time, so that the server gets nearly all of it."""

import asyncio
import json
import os
import struct
import time
from typing import Any, Self


class Listener:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, port: int) -> Self:
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=2**20))

    async def wait_for(self, marker: bytes) -> float:
        """Returns the time at which the marker arrived. The marker may be split between two reads."""
        tail = b""
        while True:
            chunk = await self.reader.read(65_536)
            if not chunk:
                raise SystemExit("error: the server closed the connection of a listener")
            if marker in tail + chunk:
                return time.perf_counter()
            tail = chunk[-len(marker) :]

    def close(self) -> None:
        self.writer.close()


async def open_websocket(port: int, path: str) -> Listener:
    """Opens a websocket without compression."""
    listener = await Listener.connect(port)
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    listener.writer.write(f"GET {path} HTTP/1.1\r\nHost: bench\r\n{upgrade}\r\n{key}\r\n\r\n".encode())
    await listener.reader.readuntil(b"\r\n\r\n")
    return listener


def websocket_frame(message: Any) -> bytes:
    text = json.dumps(message).encode()
    # The protocol requires a mask. A mask of zeros does not change the text.
    return bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(text)) + bytes(4) + text


def random_marker() -> str:
    return "marker-" + os.urandom(8).hex()
