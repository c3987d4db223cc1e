"""Parses the `Range` header of a request for a part of a file."""

import re

# The numbers have at most 18 digits, so that they fit into 64 bits.
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


class ByteRangeInvalid(ValueError):
    """The header cannot be parsed, lists several ranges, or names a range outside of the file."""


def parse_byte_range(header: str, size: int) -> tuple[int, int]:
    """Returns the position of the first byte of the range, and the position after its last byte."""
    match = _RANGE.fullmatch(header.strip())
    if match is None or match.groups() == ("", ""):
        raise ByteRangeInvalid
    first, last = match.groups()
    if not first:
        # `bytes=-500` means the last 500 bytes.
        start, end = max(0, size - int(last)), size
    elif not last:
        start, end = int(first), size
    else:
        start, end = int(first), min(size, int(last) + 1)
    if start >= end:
        raise ByteRangeInvalid
    return start, end
