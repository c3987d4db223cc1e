"""The only place that reads the clock; rules receive the time as an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
