"""How many text messages may be sent: each one costs the operator money."""

from dataclasses import dataclass

from pydantic import BaseModel, NonNegativeInt


class TextLimits(BaseModel, frozen=True):
    per_hour: NonNegativeInt = 100
    per_day: NonNegativeInt = 500
    # How many texts one number may receive in a day, from all companies together.
    per_number: NonNegativeInt = 10
    # How many texts all companies together may send in a day. Signing up more companies does not raise the limit.
    in_all: NonNegativeInt = 5000


@dataclass(frozen=True, slots=True)
class RecentTexts:
    """How many messages the company sent in the last hour and day, and all companies in the last day: to one number
    (`to_number`) and in total (`in_all`)."""

    hour: int
    day: int
    to_number: int
    in_all: int


def exceeded_limit(recent: RecentTexts, limits: TextLimits) -> str | None:
    """Why no further message may be sent, as shown to the company, or None."""
    if recent.to_number >= limits.per_number:
        return "This number has received too many text messages today."
    if recent.hour >= limits.per_hour:
        return f"At most {limits.per_hour} text messages can be sent in an hour. Please send it again later."
    if recent.day >= limits.per_day:
        return f"At most {limits.per_day} text messages can be sent in a day. Please send it again later."
    if recent.in_all >= limits.in_all:
        return "This service cannot send any more text messages today. Please send it again tomorrow."
    return None
