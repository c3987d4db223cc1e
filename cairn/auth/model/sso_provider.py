from datetime import datetime
from uuid import UUID

from cairn.kit import frozen_dataclass


@frozen_dataclass
class SsoProvider:
    """The SAML identity provider of a company."""

    id: UUID
    entity_id: str
    # The browser is redirected to this URL.
    sso_url: str
    # The keys of these certificates (in PEM) sign the responses.
    certificates: tuple[str, ...]
    metadata_xml: str
    # Maps our names to the names in the assertion, for example {"email": "mail", "name": "displayName"}.
    attribute_mapping: dict[str, str]
    company_id: UUID | None
    domains: tuple[str, ...]
    created_at: datetime
    updated_at: datetime

    @property
    def name(self) -> str:
        """Identities and tokens contain this name."""
        return f"sso:{self.id}"
