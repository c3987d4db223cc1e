from datetime import datetime

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.provider import Sandbox
from cairn.db import SERVICE


async def sweep(billing: BillingContext, now: datetime) -> None:
    """Where an order came from is forgotten, later the order that nobody paid; the sandbox lets its months pass.

    Once real money is taken, what was bought with play money ends.
    """
    async with billing.database.acting_as(SERVICE) as connection:
        await store.forget_networks(connection)
        await store.forget_unpaid_checkouts(connection)
        if not isinstance(billing.provider, Sandbox):
            await store.end_sandbox_subscriptions(connection)
    if isinstance(billing.provider, Sandbox):
        await billing.provider.renew(now)
