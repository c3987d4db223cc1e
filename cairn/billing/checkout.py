"""Opens a checkout. The provider is called during the request, because it creates the URL of the payment page."""

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.errors import PlanAlreadyYours, TooManyCheckouts
from cairn.billing.model import PLAN_BY_PRICE, PLAN_TITLES, Buyer, Checkout, Payer
from cairn.db import SERVICE


async def open_checkout(
    billing: BillingContext, payer: Payer | None, amount_cents: int, description: str, network: str
) -> str:
    """Returns the URL of a page on which to pay exactly this amount.

    `network` is the caller's IP network, for the rate limit. No transaction is open while the provider is called.
    """
    checkout = await _add_checkout(billing, payer, amount_cents, description, network)
    buyer = Buyer(await _customer_reference(billing, payer) if payer else None, payer.email if payer else None)
    return await billing.provider.open_checkout(checkout, buyer)


async def _add_checkout(
    billing: BillingContext, payer: Payer | None, amount_cents: int, description: str, network: str
) -> Checkout:
    plan = PLAN_BY_PRICE.get(amount_cents)
    async with billing.database.acting_as(SERVICE) as connection:
        if await store.checkouts_in_the_last_hour(connection, network) >= billing.settings.rate_limit_checkouts:
            raise TooManyCheckouts
        if payer and plan and await store.current_plan(connection, payer) == plan:
            raise PlanAlreadyYours(plan=PLAN_TITLES[plan])
        return await store.add_checkout(
            connection, billing.provider.name, amount_cents, description, payer=payer, network=network
        )


async def _customer_reference(billing: BillingContext, payer: Payer) -> str:
    """Returns the provider's customer id of the payer. It is reused, so that cards and credits stay together."""
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        references = await store.customers_of(connection, payer.owner, billing.provider.name)
    if references:
        return references[0]
    reference = await billing.provider.add_customer(payer)
    async with billing.database.acting_as(SERVICE) as connection:
        customer_id = await store.put_customer(connection, billing.provider.name, reference)
        await store.give_customer(connection, customer_id, payer.company_id, payer.user_id)
    return reference
