"""The only SQL here: what asks for the owner of the database."""

from datetime import timedelta
from uuid import UUID

from cairn.db import Connection


async def set_back(connection: Connection, session_id: UUID, by: timedelta) -> None:
    """A sending that nobody has signed, as if made earlier, with everything that tells when.

    A signature keeps the moment at which it was made: not even for samples is one written that says otherwise.
    """
    await connection.execute(
        """
        with sent as (
            update waivers.sessions set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
             where id = $1 and status = 'pending'
            returning id
        ), told as (
            update sent_waivers set sent_at = sent_at - $2::interval where session_id in (select id from sent)
        ), mailed as (
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
    """A card and invoices of the sandbox's, one a month, the last of them a month ago."""
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
    for place, amount in enumerate(cents):
        await connection.execute(
            """
            insert into billing.invoices (customer_id, reference, number, description, amount_cents, status, issued_at)
            select id, $1 || '_' || $2::int, 1000, 'Sample invoice, not charged', $3, 'paid',
                   now() - make_interval(months => $4::int)
              from billing.customers where reference = $1
            """,
            customer, place, amount, len(cents) - place,
        )  # fmt: skip
