from datetime import datetime, timedelta

from cairn.messaging.errors import ReportTooOld, ReportUnsigned

_MAX_DIGITS = 12


def check_signed_at(timestamp: str, now: datetime, tolerance: timedelta) -> None:
    """Refuses a report that was signed too long ago, because it may be a replay, or too far in the future.

    `timestamp` is the time of the signature, in seconds since 1970.
    """
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= _MAX_DIGITS):
        raise ReportUnsigned
    if abs(now.timestamp() - int(timestamp)) > tolerance.total_seconds():
        raise ReportTooOld
