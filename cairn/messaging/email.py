"""Defines an email and the interface of a mail provider."""

from typing import Literal, Protocol
from uuid import UUID

from cairn.kit import frozen_dataclass
from cairn.messaging.without_links import without_encoded_text


@frozen_dataclass
class Attachment:
    """A file. `media_type` is a MIME type such as `application/pdf`."""

    name: str
    media_type: str
    content: bytes


@frozen_dataclass
class Email:
    id: UUID
    recipient: str
    subject: str
    body: str
    # The link in the body is shown as a button with this label.
    action: str | None = None
    sender_name: str | None = None
    reply_to: str | None = None
    # `pdf` if a PDF is attached, and `link` otherwise.
    attachment_type: str = "link"
    unsubscribe_url: str | None = None
    attachment: Attachment | None = None

    @property
    def from_name(self) -> str:
        return without_encoded_text(self.sender_name or "Cairn")


@frozen_dataclass
class Receipt:
    """The outcome of sending.

    `delivered` means that a provider accepted the email. `kept` means that it is in the local mailbox and was not
    delivered.
    """

    status: Literal["delivered", "kept"]
    message_id: str


class Mailer(Protocol):
    async def send(self, email: Email) -> Receipt:
        """Raises `MailRefused` if a retry is pointless, and `MailNotSent` if a retry may succeed."""
