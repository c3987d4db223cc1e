"""Writes a time as people say it, in a time zone: `November 15, 2026 at 10:30 AM (Madrid time)`."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cairn.kit.dataclasses import frozen_dataclass

# Zones that people do not call by the city in their IANA name.
_NAMES = {
    "America/New_York": "Eastern Time",
    "America/Detroit": "Eastern Time",
    "America/Toronto": "Eastern Time",
    "America/Chicago": "Central Time",
    "America/Winnipeg": "Central Time",
    "America/Denver": "Mountain Time",
    "America/Boise": "Mountain Time",
    "America/Edmonton": "Mountain Time",
    "America/Phoenix": "Arizona time",
    "America/Los_Angeles": "Pacific Time",
    "America/Vancouver": "Pacific Time",
    "America/Anchorage": "Alaska Time",
    "America/Halifax": "Atlantic Time",
    "Pacific/Honolulu": "Hawaii time",
}


@frozen_dataclass
class LocalZone:
    """A time zone with the name that people use for it."""

    zone: ZoneInfo

    @property
    def name(self) -> str:
        """A name such as `Mountain Time` or `Buenos Aires time`."""
        key = self.zone.key
        city = key.rpartition("/")[2].replace("_", " ")
        # `UTC`, `CET` and other abbreviations name no city.
        return _NAMES.get(key, f"{city} time" if "/" in key else key)

    def date_and_time(self, moment: datetime, *, with_seconds: bool = False) -> str:
        there = moment.astimezone(self.zone)
        clock = f"{there.hour % 12 or 12}:{there:%M:%S}" if with_seconds else f"{there.hour % 12 or 12}:{there:%M}"
        return f"{there:%B} {there.day}, {there.year} at {clock} {there:%p}"

    def date_and_time_with_zone(self, moment: datetime, *, with_seconds: bool = False) -> str:
        return f"{self.date_and_time(moment, with_seconds=with_seconds)} ({self.name})"


UTC_ZONE = LocalZone(ZoneInfo("UTC"))


def local_zone(*time_zones: str | None) -> LocalZone | None:
    """Returns the first of these that is a known time zone of a place, or None. UTC, GMT and `Etc/...` do not count."""
    zones = (_zone(time_zone) for time_zone in time_zones)
    return next((LocalZone(zone) for zone in zones if zone is not None), None)


def _zone(time_zone: str | None) -> ZoneInfo | None:
    if not time_zone or time_zone in ("UTC", "GMT") or time_zone.startswith("Etc/"):
        return None
    try:
        return ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
