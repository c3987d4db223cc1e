"""Opens a checkout.

The provider is called during the request and not by the worker, because the response needs the URL of its payment page.
"""

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.errors import PlanAlreadyYours, TooManyCheckouts
from cairn.billing.limits import count_provider_call
from cairn.billing.model import PLAN_BY_PRICE, PLAN_TITLES, BillingUser, Checkout
from cairn.db import SERVICE


async def open_checkout(
    billing: BillingContext, user: BillingUser | None, amount_cents: int, description: str, network: str
) -> str:
    """Returns the URL of a page that charges exactly this amount.

    `user` is None for a visitor. `network` is the caller's IP network; the number of checkouts per network is limited.
    No transaction is open while the provider is called.
    """
    await count_provider_call(billing, user, network)
    checkout = await _add_checkout(billing, user, amount_cents, description, network)
    customer = await _customer_reference(billing, user) if user else None
    return await billing.provider.open_checkout(checkout, customer)


async def _add_checkout(
    billing: BillingContext, user: BillingUser | None, amount_cents: int, description: str, network: str
) -> Checkout:
    plan = PLAN_BY_PRICE.get(amount_cents)
    async with billing.database.acting_as(SERVICE) as connection:
        if await store.count_recent_checkouts(connection, network) >= billing.settings.rate_limit_checkouts:
            raise TooManyCheckouts
        if user and plan and await store.current_plan(connection, user) == plan:
            raise PlanAlreadyYours(plan=PLAN_TITLES[plan])
        return await store.add_checkout(
            connection, billing.provider.name, amount_cents, description, user=user, network=network
        )


async def _customer_reference(billing: BillingContext, user: BillingUser) -> str:
    """Returns the provider's id for the customer. It is used again later, so that cards and credits stay together."""
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        references = await store.customers_of(connection, user.owner_id, billing.provider.name)
    if references:
        return references[0]
    reference = await billing.provider.add_customer(user)
    async with billing.database.acting_as(SERVICE) as connection:
        customer_id = await store.put_customer(connection, billing.provider.name, reference)
        await store.assign_customer(connection, customer_id, user.company_id, user.user_id)
    return reference
