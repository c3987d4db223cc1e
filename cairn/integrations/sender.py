"""Defines the context for managing endpoints and delivering to them."""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass

from cairn.db import Database
from cairn.integrations.settings import IntegrationSettings
from cairn.kit import Resolve, SecretBox, create_ssl_context, resolve_host

# The encryption key is derived from this text. If the text changes, the stored secrets cannot be decrypted.
_PURPOSE = "webhook secrets of companies"


@dataclass(frozen=True)
class WebhookSender:
    database: Database
    settings: IntegrationSettings
    secret_box: SecretBox
    site_url: str
    resolve: Resolve = resolve_host

    @property
    def ssl_context(self) -> ssl.SSLContext:
        return create_ssl_context(self.settings.ca_file)


def open_webhook_sender(
    database: Database,
    settings: IntegrationSettings,
    *,
    secret: str,
    retired_secrets: Sequence[str] = (),
    site_url: str,
) -> WebhookSender:
    return WebhookSender(database, settings, SecretBox(secret, _PURPOSE, retired_secrets), site_url.rstrip("/"))
