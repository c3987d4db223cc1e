from dataclasses import dataclass, field
from typing import Literal, Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class TextMessage:
    id: UUID
    # Digits only, country first.
    recipient: str
    body: str = field(repr=False)
    # sms or whatsapp
    channel: str = "sms"


@dataclass(frozen=True, slots=True)
class GuestText:
    """A company's, about a session. `letter` asks for the first time, `reminder` again."""

    id: UUID
    recipient: str
    body: str = field(repr=False)
    company_id: UUID
    session_id: UUID
    kind: Literal["message", "reminder"] = "message"


class SmsGateway(Protocol):
    async def send(self, message: TextMessage) -> str:
        """The gateway's own id. Raises `TextRefused` when trying again is of no use, `TextNotSent` otherwise."""
