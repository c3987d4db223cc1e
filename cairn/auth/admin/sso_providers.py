from collections.abc import Mapping, Sequence
from dataclasses import field
from uuid import UUID

import asyncpg

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import SamlDisabled, SamlMetadataInvalid, SsoDomainTaken, SsoProviderNotFound
from cairn.auth.federation.saml import SamlError, parse_metadata
from cairn.auth.model import Caller, SsoProvider
from cairn.kit import frozen_dataclass

MAX_METADATA_XML_LENGTH = 500_000


@frozen_dataclass
class NewProvider:
    metadata_xml: str
    domains: Sequence[str] = ()
    attribute_mapping: Mapping[str, str] = field(default_factory=dict)
    company_id: UUID | None = None


async def add_provider(context: AuthContext, new_provider: NewProvider, caller: Caller) -> SsoProvider:
    """Adds a provider and its domains.

    A domain belongs to only one provider, which is trusted for all addresses in that domain.
    """
    if not context.settings.saml:
        raise SamlDisabled
    if len(new_provider.metadata_xml) > MAX_METADATA_XML_LENGTH:
        raise SamlMetadataInvalid(reason="it is too large")
    try:
        metadata = parse_metadata(new_provider.metadata_xml)
    except SamlError as error:
        raise SamlMetadataInvalid(reason=str(error)) from error
    try:
        async with context.transaction() as conn:
            provider = await store.add_sso_provider(
                conn,
                entity_id=metadata.entity_id,
                sso_url=metadata.sso_url,
                certificates=metadata.certificates,
                metadata_xml=new_provider.metadata_xml,
                attribute_mapping=new_provider.attribute_mapping,
                company_id=new_provider.company_id,
                domains=sorted({domain.strip().lower() for domain in new_provider.domains}),
            )
            await store.add_audit_entry(conn, "sso_provider_added", None, caller, provider=provider.name)
    except asyncpg.UniqueViolationError as error:
        raise SsoDomainTaken from error
    except (asyncpg.ForeignKeyViolationError, asyncpg.CheckViolationError) as error:
        raise SamlMetadataInvalid(reason="a domain, the company or the entity id is not possible") from error
    return provider


async def list_providers(context: AuthContext) -> list[SsoProvider]:
    async with context.transaction(read_only=True) as conn:
        return await store.sso_providers(conn)


async def provider_by_id(context: AuthContext, provider_id: UUID) -> SsoProvider:
    async with context.transaction(read_only=True) as conn:
        provider = await store.sso_provider(conn, provider_id)
    if provider is None:
        raise SsoProviderNotFound
    return provider


async def remove_provider(context: AuthContext, provider_id: UUID, caller: Caller) -> SsoProvider:
    provider = await provider_by_id(context, provider_id)
    async with context.transaction() as conn:
        await store.remove_sso_provider(conn, provider_id)
        await store.add_audit_entry(conn, "sso_provider_removed", None, caller, provider=provider.name)
    return provider
