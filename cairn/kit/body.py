"""Reads a request body without ever holding more than the service's limit in memory.

All bodies together are limited too. Otherwise a few hundred clients, each within the limit of the service, could use
up the memory. One sender may use only a part of it, so that its slow uploads do not keep out all others. If several
senders have used up all of it, unfinished bodies of the sender with the most are ended for one with less. Only what a
body has above a megabyte counts as large, so that files do not keep out signatures and photos.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

from cairn.kit.problem import Problem


class BodyTooLarge(Problem):
    status, code = 413, "too_large"
    message = "The request body is larger than {limit} bytes."


class LargeBodiesBusy(Problem):
    status, code = 503, "large_requests_busy"
    message = "The server is receiving too many large requests at once. Please try again in a moment."
    headers = {"Retry-After": "2"}  # noqa: RUF012 - nothing changes it


TRUSTED_SENDER = ""
"""Requests with the service key may use the whole memory for bodies."""

# A body up to this size is not counted. The web server buffers as much of each request anyway.
_MAX_SMALL_BODY_BYTES = 64 * 1024
_MAX_MEDIUM_BODY_BYTES = 1024 * 1024


@dataclass(slots=True, eq=False)
class _BodyMemory:
    """The memory of bodies of one kind. A body counts until the task that handles its request has ended."""

    max_bytes: int
    max_bytes_per_sender: int
    bytes_by_sender: Counter[str] = field(default_factory=Counter)

    def add(self, body: "CountedBody", byte_count: int) -> None:
        sender_bytes = self.bytes_by_sender[body.sender] + byte_count
        if body.sender != TRUSTED_SENDER and sender_bytes > self.max_bytes_per_sender:
            raise LargeBodiesBusy
        while self.bytes_by_sender.total() + byte_count > self.max_bytes:
            if body.task is None:
                raise LargeBodiesBusy
            self._body_to_end(sender_bytes).end()
        self.bytes_by_sender[body.sender] += byte_count

    def _body_to_end(self, sender_bytes: int) -> "CountedBody":
        """Returns the oldest unfinished body of the sender with the most bytes. Raises if no one has more than the
        sender of the new body.
        """
        for sender, byte_count in self.bytes_by_sender.most_common():
            if byte_count <= sender_bytes:
                break
            for body in _unfinished_bodies:
                if body.sender == sender != TRUSTED_SENDER and body.bytes_in(self):
                    return body
        raise LargeBodiesBusy

    def remove(self, sender: str, byte_count: int) -> None:
        self.bytes_by_sender[sender] -= byte_count
        if not self.bytes_by_sender[sender]:
            del self.bytes_by_sender[sender]


# The first megabyte of each body that is not small, and what is above it.
_medium_memory = _BodyMemory(128 * 1024 * 1024, max_bytes_per_sender=16 * 1024 * 1024)
_large_memory = _BodyMemory(48 * 1024 * 1024, max_bytes_per_sender=12 * 1024 * 1024)
# Uploads may take hours, so they must not keep out bodies. What does not fit here is written to disk instead.
_upload_memory = _BodyMemory(64 * 1024 * 1024, max_bytes_per_sender=16 * 1024 * 1024)


@dataclass(slots=True, eq=False)
class CountedBody:
    """How much memory one body uses. An upload, which has no `task`, counts the part that is not stored yet."""

    sender: str
    task: asyncio.Task[object] | None = None
    """The task that reads the body. It may be ended when its memory is needed for another body."""

    medium_bytes: int = 0
    large_bytes: int = 0
    is_ended: bool = False

    def count(self, byte_count: int) -> None:
        """Counts what has arrived since the last call. `byte_count` is the size of the whole body up to now."""
        if byte_count <= _MAX_SMALL_BODY_BYTES:
            return
        medium_bytes = min(byte_count, _MAX_MEDIUM_BODY_BYTES)
        large_bytes = byte_count - medium_bytes
        medium_memory, large_memory = self._memories()
        if medium_bytes > self.medium_bytes:
            medium_memory.add(self, medium_bytes - self.medium_bytes)
            self.medium_bytes = medium_bytes
        if large_bytes > self.large_bytes:
            large_memory.add(self, large_bytes - self.large_bytes)
            self.large_bytes = large_bytes
        if self.task is not None:
            _unfinished_bodies[self] = None

    def bytes_in(self, memory: _BodyMemory) -> int:
        return self.medium_bytes if memory is _medium_memory else self.large_bytes

    def end(self) -> None:
        """Ends reading the body, because its memory is needed for another one."""
        assert self.task is not None
        self.is_ended = True
        self.uncount()
        self.task.cancel()

    def uncount(self) -> None:
        _unfinished_bodies.pop(self, None)
        medium_memory, large_memory = self._memories()
        medium_memory.remove(self.sender, self.medium_bytes)
        large_memory.remove(self.sender, self.large_bytes)
        self.medium_bytes = self.large_bytes = 0

    def _memories(self) -> tuple[_BodyMemory, _BodyMemory]:
        return (_medium_memory, _large_memory) if self.task is not None else (_upload_memory, _upload_memory)

    def uncount_after_request(self) -> None:
        _unfinished_bodies.pop(self, None)
        task = asyncio.current_task()
        assert task is not None
        if self.medium_bytes:
            task.add_done_callback(lambda _: self.uncount())


_unfinished_bodies: dict[CountedBody, None] = {}
"""The counted bodies of which more is expected, the oldest one first."""


async def read_body(
    receive: Receive, *, max_bytes: int, sender: str | None = None, too_large: Problem | None = None
) -> bytes | bytearray:
    """Returns the whole body. Raises BodyTooLarge, or the service's own `too_large`, as soon as the limit is exceeded.

    `sender` is the network of the caller. Only a service with small bodies can do without it.
    Raises ClientDisconnect if the body is cut off, because a truncated body can look complete (JSON Lines, a form).
    """
    assert sender is not None or max_bytes <= _MAX_SMALL_BODY_BYTES
    message = await _next_part(receive)
    first: bytes = message.get("body", b"")
    if not message.get("more_body", False) and len(first) <= max_bytes:
        return first  # This is the usual case, and the body is not copied.
    too_large = too_large or BodyTooLarge(limit=max_bytes)
    return await _read_parts(receive, message, max_bytes, sender or TRUSTED_SENDER, too_large)


async def _read_parts(receive: Receive, message: Message, max_bytes: int, sender: str, too_large: Problem) -> bytearray:
    task = asyncio.current_task()
    assert task is not None
    body, counted = bytearray(), CountedBody(sender, task)
    try:
        while True:
            part = message.get("body", b"")
            if len(body) + len(part) > max_bytes:
                raise too_large
            counted.count(len(body) + len(part))
            body += part
            if not message.get("more_body", False):
                break
            message = await _next_part(receive)
    except BaseException as error:
        # The traceback of the exception refers to the body, and is sometimes freed only by the garbage collector.
        body.clear()
        counted.uncount()
        if counted.is_ended and isinstance(error, asyncio.CancelledError):
            task.uncancel()
            raise LargeBodiesBusy from None
        raise
    counted.uncount_after_request()
    return body


async def _next_part(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message
