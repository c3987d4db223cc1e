"""Notifies a company with a plan, and the operator, that someone bought another plan with an address of the company."""

import logging
from uuid import UUID

from cairn.billing.context import BillingContext
from cairn.db import SERVICE
from cairn.messaging import add_notification

log = logging.getLogger(__name__)

_NOT_ASSIGNED = (
    "Someone bought a plan with your email address without signing in. Your own plan has not changed. If it was you, "
    "please contact us for a refund, and change your plan in Billing & Payment."
)


async def notify_of_unclaimed_payment(billing: BillingContext, customer_id: UUID, company_id: UUID | None) -> None:
    """Adds one notification for each customer. `company_id` is None for a user without a company."""
    if company_id is not None:
        async with billing.database.acting_as(SERVICE) as connection:
            is_new = await add_notification(
                connection,
                company_id=company_id,
                about=customer_id,
                title="Payment Not Assigned",
                message=_NOT_ASSIGNED,
                data={},
            )
        if not is_new:
            return
    log.warning("customer %s bought a plan with the address of a user who has one; cancel and refund it", customer_id)
