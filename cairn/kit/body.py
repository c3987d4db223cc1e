"""Reads a request body without ever holding more than the service's limit in memory."""

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

from cairn.kit.problem import Problem


class BodyTooLarge(Problem):
    status, code = 413, "too_large"
    message = "The request body is larger than {limit} bytes."


async def read_body(receive: Receive, *, max_bytes: int, too_large: Problem | None = None) -> bytes | bytearray:
    """Returns the whole body. Raises BodyTooLarge, or the service's own `too_large`, as soon as the limit is exceeded.

    Raises ClientDisconnect if the body is cut off, because a truncated body can look complete (JSON Lines, a form).
    """
    message = await _next_part(receive)
    first: bytes = message.get("body", b"")
    if not message.get("more_body", False) and len(first) <= max_bytes:
        return first  # This is the usual case, and the body is not copied.
    body = bytearray(first)
    while message.get("more_body", False) and len(body) <= max_bytes:
        message = await _next_part(receive)
        body += message.get("body", b"")
    if len(body) > max_bytes:
        raise too_large or BodyTooLarge(limit=max_bytes)
    return body


async def _next_part(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message
