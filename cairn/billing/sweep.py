from datetime import datetime

from cairn.billing import store
from cairn.billing.provider import Sandbox
from cairn.billing.till import Till
from cairn.db import SERVICE


async def sweep(till: Till, now: datetime) -> None:
    """Where an order came from is forgotten, later the order that nobody paid; the sandbox lets its months pass.

    Once real money is taken, what was bought with play money ends.
    """
    async with till.database.acting_as(SERVICE) as connection:
        await store.forget_networks(connection)
        await store.forget_unpaid_checkouts(connection)
        if not isinstance(till.provider, Sandbox):
            await store.end_sandbox_subscriptions(connection)
    if isinstance(till.provider, Sandbox):
        await till.provider.renew(now)
