"""When the account of a guest is deleted, the plan that the guest pays for ends at the payment provider."""

import pytest

from cairn.billing import end_subscriptions_of
from tests.billing.conftest import BillingClient
from tests.billing.stripe import FakeStripe
from tests.cast import Person


@pytest.mark.accept("TRUE-34")
async def test_only_the_subscription_of_the_guest_is_cancelled(
    stripe_client: BillingClient, stripe: FakeStripe, gil: Person
) -> None:
    for payer in ("gil", "rosa"):
        await stripe_client.buy_at_stripe(stripe, payer, 2000)

    for _ in range(2):
        await end_subscriptions_of(stripe_client.billing, gil.id)

    assert [subscription["status"] for subscription in stripe.subscriptions.values()] == ["canceled", "active"]
