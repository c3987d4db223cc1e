"""10A4: an account and a network request a limited number of pages and lists of cards from the payment provider.

10A4 is a finding in docs/security.md.
"""

from collections.abc import Mapping

import pytest

from cairn.billing import BillingSettings
from tests.billing.conftest import BillingClient, BillingClientFactory
from tests.billing.stripe import FakeStripe

CHECKOUT = {"amount": 700, "description": "More waivers"}
CALLS: Mapping[str, dict[str, object]] = {"create-checkout": CHECKOUT, "manage-billing": {}, "payment-methods": {}}


async def count_accepted_calls(client: BillingClient, name: str, caller: str) -> int:
    """Calls the function until it is refused, and returns how many calls were accepted."""
    for number in range(30):
        response = await client.call(name, caller, CALLS[name])
        if response.status_code == 429:
            assert response.json()["code"] == "too_many_checkouts"
            assert response.json()["error"].startswith("Many payment pages were opened")
            assert 0 < int(response.headers["retry-after"]) <= 3600
            return number
        assert response.status_code == 200, response.text
    return 30


@pytest.mark.parametrize("name", CALLS)
async def test_10a4_an_account_calls_the_payment_provider_a_limited_number_of_times(
    make_client: BillingClientFactory, stripe_settings: BillingSettings, stripe: FakeStripe, name: str
) -> None:
    client = make_client(stripe_settings.model_copy(update={"rate_limit_provider_calls_per_account": 6}))
    await client.buy_at_stripe(stripe, "rosa", 2000)

    assert await count_accepted_calls(client, name, "rosa") == 5, "the checkout of the purchase was the first call"
    assert [await count_accepted_calls(client, other, "rosa") for other in CALLS] == [0, 0, 0], (
        "all of them count together"
    )
    assert (await client.call("create-checkout", "mallory", CHECKOUT)).status_code == 200
    await client.http.aclose()


async def test_10a4_all_accounts_of_a_network_together_are_limited(
    make_client: BillingClientFactory, stripe_settings: BillingSettings
) -> None:
    client = make_client(stripe_settings.model_copy(update={"rate_limit_provider_calls_per_network": 5}))

    accepted = [await count_accepted_calls(client, "create-checkout", caller) for caller in ("rosa", "mallory", "anon")]

    assert accepted == [5, 0, 0]
    await client.http.aclose()
