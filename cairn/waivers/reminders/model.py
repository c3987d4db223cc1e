"""When somebody may be asked again. No clock and no database in here."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# From nine in the morning until seven in the evening, where the company is.
_OPENS, _CLOSES = 9, 19
# A reminder that could not go out for so long says something that is no longer news.
_KEEPS = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """First after so many days, then every so many, at most so often."""

    first_days: int
    every_days: int
    limit: int

    def first_before(self, now: datetime) -> datetime:
        """Sessions opened until then, and never reminded, are due."""
        return now - timedelta(days=self.first_days)

    def again_before(self, now: datetime) -> datetime:
        """Sessions last reminded until then are due again."""
        return now - timedelta(days=self.every_days)


def is_sensible_hour(now: datetime, time_zone: str) -> bool:
    """A zone this machine does not know is taken for UTC: a reminder at an odd hour is better than none."""
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        zone = ZoneInfo("UTC")
    return _OPENS <= now.astimezone(zone).hour < _CLOSES


def not_after(asked_at: datetime, expires_at: datetime) -> datetime:
    return min(asked_at + _KEEPS, expires_at)


def why_not(status: str, expires_at: datetime, refused: bool, now: datetime) -> str | None:
    """What the company reads in Email History when a reminder was overtaken."""
    if status != "pending":
        return "Not sent: the waiver was signed meanwhile."
    if expires_at <= now:
        return "Not sent: the link has expired meanwhile."
    if refused:
        return "Not sent: the recipient wants no more reminders."
    return None
