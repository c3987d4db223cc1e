"""Serves one websocket from the handshake to its end."""

import asyncio
import contextlib
import logging
import time

from starlette.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from cairn.db import ANON, SERVICE, Principal
from cairn.kit import Problem, cancel_and_wait
from cairn.limits import network_of
from cairn.realtime import replies
from cairn.realtime.broadcast import handle_broadcast
from cairn.realtime.channels import MAX_TOPIC_LENGTH, TOPIC_PREFIX, Channel
from cairn.realtime.context import RealtimeContext, user_token
from cairn.realtime.errors import (
    ApiKeyMissing,
    BadFrame,
    FrameTooLarge,
    InvalidJoin,
    NotPermitted,
    PatternsNeedAccount,
    ServerStopping,
    TooManyChannels,
    TooManyDeliveries,
    TooManyJoins,
    TooManyMessages,
    TooManyTokensOfAccount,
    TopicTooLong,
    UnsupportedVersion,
)
from cairn.realtime.frame import Message, Version, decode
from cairn.realtime.join import join
from cairn.realtime.permission import permissions_for
from cairn.realtime.presence_handler import handle_presence
from cairn.realtime.rate_limit import RateLimit
from cairn.realtime.send_queue import SendQueue

log = logging.getLogger(__name__)

_GOING_AWAY, _INVALID_DATA, _TOO_LARGE, _INTERNAL_ERROR, _TRY_AGAIN_LATER = 1001, 1007, 1009, 1011, 1013
_CLOSE_TIMEOUT_SECONDS = 1.0
# A message of a network that has sent too much waits up to this long. Clients wait 10 s for the reply to a join.
_MAX_WAIT_SECONDS = 5.0
# The characters of a join. A token and a hundred short filters need about 20,000.
_MAX_JOIN_LENGTH = 65_536


async def serve(context: RealtimeContext, websocket: WebSocket) -> None:
    """Serves a websocket. Errors before the handshake is complete are plain HTTP responses."""
    try:
        if context.is_stopping:
            raise ServerStopping
        version = _parse_version(websocket.query_params.get("vsn", "1.0.0"))
        key_principal = context.authenticate(_api_key(websocket))
        network = network_of(websocket.client and websocket.client.host)
        context.sockets.open(network)
    except Problem as problem:
        retry = {"Retry-After": "10"} if problem.status in (429, 503) else {}
        await websocket.send_denial_response(JSONResponse({"error": str(problem)}, problem.status, retry))
        return
    try:
        await websocket.accept()
        await Socket(context, websocket, version, key_principal, network).run()
    finally:
        context.sockets.close(network)


def _parse_version(version: str) -> Version:
    if version == "1.0.0":
        return "1.0.0"
    if version == "2.0.0":
        return "2.0.0"
    raise UnsupportedVersion


def _api_key(websocket: WebSocket) -> str:
    key = websocket.query_params.get("apikey") or websocket.headers.get("apikey")
    if not key:
        raise ApiKeyMissing
    return key


class Socket:
    def __init__(
        self,
        context: RealtimeContext,
        websocket: WebSocket,
        version: Version,
        key_principal: Principal,
        network: str,
    ) -> None:
        self._context = context
        self._websocket = websocket
        self._version = version
        self._key_principal = key_principal
        self._network = network
        self._send_queue = SendQueue(version, network, context.unsent, max_bytes=context.settings.max_unsent_bytes)
        self._channels: dict[str, Channel] = {}
        self._accounts: set[str] = set()
        self._joins = RateLimit(context.settings.joins_per_second)
        self._messages = RateLimit(context.settings.messages_per_second)

    async def run(self) -> None:
        """Runs until the client leaves, is silent, violates the protocol or reads too slowly, or sending fails."""
        receive_task = asyncio.create_task(self._receive_messages())
        send_task = asyncio.create_task(self._send_queue.send_to(self._websocket))
        overflow_task = asyncio.create_task(self._send_queue.too_slow.wait())
        tasks = receive_task, send_task, overflow_task
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for channel in self._channels.values():
                self._context.channels.remove(channel)
            self._context.sockets.remove_accounts(self._accounts)
            results = await cancel_and_wait(tasks)
            is_too_slow = self._send_queue.too_slow.is_set()
            self._send_queue.disconnect()
        code = _TRY_AGAIN_LATER if is_too_slow else _close_code(results[0])
        # A client that reads nothing does not read the close frame either, so closing has a timeout.
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_CLOSE_TIMEOUT_SECONDS):
                await self._websocket.close(code)

    async def _receive_messages(self) -> None:
        while True:
            async with asyncio.timeout(self._context.settings.silence.total_seconds()):
                frame = await self._receive_frame()
            await self._wait_for_turn(frame)
            await self._handle(decode(frame, self._version), len(frame))

    async def _wait_for_turn(self, frame: str | bytes) -> None:
        """Waits while the network has sent too much. Meanwhile nothing more is read from this socket."""
        if self._key_principal.role == SERVICE.role:
            return
        give_up_at = time.monotonic() + _MAX_WAIT_SECONDS
        while (wait_seconds := self._context.limits.take_message(self._network)) is not None:
            # A long message that waits would need memory.
            if time.monotonic() + wait_seconds > give_up_at or len(frame) > _MAX_JOIN_LENGTH:
                raise TooManyMessages
            await asyncio.sleep(wait_seconds)
        self._context.limits.count_received(self._network, frame)

    async def _receive_frame(self) -> str | bytes:
        received = await self._websocket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received["code"])
        frame: str | bytes = received["bytes"] if received.get("bytes") is not None else received["text"]
        if len(frame) > self._context.settings.max_frame_bytes:
            raise FrameTooLarge
        return frame

    async def _handle(self, message: Message, length: int) -> None:
        """`length` is the number of characters of the frame."""
        if message.topic == "phoenix":
            self._send_queue.put(replies.ok(message))
            return
        if message.event == "phx_join":
            await self._join(message, length)
            return
        channel = self._joined_channel(message)
        if message.event == "phx_leave":
            self._send_queue.put(replies.ok(message))
            self._leave(channel)
        elif channel is None:
            self._send_queue.put(replies.error(message, "unmatched topic"))
        elif message.event == "access_token":
            await self._renew_token(channel, message)
        elif message.event not in ("broadcast", "presence"):
            self._send_queue.put(replies.error(message, "unmatched event"))
        elif not self._messages.try_take():
            self._context.channels.end(channel, TooManyMessages())
        elif message.event == "broadcast":
            await self._broadcast(channel, message)
        else:
            handle_presence(self._context, channel, message)

    async def _broadcast(self, channel: Channel, message: Message) -> None:
        try:
            await handle_broadcast(self._context, channel, message)
        except TooManyDeliveries as problem:
            self._context.channels.end(channel, problem)

    def _joined_channel(self, message: Message) -> Channel | None:
        channel = self._channels.get(message.topic)
        if channel is None or not channel.is_open:
            return None
        # The message belongs to an earlier join of the same topic.
        if message.join_ref is not None and message.join_ref != channel.join_ref:
            return None
        return channel

    async def _join(self, message: Message, length: int) -> None:
        self._context.limits.count_join(self._network, length)
        self._leave(self._channels.get(message.topic))
        self._channels = {topic: channel for topic, channel in self._channels.items() if channel.is_open}
        try:
            if self._context.is_stopping:
                raise ServerStopping
            if len(message.topic) > len(TOPIC_PREFIX) + MAX_TOPIC_LENGTH:
                raise TopicTooLong(limit=MAX_TOPIC_LENGTH)
            if length > _MAX_JOIN_LENGTH:
                raise InvalidJoin(reason=f"it has at most {_MAX_JOIN_LENGTH} characters. Use fewer or shorter filters.")
            if not message.topic.startswith(TOPIC_PREFIX):
                self._send_queue.put(replies.error(message, "unmatched topic"))
                return
            if not self._joins.try_take():
                raise TooManyJoins
            if len(self._channels) >= self._context.settings.channels_per_socket:
                raise TooManyChannels
            # Clients without a user token are identified by their project key.
            token = user_token(message.payload)
            principal = self._context.authenticate(token) if token else self._key_principal
            self._count_account(principal)
            regexes = sum(channel.regex_count for channel in self._channels.values())
            self._channels[message.topic] = await join(
                self._context, message, self._send_queue, principal, length=length, open_regexes=regexes
            )
        except Problem as problem:
            self._send_queue.put(replies.error(message, problem))

    def _count_account(self, principal: Principal) -> None:
        account = principal.claims.get("sub")
        if account is not None and account not in self._accounts:
            self._context.sockets.add_account(account)
            self._accounts.add(account)
        channels, user_id = self._context.channels, principal.user_id
        if user_id is None or channels.has_identity(principal):
            return
        # While a socket renews the tokens of its channels, it has an old and a new one.
        if channels.identity_count(user_id) >= 2 * self._context.settings.sockets_per_account:
            raise TooManyTokensOfAccount

    def _leave(self, channel: Channel | None) -> None:
        if channel is not None:
            self._context.channels.close(channel)
            del self._channels[channel.topic]

    async def _renew_token(self, channel: Channel, message: Message) -> None:
        """Sends no reply. A token that is invalid or has no permission for this channel ends the channel."""
        token = user_token(message.payload)
        if token is None:
            return
        try:
            principal = self._context.authenticate(token)
            if principal == channel.principal:
                return
            if channel.regex_count and principal.role == ANON.role:
                raise PatternsNeedAccount
            self._count_account(principal)
            if channel.config.private:
                channel.permissions = await permissions_for(self._context, principal, self._network, channel.name)
                if not (channel.permissions.receives_broadcasts or channel.permissions.receives_presence):
                    raise NotPermitted(topic=channel.name)
            self._context.channels.set_principal(channel, principal)
        except Problem as problem:
            self._context.channels.end(channel, problem)


def _close_code(result: object) -> int:
    """Returns the close code for the exception that ended the receiving task."""
    if isinstance(result, BadFrame):
        return _INVALID_DATA
    if isinstance(result, FrameTooLarge):
        return _TOO_LARGE
    if isinstance(result, TooManyMessages):
        return _TRY_AGAIN_LATER
    if isinstance(result, WebSocketDisconnect | TimeoutError | asyncio.CancelledError):
        return _GOING_AWAY
    log.error("a socket failed", exc_info=result if isinstance(result, Exception) else None)
    return _INTERNAL_ERROR
