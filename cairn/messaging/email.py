"""An email, what a provider says about it, and what every provider is."""

from dataclasses import dataclass
from typing import Literal, Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Email:
    id: UUID
    recipient: str
    subject: str
    body: str
    action: str | None = None
    sender_name: str | None = None
    reply_to: str | None = None
    attachment_type: str = "link"
    # Where its reader says that they want no more of this kind.
    unsubscribe_url: str | None = None
    attachment: Attachment | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """delivered: a provider took it. kept: it waits in the local mailbox and went to nobody."""

    status: Literal["delivered", "kept"]
    message_id: str


class Mailer(Protocol):
    async def send(self, email: Email) -> Receipt:
        """Raises `MailRefused` when trying again is of no use, `MailNotSent` when it may be."""
