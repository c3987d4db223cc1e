"""Contains the SQL for what a real provider would store: cards, and the subscriptions to renew."""

from datetime import datetime

from cairn.billing.model import Plan
from cairn.billing.provider.sandbox.card import Card
from cairn.db import Connection
from cairn.kit import frozen_dataclass


@frozen_dataclass
class SandboxSubscription:
    """A running subscription. `customer` and `reference` are the ids that the sandbox assigned."""

    customer: str
    reference: str
    plan: Plan
    renews_at: datetime
    is_ending: bool


async def save_card(connection: Connection, customer: str, card: Card) -> None:
    """Stores the card and makes it the default, because it was used last."""
    await connection.execute(
        """
        insert into billing.sandbox_cards (customer, brand, last4, exp_month, exp_year)
        values ($1, $2, $3, $4, $5)
        on conflict (customer, brand, last4, exp_month, exp_year) do update set used_at = now()
        """,
        customer, card.brand, card.last4, card.exp_month, card.exp_year,
    )  # fmt: skip


async def cards(connection: Connection, customer: str) -> list[tuple[str, Card]]:
    """Returns each card with its id, the last used one first."""
    rows = await connection.fetch(
        """
        select id, brand, last4, exp_month, exp_year
          from billing.sandbox_cards
         where customer = $1
         order by used_at desc, id
        """,
        customer,
    )
    return [(row["id"], Card(row["brand"], row["last4"], row["exp_month"], row["exp_year"])) for row in rows]


async def running_subscription(connection: Connection, customer: str) -> SandboxSubscription | None:
    return next(iter(await _running_subscriptions(connection, "c.reference = $1", customer)), None)


async def subscription_by_reference(connection: Connection, reference: str) -> SandboxSubscription | None:
    return next(iter(await _running_subscriptions(connection, "s.reference = $1", reference)), None)


async def due_subscriptions(connection: Connection, now: datetime) -> list[SandboxSubscription]:
    return await _running_subscriptions(connection, "s.renews_at <= $1", now)


async def _running_subscriptions(connection: Connection, condition: str, value: object) -> list[SandboxSubscription]:
    rows = await connection.fetch(
        f"""
        select c.reference as customer, s.reference, s.plan, s.renews_at, s.is_ending
          from billing.subscriptions s
          join billing.customers c on c.id = s.customer_id
         where c.provider = 'sandbox' and s.status in ('active', 'past_due') and {condition}
         order by s.created_at desc
        """,
        value,
    )
    return [SandboxSubscription(**row) for row in rows]
