from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from cairn.auth.bodies import EmailLinkBody, Metadata, TextWithoutNul, format_timestamp
from cairn.auth.model import SsoProvider


class InviteBody(EmailLinkBody):
    email: str | None = None
    data: Metadata | None = None


class AdminUserBody(BaseModel):
    id: UUID | None = None
    email: str | None = None
    phone: str | None = None
    password: str | None = Field(default=None, repr=False)
    password_hash: str | None = Field(default=None, repr=False)
    email_confirm: bool | None = None
    phone_confirm: bool | None = None
    user_metadata: Metadata | None = None
    app_metadata: Metadata | None = None
    role: str | None = None
    ban_duration: str | None = None


class DeleteUserBody(BaseModel):
    should_soft_delete: bool | None = None


class GenerateLinkBody(EmailLinkBody):
    type: str | None = None
    email: str | None = None
    new_email: str | None = None
    password: str | None = Field(default=None, repr=False)
    data: Metadata | None = None


class SsoProviderBody(BaseModel):
    metadata_xml: TextWithoutNul
    domains: list[TextWithoutNul] | None = None
    attribute_mapping: dict[TextWithoutNul, TextWithoutNul] | None = None
    company_id: UUID | None = None


def sso_provider_json(provider: SsoProvider) -> dict[str, Any]:
    return {
        "id": str(provider.id),
        "saml": {
            "entity_id": provider.entity_id,
            "metadata_xml": provider.metadata_xml,
            "attribute_mapping": provider.attribute_mapping,
        },
        "domains": [{"domain": domain} for domain in provider.domains],
        "company_id": provider.company_id and str(provider.company_id),
        "created_at": format_timestamp(provider.created_at),
        "updated_at": format_timestamp(provider.updated_at),
    }
