"""Reads and deletes the push subscriptions that a company's people have created in their browsers."""

from uuid import UUID

from cairn.db import Connection
from cairn.messaging import Subscription


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
