"""Limits how many text messages are sent, because each one costs the operator money."""

from pydantic import BaseModel, NonNegativeInt

from cairn.kit import frozen_dataclass


class TextLimits(BaseModel, frozen=True):
    per_hour: NonNegativeInt = 100
    per_day: NonNegativeInt = 500
    # How many texts one number may receive in a day, from all companies together.
    per_number: NonNegativeInt = 10
    # How many texts all companies together may send in a day. Signing up more companies does not raise the limit.
    in_all: NonNegativeInt = 5000


@frozen_dataclass
class RecentTexts:
    """How many messages were sent: by this company, by all companies to this number, and by all companies in total."""

    company_last_hour: int
    company_last_day: int
    number_last_day: int
    total_last_day: int


def exceeded_limit(recent: RecentTexts, limits: TextLimits) -> str | None:
    """Returns the reason why no further message may be sent, as shown to the company, or None."""
    if recent.number_last_day >= limits.per_number:
        return "This number has received too many text messages today."
    if recent.company_last_hour >= limits.per_hour:
        return f"At most {limits.per_hour} text messages can be sent in an hour. Please send it again later."
    if recent.company_last_day >= limits.per_day:
        return f"At most {limits.per_day} text messages can be sent in a day. Please send it again later."
    if recent.total_last_day >= limits.in_all:
        return "This service cannot send any more text messages today. Please send it again tomorrow."
    return None
