"""All SQL of billing except the sandbox's."""

from datetime import datetime
from uuid import UUID

from cairn.billing.model import Checkout, InvoiceState, Payer, Plan, SubscriptionState
from cairn.db import Connection


async def payer(connection: Connection) -> Payer | None:
    """The caller of this transaction, read with the caller's rights."""
    row = await connection.fetchrow(
        """
        select user_id, email, company_id, company_name from accounts.me
        """
    )
    return None if row is None else Payer(**row)


async def checkouts_in_the_last_hour(connection: Connection, network: str) -> int:
    count: int = await connection.fetchval(
        "select count(*) from billing.checkouts where network = $1 and created_at > now() - interval '1 hour'", network
    )
    return count


async def add_checkout(
    connection: Connection, provider: str, amount_cents: int, description: str, *, payer: Payer | None, network: str
) -> Checkout:
    row = await connection.fetchrow(
        """
        insert into billing.checkouts (provider, amount_cents, description, company_id, user_id, network)
        values ($1, $2, $3, $4, $5, $6)
        returning id, amount_cents, description, plan, company_id, user_id, paid_at is not null as is_paid
        """,
        provider, amount_cents, description, payer and payer.company_id, payer and payer.user_id, network,
    )  # fmt: skip
    assert row is not None, "an insert that does not fail returns its row"
    return Checkout(**row)


async def checkout(connection: Connection, checkout_id: UUID, provider: str) -> Checkout | None:
    row = await connection.fetchrow(
        """
        select id, amount_cents, description, plan, company_id, user_id, paid_at is not null as is_paid
          from billing.checkouts
         where id = $1 and provider = $2
        """,
        checkout_id, provider,
    )  # fmt: skip
    return None if row is None else Checkout(**row)


async def close_checkout(connection: Connection, checkout_id: UUID, provider: str, at: datetime) -> Checkout | None:
    """The checkout before it was closed; None if it is unknown or already paid."""
    row = await connection.fetchrow(
        """
        update billing.checkouts set paid_at = $3
         where id = $1 and provider = $2 and paid_at is null
        returning id, amount_cents, description, plan, company_id, user_id, false as is_paid
        """,
        checkout_id, provider, at,
    )  # fmt: skip
    return None if row is None else Checkout(**row)


async def customers_of(connection: Connection, owner: UUID, provider: str) -> list[str]:
    """The provider's customer ids: the one with a running subscription first, then the newest."""
    rows = await connection.fetch(
        """
        select c.reference
          from billing.customers c
         where c.provider = $2 and (c.company_id = $1 or c.user_id = $1)
         order by exists (select from billing.subscriptions s
                           where s.customer_id = c.id and s.status in ('active', 'past_due')) desc, c.created_at desc
        """,
        owner, provider,
    )  # fmt: skip
    return [row["reference"] for row in rows]


async def put_customer(connection: Connection, provider: str, reference: str, email: str | None = None) -> UUID:
    """Adds the customer if it is new. An email address, once known, is kept."""
    customer_id: UUID = await connection.fetchval(
        """
        insert into billing.customers as known (provider, reference, email)
        values ($1, $2, lower(left($3, 320)))
        on conflict (reference) do update set email = coalesce(known.email, excluded.email)
        returning id
        """,
        provider, reference, email,
    )  # fmt: skip
    return customer_id


async def give_customer(connection: Connection, customer_id: UUID, company_id: UUID | None, user_id: UUID) -> None:
    """Assigns the customer to a payer, unless it has one."""
    await connection.execute("select billing.give_customer($1, $2, $3)", customer_id, company_id, user_id)


async def first_time(connection: Connection, provider: str, event_id: str) -> bool:
    """False for a duplicate. A concurrent duplicate waits here until the first one has committed."""
    first: bool | None = await connection.fetchval(
        """
        insert into billing.received_events (provider, id) values ($1, $2) on conflict do nothing returning true
        """,
        provider, event_id,
    )  # fmt: skip
    return first is not None


async def put_subscription(connection: Connection, customer_id: UUID, state: SubscriptionState, at: datetime) -> None:
    """Only a newer state replaces an older one, and an ended subscription stays ended."""
    await connection.execute(
        """
        insert into billing.subscriptions as known (customer_id, reference, plan, status, renews_at, is_ending, as_of)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (reference) do update
              set plan = excluded.plan, status = excluded.status, is_ending = excluded.is_ending,
                  renews_at = coalesce(excluded.renews_at, known.renews_at), as_of = excluded.as_of
            where known.as_of <= excluded.as_of and known.status <> 'ended'
        """,
        customer_id, state.reference, state.plan, state.status, state.renews_at, state.is_ending, at,
    )  # fmt: skip


async def put_invoice(connection: Connection, customer_id: UUID, state: InvoiceState) -> None:
    """A paid invoice stays paid, in whichever order the events arrive."""
    await connection.execute(
        """
        insert into billing.invoices as known
               (customer_id, reference, number, description, amount_cents, status, issued_at, url)
        values ($1, $2, 1000, $3, $4, $5, $6, $7)
        on conflict (reference) do update
              set status = excluded.status, amount_cents = excluded.amount_cents,
                  url = coalesce(excluded.url, known.url)
            where known.status = 'open'
        """,
        customer_id, state.reference, state.description, state.amount_cents, "paid" if state.is_paid else "open",
        state.issued_at, state.url,
    )  # fmt: skip


async def company_of_open_invoice(connection: Connection, reference: str) -> UUID | None:
    """None if the invoice is paid or has no owner yet."""
    company_id: UUID | None = await connection.fetchval(
        """
        select c.company_id
          from billing.invoices i
          join billing.customers c on c.id = i.customer_id
         where i.reference = $1 and i.status = 'open'
        """,
        reference,
    )
    return company_id


async def current_plan(connection: Connection, payer: Payer) -> Plan | None:
    """The plan of the company, or of a person who pays for themselves."""
    plan: Plan | None = await connection.fetchval(
        """
        select s.plan
          from billing.subscriptions s
          join billing.customers c on c.id = s.customer_id
         where (c.company_id = $1 or c.user_id = $1) and s.status in ('active', 'past_due')
         order by s.created_at desc
         limit 1
        """,
        payer.owner,
    )
    return plan


async def replaced_subscriptions(connection: Connection, customer_id: UUID, provider: str) -> list[str]:
    """Running subscriptions of this payer except the newest."""
    rows = await connection.fetch(
        """
        select s.reference
          from billing.customers payer
          join billing.customers c on c.company_id = payer.company_id or c.user_id = payer.user_id or c.id = payer.id
          join billing.subscriptions s on s.customer_id = c.id
         where payer.id = $1 and c.provider = $2 and s.status in ('active', 'past_due')
         order by s.created_at desc
        offset 1
        """,
        customer_id, provider,
    )  # fmt: skip
    return [row["reference"] for row in rows]


async def end_sandbox_subscriptions(connection: Connection) -> None:
    await connection.execute(
        """
        update billing.subscriptions s set status = 'ended'
          from billing.customers c
         where c.id = s.customer_id and c.provider = 'sandbox' and s.status <> 'ended'
        """
    )


async def delete_unpaid_checkouts(connection: Connection) -> None:
    """No provider keeps a checkout open that long, and even the slowest payment method is faster."""
    await connection.execute(
        "delete from billing.checkouts where paid_at is null and created_at < now() - interval '30 days'"
    )


async def delete_networks(connection: Connection) -> None:
    await connection.execute(
        """
        update billing.checkouts set network = null
         where network is not null and created_at < now() - interval '1 day'
        """
    )
