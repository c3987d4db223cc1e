"""Reads and deletes the push subscriptions that a company's people have created in their browsers."""

from collections.abc import Collection
from uuid import UUID

from cairn.db import Connection
from cairn.messaging import Subscription


async def companies_with_push(connection: Connection, company_ids: Collection[UUID]) -> set[UUID]:
    """Returns those of the companies that have a subscription."""
    rows = await connection.fetch(
        """
        select p.company_id
          from public.push_subscriptions s
          join public.profiles p on p.id = s.user_id
         where p.company_id = any ($1::uuid[])
        """,
        list(company_ids),
    )
    return {row["company_id"] for row in rows}


async def company_push_subscriptions(connection: Connection, company_id: UUID) -> list[Subscription]:
    """Returns each browser once, even if several people of the company have signed in there."""
    rows = await connection.fetch(
        """
        select distinct on (s.endpoint) s.endpoint, s.p256dh, s.auth
          from push_subscriptions s
          join profiles p on p.id = s.user_id
         where p.company_id = $1
         order by s.endpoint, s.created_at desc
        """,
        company_id,
    )
    return [Subscription(**row) for row in rows]


async def delete_push_subscription(connection: Connection, endpoint: str) -> None:
    await connection.execute("delete from push_subscriptions where endpoint = $1", endpoint)
