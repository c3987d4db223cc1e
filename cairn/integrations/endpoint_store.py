"""The SQL for managing the endpoints of a company."""

from collections.abc import Collection
from uuid import UUID

from cairn.db import Connection
from cairn.integrations.model import Kind
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Endpoint:
    kind: Kind
    url: str
    paused: bool


async def companies_with_endpoints(connection: Connection, company_ids: Collection[UUID]) -> set[UUID]:
    """Returns those of the companies that have an endpoint which is not paused."""
    rows = await connection.fetch(
        "select company_id from integrations.endpoints where company_id = any ($1::uuid[]) and not paused",
        list(company_ids),
    )
    return {row["company_id"] for row in rows}


async def lock_and_count_endpoints(connection: Connection, company_id: UUID) -> int:
    """Counts the company's endpoints. Other transactions that call this function wait until this one ends.

    Every transaction that adds an endpoint or changes a URL calls it first, so the count and `has_url` stay correct.
    """
    await connection.execute(
        "select pg_advisory_xact_lock(hashtextextended('webhooks of ' || $1::uuid, 0))", company_id
    )
    count: int = await connection.fetchval(
        "select count(*) from integrations.endpoints where company_id = $1", company_id
    )
    return count


async def has_url(connection: Connection, company_id: UUID, url: str, *, except_for: UUID | None = None) -> bool:
    # The index contains the MD5 hash of each URL, because a URL may be too long for an index.
    exists: bool = await connection.fetchval(
        """
        select exists (select from integrations.endpoints
                        where company_id = $1 and md5(url) = md5($2) and id is distinct from $3)
        """,
        company_id, url, except_for,
    )  # fmt: skip
    return exists


async def add_endpoint(
    connection: Connection,
    company_id: UUID,
    *,
    kind: Kind,
    name: str,
    url: str,
    encrypted_secret: str | None,
    send_sensitive: bool,
) -> UUID:
    endpoint_id: UUID = await connection.fetchval(
        """
        insert into integrations.endpoints (company_id, kind, name, url, sealed_secret, send_sensitive)
        values ($1, $2, $3, $4, $5, $6)
        returning id
        """,
        company_id, kind, name, url, encrypted_secret, send_sensitive,
    )  # fmt: skip
    return endpoint_id


async def find_endpoint(connection: Connection, endpoint_id: UUID, company_id: UUID) -> Endpoint | None:
    row = await connection.fetchrow(
        "select kind, url, paused from integrations.endpoints where id = $1 and company_id = $2",
        endpoint_id, company_id,
    )  # fmt: skip
    return None if row is None else Endpoint(**row)


async def change_endpoint(
    connection: Connection, endpoint_id: UUID, name: str, url: str, *, send_sensitive: bool | None
) -> None:
    """Changes the name, the URL and, unless `send_sensitive` is None, whether sensitive answers are sent.

    A new URL has not failed yet, so the error of the old URL is cleared.
    """
    await connection.execute(
        """
        update integrations.endpoints
           set name = $2, url = $3, send_sensitive = coalesce($4, send_sensitive),
               failing_since = case when url = $3 then failing_since end,
               next_probe_at = case when url = $3 then next_probe_at end,
               responds_quickly = url = $3 and responds_quickly,
               last_error = case when url = $3 then last_error end
         where id = $1
        """,
        endpoint_id, name, url, send_sensitive,
    )  # fmt: skip


async def replace_secret(connection: Connection, endpoint_id: UUID, encrypted_secret: str) -> None:
    """Replaces the secret. For one day, deliveries are signed with the previous secret as well."""
    await connection.execute(
        """
        update integrations.endpoints
           set sealed_previous = sealed_secret, previous_until = now() + interval '1 day',
               sealed_secret = $2, secret_made_at = now()
         where id = $1
        """,
        endpoint_id, encrypted_secret,
    )  # fmt: skip


async def find_delivery(connection: Connection, delivery_id: UUID, company_id: UUID) -> tuple[bool, int] | None:
    """Returns whether the endpoint is paused and how often the delivery was attempted.

    Returns None if the company has no delivery with this id.
    """
    row = await connection.fetchrow(
        """
        select e.paused, d.attempts
          from integrations.deliveries d
          join integrations.endpoints e on e.id = d.endpoint_id
         where d.id = $1 and d.company_id = $2
        """,
        delivery_id, company_id,
    )  # fmt: skip
    return None if row is None else (row["paused"], row["attempts"])
