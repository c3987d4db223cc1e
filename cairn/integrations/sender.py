"""What delivering needs: where the rows are, the key to the secrets, and whom to believe."""

import ssl
from dataclasses import dataclass
from functools import cached_property

from cairn.db import Database
from cairn.integrations.settings import IntegrationSettings
from cairn.kit import Resolve, SecretBox, resolve_host, trusted_authorities

_PURPOSE = "webhook secrets of companies"


@dataclass(frozen=True)
class WebhookSender:
    database: Database
    settings: IntegrationSettings
    secret_box: SecretBox
    site_url: str
    resolve: Resolve = resolve_host

    @cached_property
    def trusting(self) -> ssl.SSLContext:
        """Read once: the files of authorities are long."""
        return trusted_authorities(self.settings.ca_file)


def open_webhook_sender(
    database: Database, settings: IntegrationSettings, *, secret: str, site_url: str
) -> WebhookSender:
    return WebhookSender(database, settings, SecretBox(secret, _PURPOSE), site_url.rstrip("/"))
