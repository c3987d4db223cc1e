"""Limits how many text messages are sent, because each one costs the operator money.

The limits have counters of their own. They do not count the stored messages, which are deleted when a waiver is erased.
"""

from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256

from pydantic import BaseModel, NonNegativeInt

from cairn.db import Connection
from cairn.limits import Limit, take
from cairn.messaging.sms.text_message import GuestText

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)

NEEDS_CONFIRMED_ADDRESS = (
    "Text messages can be sent after you have confirmed your email address. Please open the link in the email that we "
    "sent you when you signed up."
)


class TextLimits(BaseModel, frozen=True):
    per_hour: NonNegativeInt = 100
    per_day: NonNegativeInt = 500
    # How many texts all companies together may send in a day from one IP network. A reminder counts for the network in
    # which its session was opened.
    per_network: NonNegativeInt = 600
    # How many texts one number may receive in a day, from all companies together.
    per_number: NonNegativeInt = 10
    # How many texts all companies together may send in a day. Signing up more companies does not raise the limit.
    in_all: NonNegativeInt = 5000


async def take_text(connection: Connection, limits: TextLimits, text: GuestText, network: str) -> str | None:
    """Counts the message. Returns the reason why it may not be sent, as shown to the company, or None."""
    for limit, reason in _limits(limits, text, network):
        if limit.max_requests == 0 or await take(connection, limit) is not None:
            return reason
    return None


def _limits(limits: TextLimits, text: GuestText, network: str) -> Iterator[tuple[Limit, str]]:
    """The limits of the company come first, so that a refused company does not use up those that others share."""
    yield (
        Limit(f"texts in an hour of {text.company_id}", limits.per_hour, _HOUR),
        f"At most {limits.per_hour} text messages can be sent in an hour. Please send it again later.",
    )
    yield (
        Limit(f"texts in a day of {text.company_id}", limits.per_day, _DAY),
        f"At most {limits.per_day} text messages can be sent in a day. Please send it again later.",
    )
    yield (
        Limit(f"texts from {network}", limits.per_network, _DAY),
        "Too many text messages were sent from your network today. Please send it again later.",
    )
    yield (
        Limit(f"texts to {sha256(text.recipient.encode()).hexdigest()[:32]}", limits.per_number, _DAY),
        "This number has received too many text messages today.",
    )
    yield (
        Limit("texts of all companies", limits.in_all, _DAY),
        "This service cannot send any more text messages today. Please send it again tomorrow.",
    )
