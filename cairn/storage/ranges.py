"""Which part of an object is asked for, and whether it must be sent at all."""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

from cairn.storage.errors import InvalidRange

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def parse_range(header: str | None, size: int) -> tuple[int, int] | None:
    """From the first byte up to, not including, the last; None for the whole. Only one range at a time is offered."""
    if header is None:
        return None
    found = _RANGE.fullmatch(header.strip())
    if found is None or found.groups() == ("", ""):
        raise InvalidRange
    first, last = found.groups()
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1 if last else size)
    if start >= end:
        raise InvalidRange
    return start, end


def is_not_modified(*, etag: str, modified: datetime, none_match: str | None, modified_since: str | None) -> bool:
    """The caller already has it. An ETag says more than a date, so it decides when both are given."""
    if none_match is not None:
        known = {tag.strip().removeprefix("W/") for tag in none_match.split(",")}
        return "*" in known or etag in known
    if modified_since is None:
        return False
    try:
        return modified.replace(microsecond=0) <= parsedate_to_datetime(modified_since)
    except (ValueError, TypeError):
        return False
