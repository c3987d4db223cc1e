"""What comes in at the doors of federated sign-in."""

from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from cairn.auth.sso_provider import SsoProvider
from cairn.auth.wire import Text, stamp


class ExchangeBody(BaseModel):
    auth_code: str | None = None
    code_verifier: str | None = Field(default=None, repr=False)


class IdTokenBody(BaseModel):
    provider: str | None = None
    issuer: str | None = None
    id_token: str | None = Field(default=None, repr=False)
    access_token: str | None = Field(default=None, repr=False)
    nonce: str | None = Field(default=None, repr=False)
    link_identity: bool | None = None


class SsoBody(BaseModel):
    provider_id: str | None = None
    domain: Text | None = None
    redirect_to: str | None = None
    skip_http_redirect: bool | None = None
    code_challenge: str | None = None
    code_challenge_method: str | None = None


class SsoProviderBody(BaseModel):
    metadata_xml: Text
    domains: list[Text] | None = None
    attribute_mapping: dict[Text, Text] | None = None
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
        "created_at": stamp(provider.created_at),
        "updated_at": stamp(provider.updated_at),
    }
