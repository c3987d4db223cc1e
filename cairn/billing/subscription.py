"""One subscription per payer: a new plan ends the previous one, at the provider too."""

from typing import Any
from uuid import UUID

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.db import SERVICE
from cairn.jobs import Job


def jobs(billing: BillingContext) -> list[Job]:
    async def end_replaced(payload: dict[str, Any], _is_last_try: bool) -> None:
        await end_replaced_subscriptions(billing, UUID(payload["customer_id"]))

    return [Job("end_replaced_subscriptions", "subscription.changed", end_replaced, retry_delay_seconds=5)]


async def end_replaced_subscriptions(billing: BillingContext, customer_id: UUID) -> None:
    """Our rows follow when the provider sends the event."""
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        replaced = await store.replaced_subscriptions(connection, customer_id, billing.provider.name)
    for reference in replaced:
        await billing.provider.cancel(reference)
