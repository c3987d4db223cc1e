"""SQL for inquiries."""

from uuid import UUID

from cairn.db import Connection
from cairn.inquiries.form import Inquiry
from cairn.kit import frozen_dataclass
from cairn.limits import key_of_larger_network


@frozen_dataclass
class Author:
    """Who sent an inquiry, for the rate limits. Visitors have only a network."""

    network: str
    user_id: UUID | None = None
    company_id: UUID | None = None


@frozen_dataclass
class RecentInquiries:
    """How many inquiries came in the last hour: from the user, the network, the larger network around it, and in total.

    The last three numbers count only authors of the same group: companies with a confirmed address, or everyone else.
    """

    from_user: int
    from_network: int
    from_larger_network: int
    in_total: int


async def has_confirmed_address(connection: Connection, company_id: UUID | None) -> bool:
    """`company_id` is None for a visitor. Then the result is False, because a visitor may be anyone."""
    is_confirmed: bool = await connection.fetchval("select accounts.has_confirmed_address($1)", company_id)
    return is_confirmed


async def count_recent_inquiries(connection: Connection, author: Author, *, is_confirmed: bool) -> RecentInquiries:
    # Inquiries wait for each other, so that each of several concurrent ones sees the previous ones.
    await connection.execute("select pg_advisory_xact_lock(hashtextextended('inquiries', 0))")
    row = await connection.fetchrow(
        """
        select count(*) filter (where user_id = $1) as from_user,
               count(*) filter (where is_confirmed = $2 and network = $3) as from_network,
               count(*) filter (where is_confirmed = $2
                                  and case when network like '%:%/64' then network::inet << $4::text::inet end)
                   as from_larger_network,
               count(*) filter (where is_confirmed = $2) as in_total
          from inquiries.messages
         where created_at > now() - interval '1 hour'
        """,
        author.user_id, is_confirmed, author.network, key_of_larger_network(author.network),
    )  # fmt: skip
    assert row is not None, "a count is always one row"
    return RecentInquiries(**row)


async def add_message(connection: Connection, inquiry: Inquiry, author: Author, *, is_confirmed: bool) -> UUID:
    inquiry_id: UUID = await connection.fetchval(
        """
        insert into inquiries.messages
               (kind, name, email, company, phone, subject, message, waiver, network, user_id, company_id,
                is_confirmed)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        returning id
        """,
        inquiry.kind, inquiry.name, inquiry.email, inquiry.company, inquiry.phone, inquiry.subject, inquiry.message,
        inquiry.waiver, author.network, author.user_id, author.company_id, is_confirmed,
    )  # fmt: skip
    return inquiry_id


DELETE_NETWORKS = """
with old as (
    select id from inquiries.messages
     where network is not null and created_at < now() - interval '1 day'
     limit $1 for update skip locked),
changed as (
    update inquiries.messages m set network = null from old where m.id = old.id returning 1)
select count(*) from changed
"""
