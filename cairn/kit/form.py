"""Reads the fields of a submitted HTML form."""

from urllib.parse import parse_qsl

from starlette.types import Receive

from cairn.kit.body import BodyTooLarge, read_body

_MAX_FIELDS = 20


async def read_form(receive: Receive, *, max_bytes: int, sender: str | None = None) -> dict[str, str]:
    """Parses a URL-encoded form. Raises BodyTooLarge if it has too many bytes, or more fields than any of our forms."""
    body = await read_body(receive, max_bytes=max_bytes, sender=sender)
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError as too_many_fields:
        raise BodyTooLarge(limit=max_bytes) from too_many_fields
