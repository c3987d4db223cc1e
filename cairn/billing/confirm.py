"""What the provider confirms becomes true here, once, however often and in whichever order it is told."""

import logging
from uuid import UUID, uuid5

from cairn.billing import store
from cairn.billing.model import Event, InvoiceTold, Paid, SubscriptionTold, dollars
from cairn.db import SERVICE, Connection, Database
from cairn.messaging import add_notification

log = logging.getLogger(__name__)

_NOT_CHARGED = "{amount} could not be charged. Please check your card in Billing & Payment."


async def confirm(database: Database, event: Event) -> bool:
    """Whether it was news. All of an event or nothing: what fails here is told again by the provider."""
    if not event.facts:
        return False
    async with database.acting_as(SERVICE) as connection:
        if not await store.first_time(connection, event.provider, event.id):
            return False
        for fact in event.facts:
            match fact:
                case Paid():
                    await _paid(connection, event, fact)
                case SubscriptionTold():
                    customer_id = await store.put_customer(connection, event.provider, fact.customer)
                    await store.put_subscription(connection, customer_id, fact, event.at)
                case InvoiceTold():
                    customer_id = await store.put_customer(connection, event.provider, fact.customer)
                    await store.put_invoice(connection, customer_id, fact)
                    await _tell_if_unpaid(connection, customer_id, fact)
    return True


async def _tell_if_unpaid(connection: Connection, customer_id: UUID, invoice: InvoiceTold) -> None:
    """Under the notifier, once for each invoice. The plan goes on while the provider tries again."""
    company_id = await store.company_of_open_invoice(connection, invoice.reference)
    if company_id is not None:
        await add_notification(
            connection,
            company_id=company_id,
            about=uuid5(customer_id, invoice.reference),
            title="Payment Failed",
            message=_NOT_CHARGED.format(amount=dollars(invoice.amount_cents)),
            data={},
        )


async def _paid(connection: Connection, event: Event, fact: Paid) -> None:
    checkout = await store.close_checkout(connection, fact.checkout_id, event.provider, event.at)
    if checkout is None:
        log.warning("event %s pays for an order that is not open: %s", event.id, fact.checkout_id)
        return
    customer_id = await store.put_customer(connection, event.provider, fact.customer, fact.email)
    if checkout.user_id is not None:
        await store.give_customer(connection, customer_id, checkout.company_id, checkout.user_id)
    if checkout.plan is None or fact.subscription is None:
        return
    if fact.amount_cents != checkout.amount_cents:
        log.error("event %s pays %s cents for an order of %s", event.id, fact.amount_cents, checkout.amount_cents)
        return
    running = SubscriptionTold(
        fact.customer, fact.subscription, checkout.plan, "active", fact.renews_at, is_ending=False
    )
    await store.put_subscription(connection, customer_id, running, event.at)
