"""What delivering needs: where the rows are, the key to the secrets, and whom to believe."""

import ssl
from dataclasses import dataclass
from functools import cached_property

from cairn.db import Database
from cairn.integrations.settings import IntegrationSettings
from cairn.kit import Resolve, Seal, look_up, trust

_PURPOSE = "webhook secrets of companies"


@dataclass(frozen=True)
class Courier:
    database: Database
    settings: IntegrationSettings
    seal: Seal
    site_url: str
    resolve: Resolve = look_up

    @cached_property
    def trusting(self) -> ssl.SSLContext:
        """Read once: the files of authorities are long."""
        return trust(self.settings.ca_file)


def open_courier(database: Database, settings: IntegrationSettings, *, secret: str, site_url: str) -> Courier:
    return Courier(database, settings, Seal(secret, _PURPOSE), site_url.rstrip("/"))
