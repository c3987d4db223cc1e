"""Reads a request body without ever holding more than the service's limit in memory."""

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

from cairn.kit.problem import Problem


class BodyTooLarge(Problem):
    status, code = 413, "too_large"
    message = "The request body is larger than {limit} bytes."


async def read_body(receive: Receive, *, limit: int, too_large: Problem | None = None) -> bytes | bytearray:
    """The whole body. Raises BodyTooLarge, or the service's own `too_large`, as soon as it exceeds the limit, and
    ClientDisconnect if it is cut off.

    A truncated body can look complete (JSON Lines, a form), so a disconnect must never be taken for its end.
    """
    message = await _next_part(receive)
    first: bytes = message.get("body", b"")
    if not message.get("more_body", False) and len(first) <= limit:
        return first  # The usual case: no copy is made.
    body = bytearray(first)
    while message.get("more_body", False) and len(body) <= limit:
        message = await _next_part(receive)
        body += message.get("body", b"")
    if len(body) > limit:
        raise too_large or BodyTooLarge(limit=limit)
    return body


async def _next_part(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message
