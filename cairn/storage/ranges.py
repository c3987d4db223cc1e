"""Parses the `Range` header and evaluates conditional requests."""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

from cairn.storage.errors import InvalidRange

# The numbers have at most 18 digits, so that they fit into 64 bits.
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def parse_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Returns the start (inclusive) and end (exclusive), or None for the whole object. Several ranges are refused."""
    if header is None:
        return None
    match = _RANGE.fullmatch(header.strip())
    if match is None or match.groups() == ("", ""):
        raise InvalidRange
    first, last = match.groups()
    if not first:
        # `bytes=-500` means the last 500 bytes.
        start, end = max(0, size - int(last)), size
    elif not last:
        start, end = int(first), size
    else:
        start, end = int(first), min(size, int(last) + 1)
    if start >= end:
        raise InvalidRange
    return start, end


def is_not_modified(*, etag: str, modified_at: datetime, none_match: str | None, modified_since: str | None) -> bool:
    """An ETag is more precise than a date, so it decides when both are given."""
    if none_match is not None:
        known_tags = {tag.strip().removeprefix("W/") for tag in none_match.split(",")}
        return "*" in known_tags or etag in known_tags
    if modified_since is None:
        return False
    try:
        return modified_at.replace(microsecond=0) <= parsedate_to_datetime(modified_since)
    except (ValueError, TypeError):
        return False
