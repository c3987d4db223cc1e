from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class TextMessage:
    id: UUID
    # Digits only, country first.
    recipient: str
    body: str = field(repr=False)
    # sms or whatsapp
    channel: str = "sms"


class Texter(Protocol):
    async def send(self, message: TextMessage) -> str:
        """The gateway's own id. Raises `TextRefused` when trying again is of no use, `TextNotSent` otherwise."""
