"""The only place that asks what time it is; rules receive the answer as an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
