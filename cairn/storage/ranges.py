"""Parses the `Range` header and evaluates conditional requests."""

from datetime import datetime
from email.utils import parsedate_to_datetime

from cairn.kit import ByteRangeInvalid, parse_byte_range
from cairn.storage.errors import InvalidRange


def parse_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Returns the start (inclusive) and end (exclusive), or None for the whole object. Several ranges are refused."""
    if header is None:
        return None
    try:
        return parse_byte_range(header, size)
    except ByteRangeInvalid:
        raise InvalidRange from None


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
