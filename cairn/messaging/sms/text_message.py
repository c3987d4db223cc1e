from dataclasses import field
from typing import Literal, Protocol
from uuid import UUID

from cairn.kit import frozen_dataclass


@frozen_dataclass
class TextMessage:
    id: UUID
    # Digits only, starting with the country code.
    recipient: str
    body: str = field(repr=False)
    channel: str = "sms"


@frozen_dataclass
class GuestText:
    """A message from a company to a guest about a session: the link that the company sends, or a reminder."""

    id: UUID
    recipient: str
    body: str = field(repr=False)
    company_id: UUID
    session_id: UUID
    kind: Literal["message", "reminder"] = "message"


class SmsGateway(Protocol):
    async def send(self, message: TextMessage) -> str:
        """Returns the gateway's id of the message.

        Raises `TextRefused` if a retry is pointless, and `TextNotSent` if a retry may succeed.
        """
