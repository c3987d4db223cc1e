"""What a function decides about its own answer, as far as HTTP can say it: the rest would end the connection."""

import json
import re
from collections.abc import Iterable
from typing import Any

from cairn.rest.errors import BadResponseHeaders, BadResponseStatus

Headers = tuple[tuple[str, str], ...]

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\U0010ffff]*")
_OURS = frozenset({"access-control-allow-origin", "connection", "content-length", "transfer-encoding"})
"""How long an answer is, when it ends, and that every page may read it, is not for a function to say."""


def is_status(number: int) -> bool:
    """Of a whole answer: those below 200 announce another."""
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
        return valid_headers(pair for one in json.loads(text) for pair in one.items())
    except (ValueError, TypeError, AttributeError) as broken:
        raise BadResponseHeaders from broken


def valid_headers(pairs: Iterable[tuple[Any, Any]]) -> Headers:
    """ValueError for what is no header; those that are ours to say are left out."""
    headers = tuple(pairs)
    for name, value in headers:
        if not (isinstance(value, str) and _NAME.fullmatch(name) and _VALUE.fullmatch(value)):
            raise ValueError(f"not a header: {name!r}")
    return tuple((name, value) for name, value in headers if name.lower() not in _OURS)
