"""Times are written as people say them."""

from datetime import UTC, datetime

import pytest

from cairn.kit import UTC_ZONE, local_zone

MORNING = datetime(2026, 11, 15, 9, 5, 7, tzinfo=UTC)
SUMMER_NIGHT = datetime(2026, 7, 1, 4, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "moment", "expected"),
    [
        ("America/Denver", MORNING, "November 15, 2026 at 2:05 AM (Mountain Time)"),
        ("America/Denver", SUMMER_NIGHT, "June 30, 2026 at 10:00 PM (Mountain Time)"),
        ("Europe/Madrid", MORNING, "November 15, 2026 at 10:05 AM (Madrid time)"),
        ("Asia/Tokyo", SUMMER_NIGHT, "July 1, 2026 at 1:00 PM (Tokyo time)"),
        ("America/New_York", SUMMER_NIGHT, "July 1, 2026 at 12:00 AM (Eastern Time)"),
        ("America/Argentina/Buenos_Aires", MORNING, "November 15, 2026 at 6:05 AM (Buenos Aires time)"),
        ("CET", MORNING, "November 15, 2026 at 10:05 AM (CET)"),
    ],
)
def test_a_time_is_written_as_people_of_its_zone_say_it(zone: str, moment: datetime, expected: str) -> None:
    local = local_zone(zone)

    assert local is not None
    assert local.date_and_time_with_zone(moment) == expected


def test_the_first_zone_that_is_known_and_not_utc_is_used() -> None:
    local = local_zone(None, "UTC", "Etc/UTC", "Nowhere/Atlantis", "../../etc/passwd", "Asia/Tokyo")

    assert local is not None
    assert local.name == "Tokyo time"
    assert local_zone("UTC", None, "") is None
    assert UTC_ZONE.date_and_time_with_zone(MORNING, with_seconds=True) == "November 15, 2026 at 9:05:07 AM (UTC)"
