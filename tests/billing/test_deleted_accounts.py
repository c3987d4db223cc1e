"""When an account is deleted, the plan that its owner pays for ends at the payment provider."""

import pytest
import pytest_asyncio

from cairn.billing import end_subscriptions_of, stop_renewals
from cairn.db import Connection
from tests.billing.conftest import BillingClient
from tests.billing.stripe import FakeStripe, Json
from tests.people import Person


@pytest_asyncio.fixture
async def subscriptions(stripe_client: BillingClient, stripe: FakeStripe) -> tuple[Json, Json]:
    """Gil and Rosa each buy a plan. Returns their subscriptions at the provider."""
    for payer in ("gil", "rosa"):
        await stripe_client.buy_at_stripe(stripe, payer, 2000)
    of_gil, of_rosa = stripe.subscriptions.values()
    return of_gil, of_rosa


def statuses(subscriptions: tuple[Json, Json]) -> list[str]:
    return [subscription["status"] for subscription in subscriptions]


@pytest.mark.accept("TRUE-34")
async def test_only_the_subscription_of_the_guest_is_cancelled(
    stripe_client: BillingClient, subscriptions: tuple[Json, Json], gil: Person
) -> None:
    for _ in range(2):
        await end_subscriptions_of(stripe_client.billing, gil.id)

    assert statuses(subscriptions) == ["canceled", "active"]


@pytest.mark.accept("TRUE-36")
async def test_the_renewal_of_a_companys_plan_is_stopped_before_the_plan_is_cancelled(
    stripe_client: BillingClient, subscriptions: tuple[Json, Json], rosa: Person
) -> None:
    of_gil, of_rosa = subscriptions

    for _ in range(2):
        await stop_renewals(stripe_client.billing, rosa.company)
    assert statuses(subscriptions) == ["active", "active"]
    assert (of_gil.get("cancel_at_period_end"), of_rosa["cancel_at_period_end"]) == (False, True)

    for _ in range(2):
        await end_subscriptions_of(stripe_client.billing, rosa.company)
    assert statuses(subscriptions) == ["active", "canceled"]


@pytest.mark.accept("TRUE-36")
async def test_the_sandbox_does_not_renew_the_plan_of_a_company_that_will_be_deleted(
    sandbox_client: BillingClient, admin: Connection, rosa: Person
) -> None:
    await sandbox_client.pay(await sandbox_client.open_checkout("rosa", 2000))

    await stop_renewals(sandbox_client.billing, rosa.company)
    assert await admin.fetchval("select is_ending and status = 'active' from billing.subscriptions")

    await end_subscriptions_of(sandbox_client.billing, rosa.company)
    assert await admin.fetchval("select status from billing.subscriptions") == "ended"
