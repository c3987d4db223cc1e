"""Applies each event of the payment provider exactly once. Events may arrive several times and in any order."""

import logging
from uuid import UUID, uuid5

from cairn.billing import store
from cairn.billing.model import CheckoutPaid, Event, InvoiceState, SubscriptionState, format_dollars
from cairn.db import SERVICE, Connection, Database
from cairn.messaging import add_notification

log = logging.getLogger(__name__)

_NOT_CHARGED = "{amount} could not be charged. Please check your card in Billing & Payment."


async def confirm(database: Database, event: Event) -> bool:
    """Returns whether the event was new.

    An event is applied completely or not at all. If it fails, the provider sends it again.
    """
    if not event.parts:
        return False
    async with database.acting_as(SERVICE) as connection:
        if not await store.add_received_event(connection, event.provider, event.id):
            return False
        for part in event.parts:
            match part:
                case CheckoutPaid():
                    await _apply_payment(connection, event, part)
                case SubscriptionState():
                    customer_id = await store.put_customer(connection, event.provider, part.customer)
                    await store.put_subscription(connection, customer_id, part, event.at)
                case InvoiceState():
                    customer_id = await store.put_customer(connection, event.provider, part.customer)
                    await store.put_invoice(connection, customer_id, part)
                    await _notify_if_unpaid(connection, customer_id, part)
    return True


async def _notify_if_unpaid(connection: Connection, customer_id: UUID, invoice: InvoiceState) -> None:
    """Adds one notification per invoice. The plan continues while the provider retries the payment."""
    company_id = await store.company_of_open_invoice(connection, invoice.reference)
    if company_id is not None:
        await add_notification(
            connection,
            company_id=company_id,
            about=uuid5(customer_id, invoice.reference),
            title="Payment Failed",
            message=_NOT_CHARGED.format(amount=format_dollars(invoice.amount_cents)),
            data={},
        )


async def _apply_payment(connection: Connection, event: Event, paid: CheckoutPaid) -> None:
    checkout = await store.close_checkout(connection, paid.checkout_id, event.provider, event.at)
    if checkout is None:
        log.warning("event %s pays for a checkout that is not open: %s", event.id, paid.checkout_id)
        return
    customer_id = await store.put_customer(connection, event.provider, paid.customer, paid.email)
    if checkout.user_id is not None:
        await store.assign_customer(connection, customer_id, checkout.company_id, checkout.user_id)
    if checkout.plan is None or paid.subscription is None:
        return
    if paid.amount_cents != checkout.amount_cents:
        log.error("event %s pays %s cents for a checkout of %s", event.id, paid.amount_cents, checkout.amount_cents)
        return
    subscription = SubscriptionState(
        paid.customer, paid.subscription, checkout.plan, "active", paid.renews_at, is_ending=False
    )
    await store.put_subscription(connection, customer_id, subscription, event.at)
