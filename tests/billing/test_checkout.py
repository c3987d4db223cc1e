"""A checkout opens at Stripe, which also stores the cards and has a portal."""

from datetime import UTC, datetime

import httpx
import pytest

from cairn.billing import BillingSettings, sweep
from cairn.db import Connection
from tests.billing.conftest import BillingClient, BillingClientFactory
from tests.billing.stripe import FakeStripe
from tests.people import Person


@pytest.mark.parametrize(
    "order",
    [
        {"amount": 0},
        {"amount": -1},
        {"amount": 1_000_000},
        {"amount": 19.99},
        {"amount": "2000"},
        {"amount": True},
        {},
        {"amount": 2000, "description": "  "},
        {"amount": 2000, "description": "x" * 201},
        {"amount": 2000, "description": "two\nlines"},
    ],
    ids=str,
)
async def test_only_whole_amounts_with_a_description_are_accepted(
    sandbox_client: BillingClient, order: dict[str, object]
) -> None:
    response = await sandbox_client.call("create-checkout", "rosa", {"description": "Something", **order})

    assert (response.status_code, response.json()["code"]) == (400, "parameters_invalid")


@pytest.mark.parametrize("amount", [1, 999_999])
async def test_the_smallest_and_the_largest_amount_are_accepted(sandbox_client: BillingClient, amount: int) -> None:
    assert await sandbox_client.open_checkout("anon", amount)


async def test_checkouts_are_rate_limited_per_network(make_client: BillingClientFactory) -> None:
    client = make_client(BillingSettings(rate_limit_checkouts=2))
    for _ in range(2):
        await client.open_checkout("anon", 2000)

    response = await client.call("create-checkout", "anon", {"amount": 2000, "description": "Basic"})

    assert (response.status_code, response.json()["code"]) == (429, "too_many_checkouts")
    await client.http.aclose()


async def test_unpaid_checkouts_are_deleted_after_30_days_and_their_networks_after_one_day(
    sandbox_client: BillingClient, admin: Connection
) -> None:
    for days in (0, 2, 31):
        page = await sandbox_client.open_checkout("anon", 2000)
        await admin.execute(
            "update billing.checkouts set created_at = now() - make_interval(days => $2) where id = $1::text::uuid",
            page.rpartition("/")[2], days,
        )  # fmt: skip

    await sweep(sandbox_client.billing, datetime.now(UTC))

    rows = await admin.fetch("select network is not null as has_network from billing.checkouts order by created_at")
    assert [row["has_network"] for row in rows] == [False, True]


async def test_a_company_is_one_customer_at_stripe(
    stripe_client: BillingClient, stripe: FakeStripe, rosa: Person
) -> None:
    for caller, amount in (("rosa", 2000), ("bea", 4000), ("rosa", 700)):
        await stripe_client.open_checkout(caller, amount)

    [customer] = stripe.customers.values()
    assert customer["email"] == rosa.email
    assert {session["customer"] for session in stripe.sessions.values()} == {customer["id"]}


async def test_a_visitor_becomes_a_customer_only_by_paying(stripe_client: BillingClient, stripe: FakeStripe) -> None:
    await stripe_client.open_checkout("anon", 700)
    await stripe_client.open_checkout("anon", 2000)

    (_, _, single_payment), (_, _, monthly_payment) = stripe.calls
    assert single_payment["customer_creation"] == "always"
    assert single_payment["invoice_creation[enabled]"] == "true"
    assert "customer_creation" not in monthly_payment
    assert stripe.customers == {}


@pytest.mark.accept("BILL-03", "ENT-18")
async def test_cards_are_read_from_stripe_and_the_default_one_is_marked(
    stripe_client: BillingClient, stripe: FakeStripe
) -> None:
    for amount in (2000, 700):
        await stripe_client.buy_at_stripe(stripe, "rosa", amount)
    [subscription] = stripe.subscriptions.values()

    methods = (await stripe_client.call("payment-methods", "bea")).json()["paymentMethods"]

    assert len(methods) == 2
    assert {method["id"]: method["isDefault"] for method in methods}[subscription["default_payment_method"]]
    assert sum(method["isDefault"] for method in methods) == 1
    assert {name: value for name, value in methods[0].items() if name not in ("id", "isDefault")} == {
        "brand": "visa", "last4": "4242", "exp_month": 8, "exp_year": 2031,
    }  # fmt: skip


async def test_manage_billing_opens_the_portal_of_stripe(stripe_client: BillingClient, stripe: FakeStripe) -> None:
    early_response = await stripe_client.call("manage-billing", "rosa")
    await stripe_client.open_checkout("rosa", 2000)

    portal_response = await stripe_client.call("manage-billing", "rosa")

    assert (early_response.status_code, early_response.json()["code"]) == (404, "nothing_to_manage")
    assert portal_response.json()["url"] == f"{stripe.url}/p/session/{next(iter(stripe.customers))}"


@pytest.mark.parametrize("name", ["create-checkout", "payment-methods", "manage-billing"])
async def test_an_unreachable_stripe_is_reported(
    stripe_client: BillingClient, stripe: FakeStripe, make_client: BillingClientFactory, name: str
) -> None:
    await stripe_client.open_checkout("rosa", 700)
    assert stripe.customers
    unreachable_settings = {"stripe": {"secret_key": "sk", "webhook_secret": "whsec", "url": "http://127.0.0.1:9"}}
    client = make_client(BillingSettings.model_validate(unreachable_settings))

    response: httpx.Response = await client.call(name, "rosa", {"amount": 2000, "description": "Basic"})

    assert response.status_code == 502
    assert response.json()["error"].endswith("Stripe could not be reached.")
    await client.http.aclose()


def test_a_secret_key_without_a_webhook_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="belong together"):
        BillingSettings.model_validate({"stripe": {"secret_key": "sk_live"}})
