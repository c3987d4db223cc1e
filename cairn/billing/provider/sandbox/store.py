"""The rows of the sandbox, which a real provider would keep."""

from dataclasses import dataclass
from datetime import datetime

from cairn.billing.model import Plan
from cairn.billing.provider.sandbox.card import Card
from cairn.db import Connection


@dataclass(frozen=True, slots=True)
class Running:
    """A running subscription of the sandbox."""

    customer: str
    reference: str
    plan: Plan
    renews_at: datetime
    is_ending: bool


async def keep_card(connection: Connection, customer: str, card: Card) -> None:
    """Stores the card; the one used last is the default."""
    await connection.execute(
        """
        insert into billing.sandbox_cards (customer, brand, last4, exp_month, exp_year)
        values ($1, $2, $3, $4, $5)
        on conflict (customer, brand, last4, exp_month, exp_year) do update set used_at = now()
        """,
        customer, card.brand, card.last4, card.exp_month, card.exp_year,
    )  # fmt: skip


async def cards(connection: Connection, customer: str) -> list[tuple[str, Card]]:
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


async def running(connection: Connection, customer: str) -> Running | None:
    found = await _running(connection, "c.reference = $1", customer)
    return found[0] if found else None


async def running_as(connection: Connection, reference: str) -> Running | None:
    found = await _running(connection, "s.reference = $1", reference)
    return found[0] if found else None


async def due(connection: Connection, now: datetime) -> list[Running]:
    return await _running(connection, "s.renews_at <= $1", now)


async def _running(connection: Connection, which: str, value: object) -> list[Running]:
    rows = await connection.fetch(
        f"""
        select c.reference as customer, s.reference, s.plan, s.renews_at, s.is_ending
          from billing.subscriptions s
          join billing.customers c on c.id = s.customer_id
         where c.provider = 'sandbox' and s.status in ('active', 'past_due') and {which}
         order by s.created_at desc
        """,
        value,
    )
    return [Running(**row) for row in rows]
