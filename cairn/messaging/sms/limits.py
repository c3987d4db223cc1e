"""How many text messages a company may have sent: each costs the operator money."""

from dataclasses import dataclass

from pydantic import BaseModel, NonNegativeInt


class TextLimits(BaseModel, frozen=True):
    per_hour: NonNegativeInt = 100
    per_day: NonNegativeInt = 500
    # To one number in a day, from all companies together.
    per_number: NonNegativeInt = 10
    # Of all companies together in a day: whoever signs up ten of them does not have ten times as many.
    in_all: NonNegativeInt = 5000


@dataclass(frozen=True, slots=True)
class Recent:
    """What went out within the last hour and day, and within a day to this number and from everybody."""

    hour: int
    day: int
    to_number: int
    in_all: int


def refusal(recent: Recent, limits: TextLimits) -> str | None:
    """What the company reads where the message would have been."""
    if recent.to_number >= limits.per_number:
        return "This number has got too many text messages today."
    if recent.hour >= limits.per_hour:
        return f"At most {limits.per_hour} text messages go out in an hour. Please send it again later."
    if recent.day >= limits.per_day:
        return f"At most {limits.per_day} text messages go out in a day. Please send it again later."
    if recent.in_all >= limits.in_all:
        return "No more text messages go out from this service today. Please send it again tomorrow."
    return None
