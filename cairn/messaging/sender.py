"""The context for sending email: database, settings, and what other packages contribute."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from cairn.db import Database
from cairn.kit import SecretBox
from cairn.messaging.email import Attachment
from cairn.messaging.settings import MessagingSettings

# Functions that fetch an attachment by its id, by the name of the source.
AttachmentSources: TypeAlias = Mapping[str, Callable[[UUID], Awaitable[Attachment]]]
# Functions, by the kind of email, that are called just before sending. They return the reason to cancel the email,
# or None to send it.
CancellationChecks: TypeAlias = Mapping[str, Callable[[UUID], Awaitable[str | None]]]

# Stored keys are encrypted for this purpose; with another text they could not be decrypted.
_PURPOSE = "mail keys of companies"


@dataclass(frozen=True, slots=True)
class MailSender:
    database: Database
    settings: MessagingSettings
    secret_box: SecretBox
    attachment_sources: AttachmentSources
    cancellation_checks: CancellationChecks


def mail_key_box(secret: str) -> SecretBox:
    """Encrypts the API keys that companies have from their mail providers."""
    return SecretBox(secret, _PURPOSE)
