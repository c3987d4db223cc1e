"""Opens a checkout. The provider is called during the request, because only it knows the URL to pay at."""

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.errors import PlanAlreadyYours, TooManyCheckouts
from cairn.billing.model import PRICES, TITLES, Buyer, Checkout, Payer
from cairn.db import SERVICE


async def open_checkout(
    billing: BillingContext, payer: Payer | None, amount_cents: int, description: str, network: str
) -> str:
    """The URL at which to pay exactly this amount. No transaction is open while the provider responds."""
    checkout = await _order(billing, payer, amount_cents, description, network)
    buyer = Buyer(await _reference(billing, payer) if payer else None, payer.email if payer else None)
    return await billing.provider.open_checkout(checkout, buyer)


async def _order(
    billing: BillingContext, payer: Payer | None, amount_cents: int, description: str, network: str
) -> Checkout:
    plan = PRICES.get(amount_cents)
    async with billing.database.acting_as(SERVICE) as connection:
        if await store.checkouts_in_the_last_hour(connection, network) >= billing.settings.rate_limit_checkouts:
            raise TooManyCheckouts
        if payer and plan and await store.current_plan(connection, payer) == plan:
            raise PlanAlreadyYours(plan=TITLES[plan])
        return await store.add_checkout(
            connection, billing.provider.name, amount_cents, description, payer=payer, network=network
        )


async def _reference(billing: BillingContext, payer: Payer) -> str:
    """The provider's customer id. A company keeps one, so that its cards and credits stay together."""
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        known = await store.customers_of(connection, payer.owner, billing.provider.name)
    if known:
        return known[0]
    reference = await billing.provider.add_customer(payer)
    async with billing.database.acting_as(SERVICE) as connection:
        customer_id = await store.put_customer(connection, billing.provider.name, reference)
        await store.give_customer(connection, customer_id, payer.company_id, payer.user_id)
    return reference
