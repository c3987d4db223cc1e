"""Defines the context for sending email: database, settings, and the functions that other packages contribute."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias
from uuid import UUID

from cairn.db import Database
from cairn.kit import SecretBox, frozen_dataclass
from cairn.messaging.email import Attachment
from cairn.messaging.settings import MessagingSettings

# Maps the name of a source to the function that fetches an attachment by its id.
AttachmentSources: TypeAlias = Mapping[str, Callable[[UUID], Awaitable[Attachment]]]
# Maps a kind of email to a function that is called just before sending. It returns the reason to cancel the email, or
# None to send it.
CancellationChecks: TypeAlias = Mapping[str, Callable[[UUID], Awaitable[str | None]]]

# The encryption key is derived from this text. If the text changes, the stored API keys cannot be decrypted.
_PURPOSE = "mail keys of companies"


@frozen_dataclass
class MailSender:
    """`secret_box` decrypts the API keys of the companies' mail providers.

    `recordings` are the tasks that record emails which have been sent. They end when the database accepts the records.
    """

    database: Database
    settings: MessagingSettings
    secret_box: SecretBox
    attachment_sources: AttachmentSources
    cancellation_checks: CancellationChecks
    recordings: "dict[UUID, asyncio.Task[None]]" = field(default_factory=dict)


def provider_key_box(secret: str, retired_secrets: Sequence[str] = ()) -> SecretBox:
    """Returns the box that encrypts the API keys of the companies' mail providers."""
    return SecretBox(secret, _PURPOSE, retired_secrets)
