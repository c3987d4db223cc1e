"""Reads a request body without ever holding more than the service's limit in memory.

All large bodies together are limited too. Otherwise a few dozen clients, each within the limit of the service, could
use up the memory. One sender may use only a quarter of it, so that slow uploads of one do not keep out all others.
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
"""Requests with the service key may use the whole memory for large bodies."""

_MAX_SMALL_BODY_BYTES = 1024 * 1024
# The limit for all large bodies together.
_MAX_LARGE_BODIES_BYTES = 48 * 1024 * 1024
_MAX_BYTES_PER_SENDER = _MAX_LARGE_BODIES_BYTES // 4


@dataclass(slots=True)
class _LargeBodies:
    """The memory of all large bodies. A body counts until the task that handles its request has ended."""

    bytes_by_sender: Counter[str] = field(default_factory=Counter)

    def add(self, sender: str, byte_count: int) -> None:
        is_too_much_for_all = self.bytes_by_sender.total() + byte_count > _MAX_LARGE_BODIES_BYTES
        is_too_much_for_one = self.bytes_by_sender[sender] + byte_count > _MAX_BYTES_PER_SENDER
        if is_too_much_for_all or (sender != TRUSTED_SENDER and is_too_much_for_one):
            raise LargeBodiesBusy
        self.bytes_by_sender[sender] += byte_count

    def remove(self, sender: str, byte_count: int) -> None:
        self.bytes_by_sender[sender] -= byte_count
        if not self.bytes_by_sender[sender]:
            del self.bytes_by_sender[sender]

    def remove_after_request(self, sender: str, byte_count: int) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.add_done_callback(lambda _: self.remove(sender, byte_count))


_large_bodies = _LargeBodies()


async def read_body(
    receive: Receive, *, max_bytes: int, sender: str = TRUSTED_SENDER, too_large: Problem | None = None
) -> bytes | bytearray:
    """Returns the whole body. Raises BodyTooLarge, or the service's own `too_large`, as soon as the limit is exceeded.

    `sender` is the network of the caller. It is needed only if a body may be large.
    Raises ClientDisconnect if the body is cut off, because a truncated body can look complete (JSON Lines, a form).
    """
    message = await _next_part(receive)
    first: bytes = message.get("body", b"")
    if not message.get("more_body", False) and len(first) <= max_bytes:
        return first  # This is the usual case, and the body is not copied.
    return await _read_parts(receive, message, max_bytes, sender, too_large or BodyTooLarge(limit=max_bytes))


async def _read_parts(receive: Receive, message: Message, max_bytes: int, sender: str, too_large: Problem) -> bytearray:
    body, counted_bytes = bytearray(message.get("body", b"")), 0
    try:
        while message.get("more_body", False) and len(body) <= max_bytes:
            message = await _next_part(receive)
            part = message.get("body", b"")
            if len(body) + len(part) > _MAX_SMALL_BODY_BYTES:
                _large_bodies.add(sender, len(part))
                counted_bytes += len(part)
            body += part
        if len(body) > max_bytes:
            raise too_large
    except BaseException:
        # The traceback of the exception refers to the body, and is sometimes freed only by the garbage collector.
        body.clear()
        _large_bodies.remove(sender, counted_bytes)
        raise
    if counted_bytes:
        _large_bodies.remove_after_request(sender, counted_bytes)
    return body


async def _next_part(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message
