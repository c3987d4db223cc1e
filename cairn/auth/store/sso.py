import json
from collections.abc import Mapping, Sequence
from uuid import UUID

import asyncpg

from cairn.auth.model import SsoProvider
from cairn.db import Connection

SELECT_PROVIDERS = """
    select p.id, p.entity_id, p.sso_url, p.certificates, p.metadata_xml, p.attribute_mapping, p.company_id,
           p.created_at, p.updated_at,
           array(select d.domain from auth.sso_domains d where d.sso_provider_id = p.id order by d.domain) as domains
      from auth.sso_providers p
"""


async def sso_provider(conn: Connection, provider_id: UUID) -> SsoProvider | None:
    row = await conn.fetchrow(f"{SELECT_PROVIDERS} where p.id = $1", provider_id)
    return None if row is None else _read_provider(row)


async def sso_provider_for_domain(conn: Connection, domain: str) -> SsoProvider | None:
    row = await conn.fetchrow(
        f"{SELECT_PROVIDERS} where p.id = (select sso_provider_id from auth.sso_domains where domain = $1)", domain
    )
    return None if row is None else _read_provider(row)


async def sso_providers(conn: Connection) -> list[SsoProvider]:
    return [_read_provider(row) for row in await conn.fetch(f"{SELECT_PROVIDERS} order by p.created_at, p.id")]


async def add_sso_provider(
    conn: Connection,
    *,
    entity_id: str,
    sso_url: str,
    certificates: Sequence[str],
    metadata_xml: str,
    attribute_mapping: Mapping[str, str],
    company_id: UUID | None,
    domains: Sequence[str],
) -> SsoProvider:
    """Adds a provider. Postgres raises an error if it or a domain already exists, or if the company does not exist."""
    provider_id = await conn.fetchval(
        """
        insert into auth.sso_providers (entity_id, sso_url, certificates, metadata_xml, attribute_mapping, company_id)
        values ($1, $2, $3, $4, $5, $6)
        returning id
        """,
        entity_id, sso_url, list(certificates), metadata_xml, json.dumps(dict(attribute_mapping)), company_id,
    )  # fmt: skip
    await conn.executemany(
        "insert into auth.sso_domains (domain, sso_provider_id) values ($1, $2)",
        [(domain, provider_id) for domain in domains],
    )
    provider = await sso_provider(conn, provider_id)
    assert provider is not None
    return provider


async def remove_sso_provider(conn: Connection, provider_id: UUID) -> None:
    """Removes a provider and its identities, and ends the sessions that were opened through it."""
    await conn.execute(
        """
        delete from auth.sessions s
         where amr @> jsonb_build_array(jsonb_build_object('provider', 'sso:' || $1::text))
        """,
        str(provider_id),
    )
    await conn.execute("delete from auth.identities where provider = 'sso:' || $1::text", str(provider_id))
    await conn.execute("delete from auth.sso_providers where id = $1", provider_id)


def _read_provider(row: asyncpg.Record) -> SsoProvider:
    return SsoProvider(**{
        **dict(row),
        "attribute_mapping": json.loads(row["attribute_mapping"]),
        "certificates": tuple(row["certificates"]),
        "domains": tuple(row["domains"]),
    })  # fmt: skip
