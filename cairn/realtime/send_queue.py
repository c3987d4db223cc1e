"""What waits to be sent to one reader."""

import asyncio
from collections import deque

from starlette.websockets import WebSocket

from cairn.realtime.frame import Message, Version, encode


class SendQueue:
    """Putting never waits: who lets too much pile up is dropped, and nobody else is held up by it."""

    def __init__(self, version: Version, *, limit: int) -> None:
        self.too_slow = asyncio.Event()
        self._version = version
        self._limit = limit
        self._frames: deque[str | bytes] = deque()
        self._waiting = 0
        self._filled = asyncio.Event()

    def put(self, message: Message) -> None:
        if self.too_slow.is_set():
            return
        frame = encode(message, self._version)
        self._waiting += len(frame)
        if self._waiting > self._limit:
            self._frames.clear()
            self.too_slow.set()
            return
        self._frames.append(frame)
        self._filled.set()

    def takes_binary(self) -> bool:
        return self._version == "2.0.0"

    async def carry(self, websocket: WebSocket) -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            while self._frames:
                frame = self._frames.popleft()
                if isinstance(frame, bytes):
                    await websocket.send_bytes(frame)
                else:
                    await websocket.send_text(frame)
                self._waiting -= len(frame)
