"""The SQL that only the database owner may run; see the package docstring."""

from datetime import timedelta
from uuid import UUID

from cairn.db import Connection


async def backdate_unsigned_session(connection: Connection, session_id: UUID, by: timedelta) -> None:
    """Moves a session and everything with its dates into the past. Signed sessions are left alone.

    A signature always keeps the time at which it was made, even in sample data.
    """
    await connection.execute(
        """
        with sent as (
            update waivers.sessions set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
             where id = $1 and status = 'pending'
            returning id
        ), sending as (
            update sent_waivers set sent_at = sent_at - $2::interval where session_id in (select id from sent)
        ), mail as (
            update emails set created_at = created_at - $2::interval, sent_at = sent_at - $2::interval
             where session_id in (select id from sent)
        )
        update waivers.audit_events
           set at = at - $2::interval, hash = waivers.audit_hash(previous, session_id, name, details, at - $2::interval)
         where session_id in (select id from sent)
        """,
        session_id, by,
    )  # fmt: skip


async def documents_missing(connection: Connection, company_id: UUID) -> int:
    missing: int = await connection.fetchval(
        "select count(*) from waivers.signed where company_id = $1 and document_path is null", company_id
    )
    return missing


async def add_paid_months(connection: Connection, company_id: UUID, customer: str, cents: list[int]) -> None:
    """Adds a card and monthly invoices of the payment sandbox, the last of them a month ago."""
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
    for index, amount in enumerate(cents):
        await connection.execute(
            """
            insert into billing.invoices (customer_id, reference, number, description, amount_cents, status, issued_at)
            select id, $1 || '_' || $2::int, 1000, 'Sample invoice, not charged', $3, 'paid',
                   now() - make_interval(months => $4::int)
              from billing.customers where reference = $1
            """,
            customer, index, amount, len(cents) - index,
        )  # fmt: skip
