"""SQL for inquiries."""

from uuid import UUID

from cairn.db import Connection
from cairn.inquiries.form import Inquiry


async def count_recent_inquiries(connection: Connection, network: str | None, user_id: UUID | None) -> tuple[int, int]:
    """Counts the inquiries of the last hour: those from this network or user, and all of them."""
    row = await connection.fetchrow(
        """
        select count(*) filter (where network = $1 or user_id = $2) as from_author, count(*) as from_all
          from inquiries.messages
         where created_at > now() - interval '1 hour'
        """,
        network,
        user_id,
    )
    assert row is not None, "a count is always one row"
    return row["from_author"], row["from_all"]


async def add_message(
    connection: Connection, inquiry: Inquiry, network: str | None, user_id: UUID | None, company_id: UUID | None
) -> UUID:
    inquiry_id: UUID = await connection.fetchval(
        """
        insert into inquiries.messages
               (kind, name, email, company, phone, subject, message, waiver, network, user_id, company_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        returning id
        """,
        inquiry.kind, inquiry.name, inquiry.email, inquiry.company, inquiry.phone, inquiry.subject, inquiry.message,
        inquiry.waiver, network, user_id, company_id,
    )  # fmt: skip
    return inquiry_id


async def delete_networks(connection: Connection) -> None:
    await connection.execute(
        """
        update inquiries.messages set network = null
         where network is not null and created_at < now() - interval '1 day'
        """
    )
