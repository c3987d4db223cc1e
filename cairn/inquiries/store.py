"""SQL for inquiries."""

from uuid import UUID

from cairn.db import Connection
from cairn.inquiries.form import Inquiry
from cairn.kit import frozen_dataclass
from cairn.limits import key_of_larger_network


@frozen_dataclass
class RecentInquiries:
    """How many inquiries came in the last hour: from a network or user, from the larger network around it, from all."""

    from_author: int
    from_larger_network: int
    from_all: int


async def count_recent_inquiries(connection: Connection, network: str | None, user_id: UUID | None) -> RecentInquiries:
    row = await connection.fetchrow(
        """
        select count(*) filter (where network = $1 or user_id = $2) as from_author,
               count(*) filter (where case when network like '%:%/64' then network::inet << $3::text::inet end)
                   as from_larger_network,
               count(*) as from_all
          from inquiries.messages
         where created_at > now() - interval '1 hour'
        """,
        network, user_id, key_of_larger_network(network or ""),
    )  # fmt: skip
    assert row is not None, "a count is always one row"
    return RecentInquiries(**row)


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
