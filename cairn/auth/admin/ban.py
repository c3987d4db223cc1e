import re
from datetime import datetime, timedelta

from cairn.auth.errors import AdminInputInvalid

# A longer ban could end after the last date that Python can represent.
MAX_BAN_SECONDS = 100 * 365 * 86_400.0
DURATION_PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s|m|h)")
UNIT_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def ban_until(duration: str, now: datetime) -> datetime | None:
    """Returns when a ban ends. The duration looks like `24h` or `1h30m`; `none` lifts the ban."""
    if duration == "none":
        return None
    parts = DURATION_PART.findall(duration)
    if not parts or "".join(number + unit for number, unit in parts) != duration:
        raise AdminInputInvalid(reason="invalid format for ban duration: a number with a unit such as 24h, or none")
    seconds = sum(float(number) * UNIT_SECONDS[unit] for number, unit in parts)
    return now + timedelta(seconds=min(seconds, MAX_BAN_SECONDS))
