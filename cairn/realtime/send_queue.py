"""The frames that wait to be sent to one client."""

import asyncio
from collections import deque

from starlette.websockets import WebSocket

from cairn.kit import count
from cairn.realtime.frame import Json, Message, Version, encode
from cairn.realtime.unsent_bytes import UnsentBytes


class SendQueue:
    """`put` never waits. A client whose queue exceeds the limit is disconnected, so it does not delay the others.

    `network` is the network of the client, and `unsent` counts what waits in all queues of this process.
    """

    def __init__(self, version: Version, network: str, unsent: UnsentBytes, *, max_bytes: int) -> None:
        self.network = network
        self.too_slow = asyncio.Event()
        self.queued_bytes = 0
        self._version = version
        self._unsent = unsent
        self._max_bytes = max_bytes
        # A message whose payload is shared by many queues is stored as it is, and encoded when it is sent.
        self._frames: deque[str | bytes | Message] = deque()
        self._has_frames = asyncio.Event()

    def put(self, message: Message) -> None:
        self.put_frame(message if isinstance(message.payload, Json) else encode(message, self._version))

    def put_frame(self, frame: str | bytes | Message) -> None:
        """Adds a frame that is already encoded, or a message whose payload is."""
        if self.too_slow.is_set():
            return
        self._frames.append(frame)
        count("realtime_messages")
        content = _content(frame)
        self.queued_bytes += len(content)
        self._unsent.add(self, content)
        if self.queued_bytes > self._max_bytes:
            self.disconnect()
        self._has_frames.set()

    def accepts_binary(self) -> bool:
        return self._version == "2.0.0"

    def disconnect(self) -> None:
        """Ends the socket, and forgets what waits for it."""
        self.too_slow.set()
        while self._frames:
            self._remove(self._frames.popleft())

    async def send_to(self, websocket: WebSocket) -> None:
        while True:
            await self._has_frames.wait()
            self._has_frames.clear()
            while self._frames:
                # The frame stays in the queue while it is sent, so that it is counted.
                frame = self._frames[0]
                await self._send(websocket, frame)
                if self._frames:
                    self._remove(self._frames.popleft())

    async def _send(self, websocket: WebSocket, frame: str | bytes | Message) -> None:
        encoded = encode(frame, self._version) if isinstance(frame, Message) else frame
        if isinstance(encoded, bytes):
            await websocket.send_bytes(encoded)
        else:
            await websocket.send_text(encoded)

    def _remove(self, frame: str | bytes | Message) -> None:
        content = _content(frame)
        self.queued_bytes -= len(content)
        self._unsent.remove(self, content)


def _content(frame: str | bytes | Message) -> str | bytes:
    """Returns the part of a frame that needs memory."""
    if not isinstance(frame, Message):
        return frame
    assert isinstance(frame.payload, Json)
    return frame.payload
