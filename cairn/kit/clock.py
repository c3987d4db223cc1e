"""The only module that reads the date and time from the system."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
