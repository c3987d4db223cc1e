"""One subscription a payer: a plan that took another's place ends the other, at the provider too."""

from typing import Any
from uuid import UUID

from cairn.billing import store
from cairn.billing.till import Till
from cairn.db import SERVICE
from cairn.jobs import Job


def jobs(till: Till) -> list[Job]:
    async def end_replaced(facts: dict[str, Any], _is_last_try: bool) -> None:
        await end_replaced_subscriptions(till, UUID(facts["customer_id"]))

    return [Job("end_replaced_subscriptions", "subscription.changed", end_replaced, wait_seconds=5)]


async def end_replaced_subscriptions(till: Till, customer_id: UUID) -> None:
    """Rows follow when the provider tells that it is done."""
    async with till.database.acting_as(SERVICE, read_only=True) as connection:
        replaced = await store.replaced_subscriptions(connection, customer_id, till.provider.name)
    for reference in replaced:
        await till.provider.cancel(reference)
