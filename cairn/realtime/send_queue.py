"""The frames that wait to be sent to one client."""

import asyncio
from collections import deque

from starlette.websockets import WebSocket

from cairn.realtime.frame import Message, Version, encode


class SendQueue:
    """`put` never waits. A client whose queue exceeds the limit is disconnected, so it does not delay the others."""

    def __init__(self, version: Version, *, max_bytes: int) -> None:
        self.too_slow = asyncio.Event()
        self._version = version
        self._max_bytes = max_bytes
        self._frames: deque[str | bytes] = deque()
        self._queued_bytes = 0
        self._has_frames = asyncio.Event()

    def put(self, message: Message) -> None:
        if self.too_slow.is_set():
            return
        frame = encode(message, self._version)
        self._queued_bytes += len(frame)
        if self._queued_bytes > self._max_bytes:
            self._frames.clear()
            self.too_slow.set()
            return
        self._frames.append(frame)
        self._has_frames.set()

    def accepts_binary(self) -> bool:
        return self._version == "2.0.0"

    async def send_to(self, websocket: WebSocket) -> None:
        while True:
            await self._has_frames.wait()
            self._has_frames.clear()
            while self._frames:
                frame = self._frames.popleft()
                if isinstance(frame, bytes):
                    await websocket.send_bytes(frame)
                else:
                    await websocket.send_text(frame)
                self._queued_bytes -= len(frame)
