"""A company's own identity provider, as far as we need to know it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SsoProvider:
    id: UUID
    entity_id: str
    # Where the browser goes to sign in, and the certificates of the keys its answers are signed with, in PEM.
    sso_url: str
    certificates: tuple[str, ...]
    metadata_xml: str
    # What an attribute is called there: {"email": "mail", "name": "displayName"}.
    attribute_mapping: dict[str, str]
    company_id: UUID | None
    domains: tuple[str, ...]
    created_at: datetime
    updated_at: datetime

    @property
    def name(self) -> str:
        """As identities and tokens call it."""
        return f"sso:{self.id}"
