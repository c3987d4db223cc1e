"""Signed events of Stripe that do not belong to a complete payment buy nothing and take nothing away."""

import time

import pytest

from cairn.db import SERVICE, Connection, Database
from tests.billing.conftest import BillingClient, plan_of
from tests.billing.stripe import FakeStripe, event
from tests.billing.test_allowance import BASIC_PRICE_CENTS, PROFESSIONAL_PRICE_CENTS
from tests.people import Person


@pytest.mark.parametrize(
    "change",
    [{"payment_status": "unpaid"}, {"amount_total": 50}, {"currency": "eur"}],
    ids=["not paid yet", "another amount", "another currency"],
)
async def test_a_checkout_that_was_not_paid_as_shown_buys_no_plan(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person, change: dict[str, object]
) -> None:
    await stripe_client.open_checkout("rosa", PROFESSIONAL_PRICE_CENTS)
    stripe.pay(next(iter(stripe.sessions)), rosa.email)
    [session] = stripe.sessions.values()

    response = await stripe_client.send_event(event("checkout.session.completed", {**session, **change}))

    assert response.status_code == 200
    assert await plan_of(admin, rosa) is None


async def test_a_checkout_is_paid_only_once(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection
) -> None:
    await stripe_client.buy_at_stripe(stripe, "rosa", BASIC_PRICE_CENTS)
    [session] = stripe.sessions.values()

    await stripe_client.send_event(event("checkout.session.completed", {**session, "subscription": "sub_another"}))

    assert await admin.fetchval("select count(*) from billing.subscriptions") == 1


async def test_a_subscription_that_has_ended_stays_ended(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person
) -> None:
    await stripe_client.buy_at_stripe(stripe, "rosa", BASIC_PRICE_CENTS)
    [subscription] = stripe.subscriptions.values()
    timestamp = int(time.time())
    ended = {**subscription, "status": "canceled"}
    await stripe_client.send_event(event("customer.subscription.deleted", ended, timestamp + 1))

    await stripe_client.send_event(event("customer.subscription.updated", dict(subscription), timestamp + 2))

    assert await plan_of(admin, rosa) is None


async def test_the_customer_of_one_company_is_never_given_to_another(
    stripe_client: BillingClient,
    stripe: FakeStripe,
    database: Database,
    admin: Connection,
    rosa: Person,
    mallory: Person,
) -> None:
    await stripe_client.buy_at_stripe(stripe, "rosa", BASIC_PRICE_CENTS)
    customer = await admin.fetchval("select id from billing.customers")

    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select billing.assign_customer($1, $2, $3)", customer, mallory.company, mallory.id)

    assert (await plan_of(admin, rosa), await plan_of(admin, mallory)) == ("basic", None)
