"""One websocket from its handshake to its end."""

import asyncio
import contextlib
import logging

from starlette.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from cairn.db import Principal
from cairn.kit import Problem
from cairn.realtime import replies
from cairn.realtime.broadcast import broadcast
from cairn.realtime.channels import PREFIX, Channel
from cairn.realtime.context import RealtimeContext, token_in
from cairn.realtime.errors import (
    ApiKeyMissing,
    BadFrame,
    FrameTooLarge,
    NotPermitted,
    TooManyChannels,
    TooManyJoins,
    TooManyMessages,
    TooManySockets,
    UnsupportedVersion,
)
from cairn.realtime.frame import Message, Version, decode
from cairn.realtime.join import join
from cairn.realtime.permission import permissions
from cairn.realtime.presence_handler import handle_presence
from cairn.realtime.rate_limit import RateLimit
from cairn.realtime.send_queue import SendQueue

log = logging.getLogger(__name__)

_GOING_AWAY, _UNREADABLE, _TOO_LARGE, _FAILED, _TOO_SLOW = 1001, 1007, 1009, 1011, 1013
_FAREWELL_SECONDS = 1.0


async def serve(context: RealtimeContext, websocket: WebSocket) -> None:
    """Refusals before the socket is open are plain HTTP."""
    try:
        version = _version(websocket.query_params.get("vsn", "1.0.0"))
        key = context.caller(_api_key(websocket))
        if context.open_sockets >= context.settings.max_sockets:
            raise TooManySockets
    except Problem as refused:
        await websocket.send_denial_response(JSONResponse({"error": str(refused)}, refused.status))
        return
    context.open_sockets += 1
    try:
        await websocket.accept()
        await Socket(context, websocket, version, key).talk()
    finally:
        context.open_sockets -= 1


def _version(asked: str) -> Version:
    if asked == "1.0.0":
        return "1.0.0"
    if asked == "2.0.0":
        return "2.0.0"
    raise UnsupportedVersion


def _api_key(websocket: WebSocket) -> str:
    key = websocket.query_params.get("apikey") or websocket.headers.get("apikey")
    if not key:
        raise ApiKeyMissing
    return key


class Socket:
    def __init__(self, context: RealtimeContext, websocket: WebSocket, version: Version, key: Principal) -> None:
        self._context = context
        self._websocket = websocket
        self._version = version
        self._key = key
        self._outgoing = SendQueue(version, limit=context.settings.max_unsent_bytes)
        self._channels: dict[str, Channel] = {}
        self._joins = RateLimit(context.settings.joins_per_second)
        self._messages = RateLimit(context.settings.messages_per_second)

    async def talk(self) -> None:
        """Until the first of: the client leaves or breaks the rules, sending fails, the reader is too slow."""
        listening = asyncio.create_task(self._listen())
        sending = asyncio.create_task(self._outgoing.carry(self._websocket))
        lagging = asyncio.create_task(self._outgoing.too_slow.wait())
        tasks = listening, sending, lagging
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for channel in self._channels.values():
                self._context.channels.forget(channel)
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        code = _TOO_SLOW if self._outgoing.too_slow.is_set() else _closing_code(ends[0])
        # A reader that takes nothing does not take a farewell either.
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await self._websocket.close(code)

    async def _listen(self) -> None:
        while True:
            async with asyncio.timeout(self._context.settings.silence.total_seconds()):
                frame = await self._frame()
            await self._answer(decode(frame, self._version))

    async def _frame(self) -> str | bytes:
        received = await self._websocket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received["code"])
        frame: str | bytes = received["bytes"] if received.get("bytes") is not None else received["text"]
        if len(frame) > self._context.settings.max_frame_bytes:
            raise FrameTooLarge
        return frame

    async def _answer(self, asked: Message) -> None:
        if asked.topic == "phoenix":
            self._outgoing.put(replies.ok(asked))
            return
        if asked.event == "phx_join":
            await self._join(asked)
            return
        channel = self._joined(asked)
        if asked.event == "phx_leave":
            self._outgoing.put(replies.ok(asked))
            self._leave(channel)
        elif channel is None:
            self._outgoing.put(replies.refused(asked, "unmatched topic"))
        elif asked.event == "access_token":
            await self._renew(channel, asked)
        elif asked.event not in ("broadcast", "presence"):
            self._outgoing.put(replies.refused(asked, "unmatched event"))
        elif not self._messages.take():
            self._context.channels.end(channel, TooManyMessages())
        elif asked.event == "broadcast":
            broadcast(self._context.channels, self._context.relay, channel, asked)
        else:
            handle_presence(self._context, channel, asked)

    def _joined(self, asked: Message) -> Channel | None:
        channel = self._channels.get(asked.topic)
        if channel is None or not channel.is_open:
            return None
        # Meant for an earlier join of the same topic.
        if asked.join_ref is not None and asked.join_ref != channel.join_ref:
            return None
        return channel

    async def _join(self, asked: Message) -> None:
        self._leave(self._channels.get(asked.topic))
        self._channels = {topic: channel for topic, channel in self._channels.items() if channel.is_open}
        try:
            if not asked.topic.startswith(PREFIX):
                self._outgoing.put(replies.refused(asked, "unmatched topic"))
                return
            if not self._joins.take():
                raise TooManyJoins
            if len(self._channels) >= self._context.settings.channels_per_socket:
                raise TooManyChannels
            self._channels[asked.topic] = await join(self._context, asked, self._outgoing, self._key)
        except Problem as refused:
            self._outgoing.put(replies.refused(asked, refused))

    def _leave(self, channel: Channel | None) -> None:
        if channel is not None:
            self._context.channels.close(channel)
            del self._channels[channel.topic]

    async def _renew(self, channel: Channel, asked: Message) -> None:
        """No reply; a token that does not hold, or no longer lets its bearer in here, ends the channel."""
        token = token_in(asked.payload)
        if token is None:
            return
        try:
            principal = self._context.caller(token)
            if principal == channel.principal:
                return
            if channel.config.private:
                channel.may = await permissions(self._context.database, principal, channel.name)
                if not (channel.may.receives_broadcasts or channel.may.receives_presence):
                    raise NotPermitted(topic=channel.name)
            channel.become(principal)
        except Problem as refused:
            self._context.channels.end(channel, refused)


def _closing_code(end: object) -> int:
    """What ended the listening, as the client is told of it."""
    if isinstance(end, BadFrame):
        return _UNREADABLE
    if isinstance(end, FrameTooLarge):
        return _TOO_LARGE
    if isinstance(end, WebSocketDisconnect | TimeoutError | asyncio.CancelledError):
        return _GOING_AWAY
    log.error("a socket failed", exc_info=end if isinstance(end, Exception) else None)
    return _FAILED
