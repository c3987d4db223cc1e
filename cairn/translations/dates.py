"""Writes dates and times as people say them, in the time zone of the reader."""

# Babel is imported when the first date is written, because the import takes longer than many commands.

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cairn.translations.catalogue import current_language
from cairn.translations.text import text

_DATE_AND_TIME = text("{date} at {time} ({time_zone})")


def spoken_date(moment: datetime, time_zone: str | None = None) -> str:
    """Returns a date such as "November 15, 2026". Without a valid time zone it is the date in UTC."""
    from babel.dates import format_date  # noqa: PLC0415 - see above

    return format_date(moment.astimezone(_zone(time_zone)).date(), "long", locale=current_language())


def spoken_time(moment: datetime, time_zone: str | None = None) -> str:
    """Returns a time such as "November 15, 2026 at 12:06 PM (Mountain Time)"."""
    from babel.dates import format_time  # noqa: PLC0415 - see above

    zone = _zone(time_zone)
    # Since CLDR 42, the space before AM and PM is a special one. Text messages and old mail programs show it wrongly.
    time = format_time(moment, "short", tzinfo=zone, locale=current_language()).replace("\u202f", " ")
    return _DATE_AND_TIME.format(date=spoken_date(moment, time_zone), time=time, time_zone=_zone_name(moment, zone))


def _zone(name: str | None) -> tzinfo:
    """The browser of a signer reports the name, so it can be anything."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _zone_name(moment: datetime, zone: tzinfo) -> str:
    """Returns "Mountain Time", and "UTC" or "UTC-05:00" for a zone that has no such name."""
    from babel.dates import get_timezone_name  # noqa: PLC0415 - see above

    key = zone.key if isinstance(zone, ZoneInfo) else "UTC"
    if "/" in key and not key.startswith("Etc/"):
        return get_timezone_name(zone, locale=current_language())
    offset = moment.astimezone(zone).isoformat()[-6:]
    return "UTC" if offset == "+00:00" else f"UTC{offset}"
