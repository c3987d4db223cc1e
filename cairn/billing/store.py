"""Contains the SQL statements of billing, except those that only the sandbox uses."""

from datetime import datetime
from uuid import UUID

from cairn.billing.model import BillingUser, Checkout, InvoiceState, Plan, SubscriptionState
from cairn.db import Connection


async def signed_in_user(connection: Connection) -> BillingUser | None:
    """Returns the user of this transaction, or None if no one is signed in."""
    row = await connection.fetchrow(
        """
        select user_id, email, company_id, company_name from accounts.me
        """
    )
    return None if row is None else BillingUser(**row)


async def count_recent_checkouts(connection: Connection, network: str) -> int:
    """Counts the checkouts that this network opened in the last hour."""
    count: int = await connection.fetchval(
        "select count(*) from billing.checkouts where network = $1 and created_at > now() - interval '1 hour'", network
    )
    return count


async def add_checkout(
    connection: Connection,
    provider: str,
    amount_cents: int,
    description: str,
    *,
    user: BillingUser | None,
    network: str,
) -> Checkout:
    row = await connection.fetchrow(
        """
        insert into billing.checkouts (provider, amount_cents, description, company_id, user_id, network)
        values ($1, $2, $3, $4, $5, $6)
        returning id, amount_cents, description, plan, company_id, user_id, paid_at is not null as is_paid
        """,
        provider, amount_cents, description, user and user.company_id, user and user.user_id, network,
    )  # fmt: skip
    assert row is not None, "an insert that does not fail returns its row"
    return Checkout(**row)


async def find_checkout(connection: Connection, checkout_id: UUID, provider: str) -> Checkout | None:
    row = await connection.fetchrow(
        """
        select id, amount_cents, description, plan, company_id, user_id, paid_at is not null as is_paid
          from billing.checkouts
         where id = $1 and provider = $2
        """,
        checkout_id, provider,
    )  # fmt: skip
    return None if row is None else Checkout(**row)


async def close_checkout(
    connection: Connection, checkout_id: UUID, provider: str, paid_at: datetime
) -> Checkout | None:
    """Marks the checkout as paid and returns it as it was before. Returns None if it is unknown or already paid."""
    row = await connection.fetchrow(
        """
        update billing.checkouts set paid_at = $3
         where id = $1 and provider = $2 and paid_at is null
        returning id, amount_cents, description, plan, company_id, user_id, false as is_paid
        """,
        checkout_id, provider, paid_at,
    )  # fmt: skip
    return None if row is None else Checkout(**row)


async def customers_of(connection: Connection, owner_id: UUID, provider: str) -> list[str]:
    """Returns the ids of the owner's customers at the provider.

    Customers with a running subscription come first, and newer customers come before older ones.
    """
    rows = await connection.fetch(
        """
        select c.reference
          from billing.customers c
         where c.provider = $2 and (c.company_id = $1 or c.user_id = $1)
         order by exists (select from billing.subscriptions s
                           where s.customer_id = c.id and s.status in ('active', 'past_due')) desc, c.created_at desc
        """,
        owner_id, provider,
    )  # fmt: skip
    return [row["reference"] for row in rows]


async def put_customer(connection: Connection, provider: str, reference: str, email: str | None = None) -> UUID:
    """Adds the customer if it is new. An email address that is already stored is not replaced."""
    customer_id: UUID = await connection.fetchval(
        """
        insert into billing.customers as existing (provider, reference, email)
        values ($1, $2, lower(left($3, 320)))
        on conflict (reference) do update set email = coalesce(existing.email, excluded.email)
        returning id
        """,
        provider, reference, email,
    )  # fmt: skip
    return customer_id


async def assign_customer(connection: Connection, customer_id: UUID, company_id: UUID | None, user_id: UUID) -> None:
    """Assigns the customer to the company, or to the user if there is no company, unless it is already assigned."""
    await connection.execute("select billing.assign_customer($1, $2, $3)", customer_id, company_id, user_id)


async def add_received_event(connection: Connection, provider: str, event_id: str) -> bool:
    """Returns False for a duplicate. A concurrent duplicate waits here until the first one has committed."""
    added: bool | None = await connection.fetchval(
        """
        insert into billing.received_events (provider, id) values ($1, $2) on conflict do nothing returning true
        """,
        provider, event_id,
    )  # fmt: skip
    return added is not None


async def put_subscription(
    connection: Connection, customer_id: UUID, state: SubscriptionState, reported_at: datetime
) -> None:
    """Stores the state of a subscription, as the provider has reported it.

    An older state never replaces a newer one, and an ended subscription stays ended.
    """
    await connection.execute(
        """
        insert into billing.subscriptions as existing
               (customer_id, reference, plan, status, renews_at, is_ending, as_of)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (reference) do update
              set plan = excluded.plan, status = excluded.status, is_ending = excluded.is_ending,
                  renews_at = coalesce(excluded.renews_at, existing.renews_at), as_of = excluded.as_of
            where existing.as_of <= excluded.as_of and existing.status <> 'ended'
        """,
        customer_id, state.reference, state.plan, state.status, state.renews_at, state.is_ending, reported_at,
    )  # fmt: skip


async def put_invoice(connection: Connection, customer_id: UUID, state: InvoiceState) -> None:
    """Stores the invoice. A paid invoice stays paid, even if an older event arrives later.

    The number 1000 is only a placeholder: a trigger sets the next number of the company or user.
    """
    await connection.execute(
        """
        insert into billing.invoices as existing
               (customer_id, reference, number, description, amount_cents, status, issued_at, url)
        values ($1, $2, 1000, $3, $4, $5, $6, $7)
        on conflict (reference) do update
              set status = excluded.status, amount_cents = excluded.amount_cents,
                  url = coalesce(excluded.url, existing.url)
            where existing.status = 'open'
        """,
        customer_id, state.reference, state.description, state.amount_cents, "paid" if state.is_paid else "open",
        state.issued_at, state.url,
    )  # fmt: skip


async def company_of_open_invoice(connection: Connection, reference: str) -> UUID | None:
    """Returns None if the invoice is paid or belongs to no company."""
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


async def current_plan(connection: Connection, user: BillingUser) -> Plan | None:
    """Returns the plan of the company, or of a user who pays for themselves."""
    plan: Plan | None = await connection.fetchval(
        """
        select s.plan
          from billing.subscriptions s
          join billing.customers c on c.id = s.customer_id
         where (c.company_id = $1 or c.user_id = $1) and s.status in ('active', 'past_due')
         order by s.created_at desc
         limit 1
        """,
        user.owner_id,
    )
    return plan


async def replaced_subscriptions(connection: Connection, customer_id: UUID, provider: str) -> list[str]:
    """Returns all running subscriptions of the company or user except the newest one."""
    rows = await connection.fetch(
        """
        select s.reference
          from billing.customers this
          join billing.customers c on c.company_id = this.company_id or c.user_id = this.user_id or c.id = this.id
          join billing.subscriptions s on s.customer_id = c.id
         where this.id = $1 and c.provider = $2 and s.status in ('active', 'past_due')
         order by s.created_at desc
        offset 1
        """,
        customer_id, provider,
    )  # fmt: skip
    return [row["reference"] for row in rows]


async def subscriptions_of(connection: Connection, owner_id: UUID, provider: str) -> list[str]:
    """Returns the running subscriptions for which this company, or this person, pays."""
    rows = await connection.fetch(
        """
        select s.reference
          from billing.customers c
          join billing.subscriptions s on s.customer_id = c.id
         where (c.company_id = $1 or c.user_id = $1) and c.provider = $2
           and s.status in ('active', 'past_due', 'paused')
        """,
        owner_id, provider,
    )  # fmt: skip
    return [row["reference"] for row in rows]


# Ends up to $1 subscriptions of the sandbox, and returns how many these were.
END_SANDBOX_SUBSCRIPTIONS = """
with running as (
    select s.id from billing.subscriptions s join billing.customers c on c.id = s.customer_id
     where c.provider = 'sandbox' and s.status <> 'ended'
     limit $1 for update of s skip locked),
ended as (
    update billing.subscriptions s set status = 'ended' from running where s.id = running.id returning 1)
select count(*) from ended
"""


# Deletes up to $1 checkouts that are still unpaid after 30 days. Even the slowest payment method is faster than that.
DELETE_UNPAID_CHECKOUTS = """
with old as (
    select id from billing.checkouts
     where paid_at is null and created_at < now() - interval '30 days'
     limit $1 for update skip locked),
deleted as (
    delete from billing.checkouts c using old where c.id = old.id returning 1)
select count(*) from deleted
"""

# Deletes the IP networks of up to $1 checkouts after a day, because only the hourly limit needs them.
DELETE_NETWORKS = """
with old as (
    select id from billing.checkouts
     where network is not null and created_at < now() - interval '1 day'
     limit $1 for update skip locked),
changed as (
    update billing.checkouts c set network = null from old where c.id = old.id returning 1)
select count(*) from changed
"""
