"""What may be ordered, and what Stripe is asked about cards."""

from datetime import UTC, datetime

import httpx
import pytest

from cairn.billing import BillingSettings, sweep
from cairn.db import Connection
from tests.billing.conftest import Counter, OpenCounter
from tests.billing.stripe import FakeStripe
from tests.cast import Person


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
    in_sandbox: Counter, order: dict[str, object]
) -> None:
    answer = await in_sandbox.call("create-checkout", "rosa", {"description": "Something", **order})

    assert (answer.status_code, answer.json()["code"]) == (400, "parameters_invalid")


@pytest.mark.parametrize("amount", [1, 999_999])
async def test_the_smallest_and_the_largest_amount_are_accepted(in_sandbox: Counter, amount: int) -> None:
    assert await in_sandbox.buys("anon", amount)


async def test_checkouts_are_rate_limited_per_network(open_counter: OpenCounter) -> None:
    counter = open_counter(BillingSettings(rate_limit_checkouts=2))
    for _ in range(2):
        await counter.buys("anon", 2000)

    answer = await counter.call("create-checkout", "anon", {"amount": 2000, "description": "Basic"})

    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_checkouts")
    await counter.client.aclose()


async def test_unpaid_checkouts_are_deleted(in_sandbox: Counter, admin: Connection) -> None:
    for days in (0, 2, 31):
        page = await in_sandbox.buys("anon", 2000)
        await admin.execute(
            "update billing.checkouts set created_at = now() - make_interval(days => $2) where id = $1::text::uuid",
            page.rpartition("/")[2], days,
        )  # fmt: skip

    await sweep(in_sandbox.billing, datetime.now(UTC))

    kept = await admin.fetch("select network is not null as is_traced from billing.checkouts order by created_at")
    assert [row["is_traced"] for row in kept] == [False, True]


async def test_a_company_is_one_customer_at_stripe(at_stripe: Counter, stripe: FakeStripe, rosa: Person) -> None:
    for who, amount in (("rosa", 2000), ("bea", 4000), ("rosa", 700)):
        await at_stripe.buys(who, amount)

    [customer] = stripe.customers.values()
    assert customer["email"] == rosa.email
    assert {session["customer"] for session in stripe.sessions.values()} == {customer["id"]}


async def test_a_visitor_becomes_a_customer_only_by_paying(at_stripe: Counter, stripe: FakeStripe) -> None:
    await at_stripe.buys("anon", 700)
    await at_stripe.buys("anon", 2000)

    once, monthly = stripe.calls
    assert once[2]["customer_creation"] == "always"
    assert once[2]["invoice_creation[enabled]"] == "true"
    assert "customer_creation" not in monthly[2]
    assert stripe.customers == {}


@pytest.mark.accept("BILL-03", "ENT-18")
async def test_cards_are_read_from_stripe_and_the_default_one_is_marked(at_stripe: Counter, stripe: FakeStripe) -> None:
    for amount in (2000, 700):
        await at_stripe.buys("rosa", amount)
        for body in stripe.pays(list(stripe.sessions)[-1]):
            await at_stripe.tells(body)
    [subscription] = stripe.subscriptions.values()

    told = (await at_stripe.call("payment-methods", "bea")).json()["paymentMethods"]

    assert len(told) == 2
    assert {method["id"]: method["isDefault"] for method in told}[subscription["default_payment_method"]]
    assert sum(method["isDefault"] for method in told) == 1
    assert {name: value for name, value in told[0].items() if name not in ("id", "isDefault")} == {
        "brand": "visa", "last4": "4242", "exp_month": 8, "exp_year": 2031,
    }  # fmt: skip


async def test_the_billing_portal_is_stripes(at_stripe: Counter, stripe: FakeStripe) -> None:
    nothing = await at_stripe.call("manage-billing", "rosa")
    await at_stripe.buys("rosa", 2000)

    opened = await at_stripe.call("manage-billing", "rosa")

    assert (nothing.status_code, nothing.json()["code"]) == (404, "nothing_to_manage")
    assert opened.json()["url"] == f"{stripe.url}/p/session/{next(iter(stripe.customers))}"


@pytest.mark.parametrize("name", ["create-checkout", "payment-methods", "manage-billing"])
async def test_an_unreachable_stripe_is_reported(
    at_stripe: Counter, stripe: FakeStripe, open_counter: OpenCounter, name: str
) -> None:
    await at_stripe.buys("rosa", 700)
    assert stripe.customers
    nowhere = {"stripe": {"secret_key": "sk", "webhook_secret": "whsec", "url": "http://127.0.0.1:9"}}
    counter = open_counter(BillingSettings.model_validate(nowhere))

    answer: httpx.Response = await counter.call(name, "rosa", {"amount": 2000, "description": "Basic"})

    assert answer.status_code == 502
    assert answer.json()["error"].endswith("Stripe could not be reached.")
    await counter.client.aclose()


def test_a_secret_key_without_a_webhook_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="belong together"):
        BillingSettings.model_validate({"stripe": {"secret_key": "sk_live"}})
