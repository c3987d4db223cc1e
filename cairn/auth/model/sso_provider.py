"""The identity provider of a company."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SsoProvider:
    id: UUID
    entity_id: str
    # The URL to which the browser is sent, and the certificates (in PEM) of the keys that sign the responses.
    sso_url: str
    certificates: tuple[str, ...]
    metadata_xml: str
    # Names of the attributes in the assertion: {"email": "mail", "name": "displayName"}.
    attribute_mapping: dict[str, str]
    company_id: UUID | None
    domains: tuple[str, ...]
    created_at: datetime
    updated_at: datetime

    @property
    def name(self) -> str:
        """The name in identities and tokens."""
        return f"sso:{self.id}"
