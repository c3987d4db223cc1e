"""G8: a visitor who buys a plan with the address of another person does not change the plan of that person.

G8 is a finding in docs/security.md.
"""

import logging

import pytest

from cairn.billing import jobs
from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from tests.billing.conftest import BillingClient, plan_of, query_as
from tests.billing.stripe import FakeStripe
from tests.billing.test_allowance import BASIC_PRICE_CENTS, PROFESSIONAL_PRICE_CENTS
from tests.billing.test_events import subscription_statuses
from tests.billing.test_payments import sign_in
from tests.people import Person
from tests.running_worker import worker_running
from tests.waiting import wait_until_true

ALL_JOBS_HAVE_ENDED = """
    select r.id = (select max(e.id) from jobs.events e)
           and not exists (select from jobs.procrastinate_jobs j where j.status in ('todo', 'doing'))
      from jobs.readers r where r.name = 'worker'
"""


async def test_g8_a_plan_that_a_stranger_buys_with_the_address_of_an_owner_does_not_replace_her_plan(
    stripe_client: BillingClient, stripe: FakeStripe, database: Database, login_url: str, notifier: OutboxNotifier,
    admin: Connection, rosa: Person, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    await stripe_client.buy_at_stripe(stripe, "rosa", PROFESSIONAL_PRICE_CENTS, email=rosa.email)
    await stripe_client.buy_at_stripe(stripe, "anon", BASIC_PRICE_CENTS, email=rosa.email)

    with caplog.at_level(logging.WARNING):
        async with worker_running(database, login_url, notifier, extra_jobs=jobs(stripe_client.billing)):
            for _ in range(2):
                await sign_in(admin, rosa, confirmed=True)
            await wait_until_true(admin, ALL_JOBS_HAVE_ENDED)

    assert subscription_statuses(stripe) == ["active", "active"]
    assert await plan_of(admin, rosa) == "professional"
    [notification] = await query_as(database, rosa, "select title, message from notifications")
    assert notification["title"] == "Payment Not Assigned"
    assert "contact us for a refund" in str(notification["message"])
    assert caplog.text.count("cancel and refund it") == 1, "the operator is notified once"


async def test_g8_a_plan_of_a_stranger_does_not_replace_a_plan_whose_payment_is_late_or_paused(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person
) -> None:
    await stripe_client.buy_at_stripe(stripe, "rosa", PROFESSIONAL_PRICE_CENTS, email=rosa.email)
    await stripe_client.buy_at_stripe(stripe, "anon", BASIC_PRICE_CENTS, email=rosa.email)

    for status in ("past_due", "paused"):
        await admin.execute("update billing.subscriptions set status = $1 where plan = 'professional'", status)
        await sign_in(admin, rosa, confirmed=True)

    assert await admin.fetchval("select count(*) from billing.customers where company_id is null") == 1


async def test_g8_of_two_plans_that_visitors_bought_with_one_address_the_first_is_assigned(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person
) -> None:
    for amount in (PROFESSIONAL_PRICE_CENTS, BASIC_PRICE_CENTS):
        await stripe_client.buy_at_stripe(stripe, "anon", amount, email=rosa.email)

    await sign_in(admin, rosa, confirmed=True)

    assert await plan_of(admin, rosa) == "professional"
    assert await admin.fetchval("select count(*) from billing.customers where company_id is null") == 1


async def test_g8_after_the_plan_has_ended_the_payment_of_a_visitor_is_assigned_at_the_next_sign_in(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person
) -> None:
    await stripe_client.buy_at_stripe(stripe, "rosa", BASIC_PRICE_CENTS, email=rosa.email)
    await stripe_client.buy_at_stripe(stripe, "anon", PROFESSIONAL_PRICE_CENTS, email=rosa.email)
    await admin.execute("update billing.subscriptions set status = 'ended' where plan = 'basic'")

    await sign_in(admin, rosa, confirmed=True)

    assert await plan_of(admin, rosa) == "professional"
