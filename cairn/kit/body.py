"""Reads a request body without ever holding more than the service's limit in memory.

All large bodies together are limited too. Otherwise a few dozen clients, each within the limit of the service, could
use up the memory.
"""

import asyncio
from dataclasses import dataclass

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


_MAX_SMALL_BODY_BYTES = 1024 * 1024
# The limit for all large bodies together.
_MAX_LARGE_BODIES_BYTES = 48 * 1024 * 1024


@dataclass(slots=True)
class _LargeBodies:
    """The memory of all large bodies. A body counts until the task that handles its request has ended."""

    total_bytes: int = 0

    def add(self, byte_count: int) -> None:
        if self.total_bytes + byte_count > _MAX_LARGE_BODIES_BYTES:
            raise LargeBodiesBusy
        self.total_bytes += byte_count

    def remove(self, byte_count: int) -> None:
        self.total_bytes -= byte_count

    def remove_after_request(self, byte_count: int) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.add_done_callback(lambda _: self.remove(byte_count))


_large_bodies = _LargeBodies()


async def read_body(receive: Receive, *, max_bytes: int, too_large: Problem | None = None) -> bytes | bytearray:
    """Returns the whole body. Raises BodyTooLarge, or the service's own `too_large`, as soon as the limit is exceeded.

    Raises ClientDisconnect if the body is cut off, because a truncated body can look complete (JSON Lines, a form).
    """
    message = await _next_part(receive)
    first: bytes = message.get("body", b"")
    if not message.get("more_body", False) and len(first) <= max_bytes:
        return first  # This is the usual case, and the body is not copied.
    return await _read_parts(receive, message, max_bytes, too_large or BodyTooLarge(limit=max_bytes))


async def _read_parts(receive: Receive, message: Message, max_bytes: int, too_large: Problem) -> bytearray:
    body, counted_bytes = bytearray(message.get("body", b"")), 0
    try:
        while message.get("more_body", False) and len(body) <= max_bytes:
            message = await _next_part(receive)
            part = message.get("body", b"")
            if len(body) + len(part) > _MAX_SMALL_BODY_BYTES:
                _large_bodies.add(len(part))
                counted_bytes += len(part)
            body += part
        if len(body) > max_bytes:
            raise too_large
    except BaseException:
        # The traceback of the exception refers to the body, and is sometimes freed only by the garbage collector.
        body.clear()
        _large_bodies.remove(counted_bytes)
        raise
    if counted_bytes:
        _large_bodies.remove_after_request(counted_bytes)
    return body


async def _next_part(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message
