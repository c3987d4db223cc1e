"""Limits what the frames of a websocket cost. The messages that they form are limited in `realtime`.

An empty frame has six bytes and takes as long to parse as a frame of a kilobyte, and uvicorn parses everything that has
arrived at once: 256 kB of pings would stop the server for half a second, and 40,000 empty messages would be queued.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CTRL_OPCODES, CloseCode, Frame, Opcode

_SLICE_BYTES = 1024
_TURN_BYTES = 64 * 1024
"""How much is parsed before other connections have their turn, unless it contains many frames."""

_TURN_FRAMES = 50
_SMALL_BYTES = 1000
_PERIOD_SECONDS = 10.0
MAX_SMALL_FRAMES = 100
"""How many control frames and small fragments a client may send in a period. Browsers and clients send one ping in ten
seconds or fewer, and they divide only long messages."""

MAX_FRAMES_AFTER_CLOSE = 100
"""How many frames may arrive after the server has closed the socket, before the client has done so too. They were sent
before the client knew."""


class FrameLimits(WebSocketsSansIOProtocol):
    """Parses small slices of what has arrived, and nothing while a message waits for the application."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unparsed = bytearray()
        self._next_turn: asyncio.Handle | None = None
        self._turn_frames = 0
        self._period_started_at = 0.0
        self._small_frames = 0
        self._frames_after_close = 0
        self._is_writing_paused = False
        self._unsent_pong = b""

    @property
    def has_unparsed(self) -> bool:
        return bool(self._unparsed)

    def data_received(self, data: bytes) -> None:
        self._unparsed += data
        self._parse()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unparsed.clear()
        super().connection_lost(exc)

    async def receive(self) -> Any:
        message = await super().receive()
        # Until the application has received the message, nothing after it was parsed.
        self._parse_later()
        return message

    async def send(self, message: Any) -> None:
        await super().send(message)
        # After the server has closed the socket, the application receives no more, but the client's reply is parsed.
        if self.close_sent:
            self._parse_later()

    def _parse(self) -> None:
        """Parses one turn of what has arrived."""
        self._next_turn = None
        turn_bytes, self._turn_frames = 0, 0
        while self._unparsed and self._may_parse() and turn_bytes < _TURN_BYTES and self._turn_frames < _TURN_FRAMES:
            piece = bytes(self._unparsed[:_SLICE_BYTES])
            del self._unparsed[:_SLICE_BYTES]
            turn_bytes += len(piece)
            super().data_received(piece)
        if self.transport.is_closing():
            self._unparsed.clear()
        self._parse_later()

    def _parse_later(self) -> None:
        if not self._unparsed:
            self._resume_reading()
            return
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        if self._may_parse() and self._next_turn is None:
            self._next_turn = self.loop.call_soon(self._parse)

    def _may_parse(self) -> bool:
        return (self.queue.empty() or self.close_sent) and not self.transport.is_closing()

    def _resume_reading(self) -> None:
        if self.read_paused and self._may_parse():
            self.read_paused = False
            self.transport.resume_reading()

    def handle_events(self) -> None:
        frames = [event for event in self.conn.events if isinstance(event, Frame)]
        self._turn_frames += len(frames)
        self._count_small(sum(map(_is_small, frames)))
        if self.close_sent:
            self._frames_after_close += len(frames)
            if self._frames_after_close > MAX_FRAMES_AFTER_CLOSE:
                self.transport.abort()
        if self._small_frames > MAX_SMALL_FRAMES and not self.close_sent:
            self._refuse_frames(CloseCode.POLICY_VIOLATION, "too many small frames")
            return
        super().handle_events()

    def send_receive_event_to_app(self) -> None:
        """Closes the socket if a text is not UTF-8, as uvicorn does, but without a traceback in the log."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(b"".join(self.frames)):
            self._refuse_frames(CloseCode.INVALID_DATA, "not UTF-8")
            return
        super().send_receive_event_to_app()

    def _refuse_frames(self, code: CloseCode, reason: str) -> None:
        self.conn.events_received()
        self.conn.fail(code, reason)
        if self.conn.close_sent is None:
            # The handshake is not complete, so there is no frame to send.
            self.transport.abort()
            return
        self.handle_parser_exception()

    def _count_small(self, count: int) -> None:
        now = self.loop.time()
        if now - self._period_started_at > _PERIOD_SECONDS:
            self._period_started_at, self._small_frames = now, 0
        self._small_frames += count

    def handle_ping(self) -> None:
        """Responds to a ping. While the client reads nothing, only the response to its last ping is kept."""
        pongs = self.conn.data_to_send()
        if self._is_writing_paused:
            self._unsent_pong = pongs[-1] if pongs else self._unsent_pong
        else:
            self.transport.write(b"".join(pongs))

    def pause_writing(self) -> None:
        self._is_writing_paused = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self._is_writing_paused = False
        super().resume_writing()
        if self._unsent_pong and not self.close_sent:
            self.transport.write(self._unsent_pong)
        self._unsent_pong = b""


def _is_small(frame: Frame) -> bool:
    if frame.opcode in CTRL_OPCODES:
        return True
    is_fragment = frame.opcode == Opcode.CONT or not frame.fin
    return is_fragment and len(frame.data) < _SMALL_BYTES


def _is_text(message: bytes) -> bool:
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True
