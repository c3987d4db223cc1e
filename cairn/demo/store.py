"""SQL that only the database owner may run. The docstring of the package says why it is needed."""

from datetime import timedelta
from uuid import UUID

from cairn.db import Connection


async def backdate_unsigned_session(connection: Connection, session_id: UUID, interval: timedelta) -> None:
    """Moves the dates of a session and its email into the past. Signed sessions are not changed.

    Signatures and the history always keep the times at which they were made, even in sample data.
    """
    await connection.execute(
        """
        with session as (
            update waivers.sessions set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
             where id = $1 and status = 'pending'
            returning id
        ), sending as (
            update sent_waivers set sent_at = sent_at - $2::interval where session_id in (select id from session)
        )
        update emails set created_at = created_at - $2::interval, sent_at = sent_at - $2::interval
         where session_id in (select id from session)
        """,
        session_id, interval,
    )  # fmt: skip


async def count_missing_documents(connection: Connection, company_id: UUID) -> int:
    count: int = await connection.fetchval(
        "select count(*) from waivers.signed where company_id = $1 and document_path is null", company_id
    )
    return count


async def add_paid_months(connection: Connection, company_id: UUID, customer: str, amounts_cents: list[int]) -> None:
    """Adds a card of the payment sandbox and one paid invoice per month. The last one is a month old."""
    await connection.execute(
        "insert into billing.customers (provider, reference, company_id) values ('sandbox', $1, $2)",
        customer, company_id,
    )  # fmt: skip
    await connection.execute(
        """
        insert into billing.sandbox_cards (customer, brand, last4, exp_month, exp_year)
        values ($1, 'visa', '4242', 12, 2028)
        """,
        customer,
    )
    for index, amount in enumerate(amounts_cents):
        await connection.execute(
            """
            insert into billing.invoices (customer_id, reference, number, description, amount_cents, status, issued_at)
            select id, $1 || '_' || $2::int, 1000, 'Sample invoice, not charged', $3, 'paid',
                   now() - make_interval(months => $4::int)
              from billing.customers where reference = $1
            """,
            customer, index, amount, len(amounts_cents) - index,
        )  # fmt: skip
