"""Open connections that only watch for a word: they cost the cores little, so the server is what is measured."""

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

    async def hears(self, word: bytes) -> float:
        """When it arrived. A word may lie across two reads."""
        tail = b""
        while True:
            piece = await self.reader.read(65_536)
            if not piece:
                raise SystemExit("error: the server hung up on a listener")
            if word in tail + piece:
                return time.perf_counter()
            tail = piece[-len(word) :]

    def close(self) -> None:
        self.writer.close()


async def socket(port: int, path: str) -> Listener:
    """A websocket, without compression."""
    listener = await Listener.connect(port)
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    listener.writer.write(f"GET {path} HTTP/1.1\r\nHost: bench\r\n{upgrade}\r\n{key}\r\n\r\n".encode())
    await listener.reader.readuntil(b"\r\n\r\n")
    return listener


def frame(message: Any) -> bytes:
    text = json.dumps(message).encode()
    # Masked with zeros: as the protocol wants it, and as it was.
    return bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(text)) + bytes(4) + text


def a_word() -> str:
    return "word-" + os.urandom(8).hex()
