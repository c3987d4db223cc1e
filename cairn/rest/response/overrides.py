"""Validates the status and the headers that a SQL function sets for its response.

An invalid header would break the connection.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from cairn.rest.errors import BadResponseHeaders, BadResponseStatus

Headers = tuple[tuple[str, str], ...]

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\U0010ffff]*")
_RESERVED_HEADERS = frozenset({"access-control-allow-origin", "connection", "content-length", "transfer-encoding"})
"""Only the server sets these headers. Values from a function are ignored."""


def is_status(number: int) -> bool:
    """Accepts only the status of a final response. A status below 200 announces another response."""
    return 200 <= number <= 599


def overridden_status(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and is_status(int(text))):
        raise BadResponseStatus
    return int(text)


def overridden_headers(text: str | None) -> Headers:
    if text is None:
        return ()
    try:
        return valid_headers(pair for entry in json.loads(text) for pair in entry.items())
    except (ValueError, TypeError, AttributeError) as error:
        raise BadResponseHeaders from error


def valid_headers(pairs: Iterable[tuple[Any, Any]]) -> Headers:
    """Raises ValueError for an invalid header, and drops reserved ones."""
    headers = tuple(pairs)
    for name, value in headers:
        if not (isinstance(value, str) and _HEADER_NAME.fullmatch(name) and _HEADER_VALUE.fullmatch(value)):
            raise ValueError(f"not a header: {name!r}")
    return tuple((name, value) for name, value in headers if name.lower() not in _RESERVED_HEADERS)
