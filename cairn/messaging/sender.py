"""What sending needs: whose mail goes through whom, what hangs on it, and whether it is still wanted."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from cairn.db import Database
from cairn.kit import SecretBox
from cairn.messaging.email import Attachment
from cairn.messaging.settings import MessagingSettings

# By name of the source: whoever keeps the thing fetches it by its id.
AttachmentSources: TypeAlias = Mapping[str, Callable[[UUID], Awaitable[Attachment]]]
# By kind of mail: whoever asked for it says, just before it goes out, why it should not any more.
CancellationChecks: TypeAlias = Mapping[str, Callable[[UUID], Awaitable[str | None]]]

_PURPOSE = "mail keys of companies"


@dataclass(frozen=True, slots=True)
class MailSender:
    database: Database
    settings: MessagingSettings
    secret_box: SecretBox
    sources: AttachmentSources
    cancellation_checks: CancellationChecks


def mail_key_box(secret: str) -> SecretBox:
    """For the keys companies have from their providers."""
    return SecretBox(secret, _PURPOSE)
