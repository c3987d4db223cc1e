"""Checks sizes and content types against the limits of a bucket."""

import re
from collections.abc import Sequence

from cairn.storage.errors import InvalidFileSize, InvalidRequest, StorageProblem, TooLarge, TypeNotAllowed

_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,3})?)\s*(gb|mb|kb|b)", re.IGNORECASE)
MAX_HEADER_LENGTH = 255
"""Content types and cache settings are limited, because they do not count in the quota of an account."""

_UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def parse_size(size: int | str | None) -> int | None:
    """Returns bytes. Units are decimal: `20mb` is twenty million bytes."""
    if size is None or isinstance(size, int):
        return size
    match = _SIZE.fullmatch(size.strip())
    if match is None:
        raise InvalidFileSize
    return int(float(match[1]) * _UNITS[match[2].lower()])


def check_header_value(value: str) -> str:
    if len(value) > MAX_HEADER_LENGTH:
        raise InvalidRequest(reason=f"A content type or cache setting is longer than {MAX_HEADER_LENGTH} characters")
    # PostgreSQL cannot store NUL.
    if "\x00" in value:
        raise InvalidRequest(reason="A content type or cache setting contains the NUL character")
    return value


def check_type(content_type: str, allowed_types: Sequence[str] | None) -> None:
    check_header_value(content_type)
    if not allowed_types:
        return
    mime_type = content_type.partition(";")[0].strip().lower()
    wildcard = f"{mime_type.partition('/')[0]}/*"
    if not {mime_type, wildcard, "*/*"} & {pattern.strip().lower() for pattern in allowed_types}:
        raise TypeNotAllowed(type=mime_type)


class SizeLimit:
    """Counts the bytes of a stream and raises `problem` as soon as there are too many."""

    def __init__(self, max_bytes: int, problem: StorageProblem | None = None) -> None:
        self._remaining_bytes = max_bytes
        self._problem = problem or TooLarge()

    def check_declared(self, byte_count: int | None) -> None:
        """Refuses a body by the size that its sender declares, before it is read."""
        if byte_count is not None and byte_count > self._remaining_bytes:
            raise self._problem

    def add(self, byte_count: int) -> None:
        self._remaining_bytes -= byte_count
        if self._remaining_bytes < 0:
            raise self._problem
