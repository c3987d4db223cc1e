"""Ensures that a company or user has only one subscription: a new one ends the previous one at the provider."""

from typing import Any
from uuid import UUID

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.unclaimed_payment import notify_of_unclaimed_payment
from cairn.db import SERVICE
from cairn.jobs import Job


def jobs(billing: BillingContext) -> list[Job]:
    async def end_replaced(payload: dict[str, Any], _is_last_try: bool) -> None:
        await end_replaced_subscriptions(billing, UUID(payload["customer_id"]))

    async def notify_unclaimed(payload: dict[str, Any], _is_last_try: bool) -> None:
        company_id = payload.get("company_id")
        await notify_of_unclaimed_payment(billing, UUID(payload["customer_id"]), company_id and UUID(company_id))

    async def stop_all_renewals(payload: dict[str, Any], _is_last_try: bool) -> None:
        await stop_renewals(billing, UUID(payload["company_id"]))

    return [
        Job("billing.stop_renewals", "deletion.requested", stop_all_renewals, retry_delay_seconds=60),
        Job("end_replaced_subscriptions", "subscription.changed", end_replaced, retry_delay_seconds=5),
        Job("notify_of_unclaimed_payment", "payment.unclaimed", notify_unclaimed, retry_delay_seconds=5),
    ]


async def end_subscriptions_of(billing: BillingContext, owner_id: UUID) -> None:
    """Immediately cancels all subscriptions of a company that is deleted, or of a guest whose account is deleted."""
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        references = await store.subscriptions_of(connection, owner_id, billing.provider.name)
    for reference in references:
        await billing.provider.cancel(reference)


async def stop_renewals(billing: BillingContext, company_id: UUID) -> None:
    """Lets the plan of a company that will be deleted end when the paid period is over."""
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        references = await store.subscriptions_of(connection, company_id, billing.provider.name)
    for reference in references:
        await billing.provider.stop_renewal(reference)


async def end_replaced_subscriptions(billing: BillingContext, customer_id: UUID) -> None:
    """Cancels all subscriptions of the company or user that owns this customer, except the newest one.

    The provider then sends the events that update our rows.
    """
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        references = await store.replaced_subscriptions(connection, customer_id, billing.provider.name)
    for reference in references:
        await billing.provider.cancel(reference)
