"""Opening a checkout: the browser waits for an address that only the provider knows."""

from cairn.billing import store
from cairn.billing.errors import PlanAlreadyYours, TooManyCheckouts
from cairn.billing.model import PRICES, TITLES, Buyer, Checkout, Payer
from cairn.billing.till import Till
from cairn.db import SERVICE


async def open_checkout(till: Till, payer: Payer | None, amount_cents: int, description: str, network: str) -> str:
    """Where to pay exactly this amount. Nobody's transaction is open while the provider thinks."""
    checkout = await _order(till, payer, amount_cents, description, network)
    buyer = Buyer(await _reference(till, payer) if payer else None, payer.email if payer else None)
    return await till.provider.open_checkout(checkout, buyer)


async def _order(till: Till, payer: Payer | None, amount_cents: int, description: str, network: str) -> Checkout:
    plan = PRICES.get(amount_cents)
    async with till.database.acting_as(SERVICE) as connection:
        if await store.checkouts_in_the_last_hour(connection, network) >= till.settings.rate_limit_checkouts:
            raise TooManyCheckouts
        if payer and plan and await store.current_plan(connection, payer) == plan:
            raise PlanAlreadyYours(plan=TITLES[plan])
        return await store.add_checkout(
            connection, till.provider.name, amount_cents, description, payer=payer, network=network
        )


async def _reference(till: Till, payer: Payer) -> str:
    """One customer for all that a company buys, so that cards and credits are found again."""
    async with till.database.acting_as(SERVICE, read_only=True) as connection:
        known = await store.customers_of(connection, payer.owner, till.provider.name)
    if known:
        return known[0]
    reference = await till.provider.add_customer(payer)
    async with till.database.acting_as(SERVICE) as connection:
        customer_id = await store.put_customer(connection, till.provider.name, reference)
        await store.give_customer(connection, customer_id, payer.company_id, payer.user_id)
    return reference
