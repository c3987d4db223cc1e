"""Limits the memory of what the server has written and clients have not read yet, over all connections together.

Otherwise a few dozen clients that request large responses, or receive large realtime messages, and read nothing could
use up the memory within the time that a slow client is allowed. The unfinished messages of websockets are limited in
the same way.
"""

import asyncio
from collections import Counter
from collections.abc import Callable

from cairn.limits import larger_network_of


class BufferedBytes:
    """Counts the bytes that connections hold in memory. `measure` returns how many bytes a connection holds now.

    All connections are measured again only when the counted bytes exceed `max_bytes`. If they still do, connections of
    the network with the most bytes are closed.
    """

    def __init__(self, max_bytes: int, measure: "Callable[[UnreadConnection], int]") -> None:
        self._max_bytes = max_bytes
        self._measure = measure
        self._bytes_of: dict[UnreadConnection, int] = {}
        self._total_bytes = 0

    def add(self, connection: "UnreadConnection") -> None:
        """Counts a connection, or counts it again because it holds more."""
        self._set(connection, self._measure(connection))
        if self._total_bytes > self._max_bytes:
            for counted in self._bytes_of:
                self._set(counted, self._measure(counted))
        while self._total_bytes > self._max_bytes:
            self._abort_connections_of(self._network_with_most_bytes())

    def remove(self, connection: "UnreadConnection") -> None:
        self._total_bytes -= self._bytes_of.pop(connection, 0)

    def _set(self, connection: "UnreadConnection", byte_count: int) -> None:
        self._total_bytes += byte_count - self._bytes_of.get(connection, 0)
        self._bytes_of[connection] = byte_count

    def _network_with_most_bytes(self) -> str:
        bytes_of_network: Counter[str] = Counter()
        for connection, byte_count in self._bytes_of.items():
            bytes_of_network[larger_network_of(connection.client_address())] += byte_count
        return bytes_of_network.most_common(1)[0][0]

    def _abort_connections_of(self, network: str) -> None:
        """Aborts the connections of the network, the one that has waited longest first, until a quarter is free."""
        for connection in list(self._bytes_of):
            if larger_network_of(connection.client_address()) == network:
                self.remove(connection)
                connection.abort()
            if self._total_bytes <= self._max_bytes * 3 // 4:
                return


class UnreadConnection(asyncio.Protocol):
    """A base class of connections. It notices what the client has not read, and closes the connection of a client that
    reads nothing for too long.

    A connection has unread bytes when its buffer is full (`pause_writing`). Nothing more is written to it until the
    buffer is almost empty (`resume_writing`), so it is enough to count it once.
    """

    unread: BufferedBytes
    read_timeout_seconds: float
    socket_transport: asyncio.Transport | None = None
    # Since when the client has not read what the server has written. None if nothing is unread.
    _unread_since: float | None = None
    _closing_since: float | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread_since = asyncio.get_running_loop().time()
        self.unread.add(self)

    def resume_writing(self) -> None:
        self._unread_since = None
        self.unread.remove(self)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.unread.remove(self)
        super().connection_lost(exc)

    def client_address(self) -> str | None:
        raise NotImplementedError

    def unread_bytes(self) -> int:
        return 0 if self.socket_transport is None else self.socket_transport.get_write_buffer_size()

    def abort(self) -> None:
        if self.socket_transport is not None:
            self.socket_transport.abort()

    def close_if_unread(self, now: float) -> None:
        """Aborts the connection if the client reads nothing for too long.

        A transport that was closed also waits until the client has read what was written.
        """
        if self.socket_transport is not None and self.socket_transport.is_closing() and self._closing_since is None:
            self._closing_since = now
        for since in (self._unread_since, self._closing_since):
            if since is not None and now - since > self.read_timeout_seconds:
                self.abort()
