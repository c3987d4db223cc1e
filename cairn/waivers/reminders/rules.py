"""The rules that decide when a reminder may be sent. They are pure functions without a clock or a database."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cairn.kit import frozen_dataclass

# Reminders are sent from 9:00 until 19:00 in the company's time zone.
_FIRST_HOUR, _END_HOUR = 9, 19
# A reminder that could not be sent for this long is outdated.
_MAX_SENDING_DELAY = timedelta(days=2)


@frozen_dataclass
class ReminderSchedule:
    """A session is reminded after `first_days`, then every `every_days`, and at most `max_reminders` times."""

    first_days: int
    every_days: int
    max_reminders: int

    def first_due_if_opened_before(self, now: datetime) -> datetime:
        """A session opened before this time that was never reminded is due."""
        return now - timedelta(days=self.first_days)

    def due_again_if_reminded_before(self, now: datetime) -> datetime:
        """A session last reminded before this time is due again."""
        return now - timedelta(days=self.every_days)


def is_sensible_hour(now: datetime, time_zone: str) -> bool:
    """An unknown time zone counts as UTC: a reminder at an odd hour is better than none."""
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        zone = ZoneInfo("UTC")
    return _FIRST_HOUR <= now.astimezone(zone).hour < _END_HOUR


def latest_sending_time(requested_at: datetime, expires_at: datetime) -> datetime:
    return min(requested_at + _MAX_SENDING_DELAY, expires_at)


def cancellation_reason(status: str, expires_at: datetime, has_opted_out: bool, now: datetime) -> str | None:
    """Returns the reason that Email History shows for a cancelled reminder, or None if it may be sent."""
    if status == "cancelled":
        return "Not sent: the waiver was cancelled in the meantime."
    if status != "pending":
        return "Not sent: the waiver was signed in the meantime."
    if expires_at <= now:
        return "Not sent: the link has expired in the meantime."
    if has_opted_out:
        return "Not sent: the recipient has stopped reminders."
    return None
