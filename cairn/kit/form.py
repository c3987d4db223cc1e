"""Reads what an HTML form without script sends."""

from urllib.parse import parse_qsl

from starlette.types import Receive

from cairn.kit.body import BodyTooLarge, read_body

_MOST_FIELDS = 20


async def read_form(receive: Receive, *, limit: int) -> dict[str, str]:
    """The fields of a URL-encoded form. Raises BodyTooLarge, also for more fields than any of our forms has."""
    body = await read_body(receive, limit=limit)
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError as too_many_fields:
        raise BodyTooLarge(limit=limit) from too_many_fields
