"""Limits how many connections one network may have open, and closes connections whose client is too slow.

Otherwise a few hundred half-sent requests could stay open for days. Instead of one timer for each request, which would
cost time on every request, one task looks at all connections every second.
"""

import asyncio
import json
from collections.abc import Collection
from typing import Any

from uvicorn.middleware.proxy_headers import _TrustedHosts

from cairn.kit import Problem
from cairn.limits import NetworkCounter, network_of
from cairn.one_write import OneWriteProtocol
from cairn.settings import ConnectionSettings
from cairn.unread import BufferedBytes, UnreadConnection
from cairn.websocket_frames import FrameLimits

_CHECK_SECONDS = 1.0
MAX_DISCARDED_BYTES = 64 * 1024 * 1024
"""If the response is complete before the body has arrived, this much of the body is still read and discarded.

Most clients read the response only after they have sent everything, and a closed connection would hide it from them.
"""

# A websocket is counted only if it has more than this in memory, because most messages are short.
_MAX_UNCOUNTED_BYTES = 16 * 1024
_RESUMABLE_PATH = "/storage/v1/upload/resumable"
# How many requests may wait on one connection for the responses to earlier ones. Browsers and proxies let none wait.
_MAX_WAITING_REQUESTS = 16


class TooManyConnections(Problem):
    status, code = 429, "too_many_connections"
    message = "Too many connections are open from this network. Please try again in a moment."


class RequestTooSlow(Problem):
    status, code = 408, "request_too_slow"
    message = "The request arrived too slowly. Please try again."


class ConnectionLimits:
    """What all connections of this process share."""

    def __init__(self, settings: ConnectionSettings, trusted_proxies: str) -> None:
        self.head_seconds = settings.head_timeout.total_seconds()
        self.keep_alive_seconds = settings.keep_alive.total_seconds()
        # If the process is about to stop, each response closes its connection, so that the client opens another one.
        self.is_draining = False
        self.body_seconds = settings.body_timeout.total_seconds()
        self.body_min_bytes = settings.body_min_bytes
        self.read_seconds = settings.read_timeout.total_seconds()
        self.unread = BufferedBytes(settings.max_unread_bytes, lambda connection: connection.unread_bytes())
        self.unfinished_messages = BufferedBytes(settings.max_unfinished_bytes, _unfinished_bytes)
        # uvicorn uses the same class to decide whose X-Forwarded-For header it trusts.
        self._trusted = _TrustedHosts(trusted_proxies)
        self._open_connections = NetworkCounter(settings.per_network)

    def open(self, host: str | None) -> str | None:
        """Counts a new connection. Returns the network to `close`, or None for a connection that is not limited."""
        if host is None or host in self._trusted:
            return None
        network = network_of(host)
        if not self._open_connections.add(network):
            raise TooManyConnections
        return network

    def close(self, network: str) -> None:
        self._open_connections.remove(network)


class LimitedProtocol(UnreadConnection, OneWriteProtocol):
    def __init__(self, *args: Any, limits: ConnectionLimits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limits = limits
        self.unread = limits.unread
        self.read_timeout_seconds = limits.read_seconds
        self._network: str | None = None
        self._waits_since: float | None = None
        """Since when the server waits for the end of a request's head; None while a request is handled."""

        self._is_idle = False
        """Whether nothing of the next request has arrived since the last response."""

        # The bytes of the body that have arrived in the current period of `body_timeout`.
        self._period_started_at = 0.0
        self._period_bytes = 0
        self._discarded_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # always a socket
        super().connection_made(transport)
        self.socket_transport = transport
        self._waits_since = self.loop.time()
        try:
            self._network = self._limits.open(self.client[0] if self.client else None)
        except TooManyConnections as problem:
            self._refuse(problem)

    def connection_lost(self, exc: Exception | None) -> None:
        self._uncount()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        # Sockets have their own limits, in `realtime`.
        self._uncount()
        self.unread.remove(self)
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        # A refused connection may already have sent its request.
        if not self.transport.is_closing():
            super().data_received(data)

    def on_message_begin(self) -> None:
        if self._is_idle:
            self._is_idle, self._waits_since = False, self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= _MAX_WAITING_REQUESTS:
            # The connection is closed. Otherwise each response would let in more requests than are answered meanwhile.
            self.pipeline.clear()
            self.transport.close()
        if self.transport.is_closing():
            return
        self._waits_since = None
        self._period_started_at, self._period_bytes, self._discarded_bytes = self.loop.time(), 0, 0
        super().on_headers_complete()
        if self._limits.is_draining and self.cycle is not None:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._period_bytes += len(body)
        super().on_body(body)
        if self.cycle is not None and self.cycle.response_complete:
            self._discarded_bytes += len(body)
            if self._discarded_bytes > MAX_DISCARDED_BYTES:
                self.transport.close()

    def on_response_complete(self) -> None:
        if not self.pipeline:
            # A client that goes on with the body of a request that is already answered is not idle.
            is_received = self.cycle is None or not self.cycle.more_body
            self._waits_since, self._is_idle = self.loop.time(), is_received and not self._in_headers
        super().on_response_complete()

    def client_address(self) -> str | None:
        # The middleware of uvicorn replaces the address of a trusted proxy in the scope of the request.
        client = self.cycle.scope["client"] if self.cycle is not None else self.client
        return client[0] if client else None

    def close_if_too_slow(self, now: float) -> None:
        self.close_if_unread(now)
        if self.transport.is_closing():
            return
        if self._waits_since is not None:
            limit = self._limits.keep_alive_seconds if self._is_idle else self._limits.head_seconds
            if now - self._waits_since > limit:
                self._end(RequestTooSlow())
        elif self._is_receiving_body() and self._body_is_too_slow(now):
            self._end(RequestTooSlow())

    def _is_receiving_body(self) -> bool:
        return self.cycle is not None and self.cycle.more_body and not self.cycle.response_complete

    def _body_is_too_slow(self, now: float) -> bool:
        is_resumable = self.scope["path"].startswith(_RESUMABLE_PATH)
        min_bytes = 1 if is_resumable else self._limits.body_min_bytes
        # While reading is paused, the client waits for the server.
        if self.flow.read_paused or self._period_bytes >= min_bytes:
            self._period_started_at, self._period_bytes = now, 0
        return now - self._period_started_at > self._limits.body_seconds

    def _end(self, problem: Problem) -> None:
        """Responds if the client has begun a request that has no response yet."""
        has_response = self.cycle is not None and self.cycle.response_started
        is_unanswered = self._in_headers or (self._is_receiving_body() and not has_response)
        if is_unanswered:
            self._refuse(problem)
        else:
            self.transport.close()

    def _refuse(self, problem: Problem) -> None:
        body = json.dumps({"code": problem.code, "message": str(problem)}).encode()
        head = f"HTTP/1.1 {problem.status} {problem.code}\r\nContent-Type: application/json\r\nRetry-After: 10\r\n"
        self.transport.write(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        self.transport.close()

    def _uncount(self) -> None:
        if self._network is not None:
            self._limits.close(self._network)
            self._network = None


class LimitedWebSocketProtocol(UnreadConnection, FrameLimits):
    """A websocket after its upgrade. Its other limits are in `realtime`."""

    def __init__(self, *args: Any, limits: ConnectionLimits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.unread = limits.unread
        self.read_timeout_seconds = limits.read_seconds
        self.unfinished_bytes = 0
        self._unfinished_messages = limits.unfinished_messages

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # always a socket
        self.socket_transport = transport
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._unfinished_messages.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.unfinished_bytes += len(data)
        if self.unfinished_bytes > _MAX_UNCOUNTED_BYTES:
            self._unfinished_messages.add(self)
        super().data_received(data)

    async def receive(self) -> Any:
        message = await super().receive()
        if self.queue.empty() and not self.has_unparsed:
            self.unfinished_bytes = 0
            self._unfinished_messages.remove(self)
        return message

    def client_address(self) -> str | None:
        client = self.scope["client"] if self.handshake_initiated else self.client
        return client[0] if client else None


def _unfinished_bytes(connection: UnreadConnection) -> int:
    return connection.unfinished_bytes if isinstance(connection, LimitedWebSocketProtocol) else 0


async def close_slow_connections(connections: Collection[object]) -> None:
    """Runs until it is cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(_CHECK_SECONDS)
        now = loop.time()
        for connection in list(connections):
            if isinstance(connection, LimitedProtocol):
                connection.close_if_too_slow(now)
            elif isinstance(connection, UnreadConnection):
                connection.close_if_unread(now)
