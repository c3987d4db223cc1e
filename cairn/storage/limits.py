"""Size and content type limits."""

import re
from collections.abc import Sequence

from cairn.storage.errors import InvalidFileSize, TooLarge, TypeNotAllowed

_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,3})?)\s*(gb|mb|kb|b)", re.IGNORECASE)
_UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def parse_size(size: int | str | None) -> int | None:
    """Units are decimal: `20mb` is twenty million bytes."""
    if size is None or isinstance(size, int):
        return size
    match = _SIZE.fullmatch(size.strip())
    if match is None:
        raise InvalidFileSize
    return int(float(match[1]) * _UNITS[match[2].lower()])


def check_type(content_type: str, allowed: Sequence[str] | None) -> None:
    if not allowed:
        return
    mime_type = content_type.partition(";")[0].strip().lower()
    wildcard = f"{mime_type.partition('/')[0]}/*"
    if not {mime_type, wildcard, "*/*"} & {pattern.strip().lower() for pattern in allowed}:
        raise TypeNotAllowed(type=mime_type)


class SizeLimit:
    """Counts the bytes of a stream and raises as soon as there are too many."""

    def __init__(self, limit: int) -> None:
        self._remaining = limit

    def add(self, count: int) -> None:
        self._remaining -= count
        if self._remaining < 0:
            raise TooLarge
