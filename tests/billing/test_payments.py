"""A company buys a plan at Stripe. Each event that Stripe sends takes effect exactly once."""

import asyncio
import json
import logging
import time

import pytest
from starlette.responses import JSONResponse

from cairn.billing.subscription import end_replaced_subscriptions
from cairn.db import Connection, Database
from tests.billing.conftest import SITE, BillingClient, plan_of, query_as
from tests.billing.stripe import CARD_NUMBER, FakeStripe, event, signature
from tests.billing.test_allowance import BASIC_PRICE_CENTS, PROFESSIONAL_PRICE_CENTS
from tests.people import Person


@pytest.fixture(autouse=True)
async def trials(admin: Connection, rosa: Person, bea: Person, gil: Person, mallory: Person) -> None:
    """Gives everyone a trial, as if they had signed in before."""
    user_ids = [person.id for person in (rosa, bea, gil, mallory)]
    await admin.execute("insert into billing.trials (user_id) select unnest($1::uuid[])", user_ids)


async def subscriber_names(admin: Connection) -> set[str]:
    rows = await admin.fetch(
        "select p.name from billing.trials t join profiles p on p.id = t.user_id where t.subscribed"
    )
    return {row["name"].split()[0] for row in rows}


@pytest.mark.accept("CHECK-04", "CHECK-05")
@pytest.mark.parametrize(
    ("amount", "mode", "interval"),
    [
        (BASIC_PRICE_CENTS, "subscription", "month"),
        (PROFESSIONAL_PRICE_CENTS, "subscription", "month"),
        (999, "payment", None),
    ],
)
async def test_the_checkout_at_stripe_has_exactly_the_amount_that_was_shown(
    stripe_client: BillingClient, stripe: FakeStripe, amount: int, mode: str, interval: str | None
) -> None:
    url = await stripe_client.open_checkout("rosa", amount, "Río & more")

    [session] = stripe.sessions.values()
    form = stripe.calls[-1][2]
    assert url == session["url"]
    assert (session["amount_total"], session["mode"], session["name"]) == (amount, mode, "Río & more")
    assert form["line_items[0][quantity]"] == "1"
    assert form["line_items[0][price_data][currency]"] == "usd"
    assert form.get("line_items[0][price_data][recurring][interval]") == interval
    assert session["cancel_url"] == f"{SITE}/checkout?amount={amount}&description=R%C3%ADo%20%26%20more&returned=yes"


@pytest.mark.accept("CHECK-08")
@pytest.mark.parametrize(
    ("caller", "path"),
    [("rosa", "/dashboard/settings/billing?paid=basic"), ("gil", "/guest-dashboard"), ("anon", "/")],
)
async def test_stripe_returns_each_user_to_their_own_page(
    stripe_client: BillingClient, stripe: FakeStripe, caller: str, path: str
) -> None:
    await stripe_client.open_checkout(caller, BASIC_PRICE_CENTS)

    [session] = stripe.sessions.values()
    assert session["success_url"] == SITE + path


@pytest.mark.accept("BILL-08", "CHECK-06")
async def test_a_confirmed_payment_sets_the_plan_for_the_whole_company(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person
) -> None:
    await stripe_client.open_checkout("rosa", BASIC_PRICE_CENTS)
    [session] = stripe.sessions
    assert await plan_of(admin, rosa) is None, "a checkout is not a payment"

    for body in stripe.pay(session, rosa.email):
        assert (await stripe_client.send_event(body)).json() == {"received": True}

    assert await plan_of(admin, rosa) == "basic"
    assert await subscriber_names(admin) == {"Rosa", "Bea"}


@pytest.mark.accept("BILL-04", "BILL-08")
async def test_repeated_simultaneous_and_reordered_events_count_as_one_payment(
    stripe_client: BillingClient, stripe: FakeStripe, database: Database, admin: Connection, rosa: Person
) -> None:
    await stripe_client.open_checkout("rosa", PROFESSIONAL_PRICE_CENTS)
    bodies = stripe.pay(next(iter(stripe.sessions)), rosa.email)

    responses = await asyncio.gather(
        *(stripe_client.send_event(body) for body in [*reversed(bodies), *bodies, *bodies])
    )

    assert {response.status_code for response in responses} == {200}
    assert await plan_of(admin, rosa) == "professional"
    assert await query_as(database, rosa, "select plan, status, is_ending from subscriptions") == [
        {"plan": "professional", "status": "active", "is_ending": False}
    ]
    assert await query_as(database, rosa, "select number, amount_cents, status from invoices") == [
        {"number": 1000, "amount_cents": 4000, "status": "paid"}
    ]


@pytest.mark.accept("CHECK-05")
async def test_an_amount_that_is_not_the_price_of_a_plan_buys_no_plan(
    stripe_client: BillingClient, stripe: FakeStripe, database: Database, admin: Connection, rosa: Person
) -> None:
    await stripe_client.buy_at_stripe(stripe, "rosa", 999)

    assert await plan_of(admin, rosa) is None
    assert await subscriber_names(admin) == set()
    assert await query_as(database, rosa, "select number, amount_cents from invoices") == [
        {"number": 1000, "amount_cents": 999}
    ]


@pytest.mark.accept("BILL-08")
@pytest.mark.parametrize("defect", ["missing", "another secret", "too old", "another body", "malformed"])
async def test_an_event_without_a_fresh_signature_of_stripe_is_rejected(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person, defect: str
) -> None:
    await stripe_client.open_checkout("rosa", BASIC_PRICE_CENTS)
    body = stripe.pay(next(iter(stripe.sessions)), rosa.email)[1]
    header = {
        "missing": "",
        "another secret": signature(body, secret="whsec_of_mallory"),
        "too old": signature(body, at=time.time() - 301),
        "another body": signature(body + b" "),
        "malformed": "t=²,v1=é",
    }[defect]

    response = await stripe_client.send_event(body, header)

    assert (response.status_code, response.json()["code"]) == (400, "signature_invalid")
    assert await plan_of(admin, rosa) is None


async def test_a_signed_event_that_is_malformed_unknown_or_too_large_changes_nothing(
    stripe_client: BillingClient, admin: Connection
) -> None:
    malformed_bodies = [b"[]", b"{}", b"\xff", event("checkout.session.completed", {"id": "cs_1"})]
    assert [(await stripe_client.send_event(body)).status_code for body in malformed_bodies] == [400] * 4
    assert (await stripe_client.send_event(b" " * 600_000)).status_code == 413
    assert (await stripe_client.send_event(event("charge.refunded", {"id": "ch_1"}))).status_code == 200
    unknown_event = json.loads(event("checkout.session.completed", {}))
    unknown_event["data"]["object"] = {
        "client_reference_id": "6f1e2d3c-0000-4000-8000-000000000000", "payment_status": "paid", "currency": "usd",
        "customer": "cus_unknown", "amount_total": 2000, "subscription": "sub_1",
    }  # fmt: skip
    assert (await stripe_client.send_event(json.dumps(unknown_event).encode())).status_code == 200
    assert await admin.fetchval("select count(*) from billing.subscriptions") == 0


@pytest.mark.accept("CHECK-06")
async def test_a_payment_of_a_visitor_is_assigned_to_the_user_who_confirms_its_address(
    stripe_client: BillingClient,
    stripe: FakeStripe,
    database: Database,
    admin: Connection,
    mallory: Person,
    gil: Person,
) -> None:
    await stripe_client.buy_at_stripe(stripe, "anon", BASIC_PRICE_CENTS, email="Mallory@Rapid-Rivals.example")
    await sign_in(admin, gil, confirmed=True)
    await sign_in(admin, mallory, confirmed=False)
    assert await subscriber_names(admin) == set(), "Gil has another address, and Mallory's is not confirmed yet"

    await sign_in(admin, mallory, confirmed=True)

    assert await plan_of(admin, mallory) == "basic"
    assert await subscriber_names(admin) == {"Mallory"}
    assert await query_as(database, mallory, "select number, amount_cents from invoices") == [
        {"number": 1000, "amount_cents": 2000}
    ]


async def sign_in(admin: Connection, person: Person, *, confirmed: bool) -> None:
    await admin.execute(
        "update auth.users set email_confirmed_at = case when $2 then now() end where id = $1", person.id, confirmed
    )
    await admin.execute("insert into auth.sessions (user_id) values ($1)", person.id)


async def test_invoices_of_a_visitor_are_numbered_after_those_of_the_company(
    stripe_client: BillingClient, stripe: FakeStripe, database: Database, admin: Connection, rosa: Person
) -> None:
    for caller, amount in (("rosa", 700), ("anon", 800), ("anon", 900)):
        await stripe_client.buy_at_stripe(stripe, caller, amount, email=rosa.email)

    await sign_in(admin, rosa, confirmed=True)

    invoices = await query_as(database, rosa, "select number, amount_cents from invoices order by number")
    assert [row["number"] for row in invoices] == [1000, 1001, 1002]
    assert invoices[0]["amount_cents"] == 700


async def test_a_new_plan_ends_the_previous_one_at_stripe(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person
) -> None:
    for amount in (BASIC_PRICE_CENTS, PROFESSIONAL_PRICE_CENTS):
        await stripe_client.buy_at_stripe(stripe, "rosa", amount)
    [customer_id] = [row["id"] for row in await admin.fetch("select id from billing.customers")]

    await end_replaced_subscriptions(stripe_client.billing, customer_id)

    assert [subscription["status"] for subscription in stripe.subscriptions.values()] == ["canceled", "active"]
    [ended_subscription, _] = stripe.subscriptions.values()
    await stripe_client.send_event(event("customer.subscription.deleted", ended_subscription))
    await end_replaced_subscriptions(stripe_client.billing, customer_id)
    assert await plan_of(admin, rosa) == "professional"
    assert await subscriber_names(admin) == {"Rosa", "Bea"}


@pytest.mark.parametrize(
    ("changes", "plan", "subscribers"),
    [
        ({"status": "past_due"}, "basic", {"Rosa", "Bea"}),
        ({"cancel_at_period_end": True}, "basic", {"Rosa", "Bea"}),
        ({"status": "unpaid"}, None, set()),
        ({"status": "canceled"}, None, set()),
    ],
    ids=["past due", "ending", "unpaid", "canceled"],
)
async def test_a_subscription_follows_the_events_of_stripe(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person, changes: dict[str, object],
    plan: str | None, subscribers: set[str],
) -> None:  # fmt: skip
    await stripe_client.buy_at_stripe(stripe, "rosa", BASIC_PRICE_CENTS)
    [subscription] = stripe.subscriptions.values()
    timestamp = int(time.time())
    changed_subscription = {**subscription, **changes}
    older_event = event("customer.subscription.updated", dict(subscription), timestamp - 60)

    await stripe_client.send_event(event("customer.subscription.updated", changed_subscription, timestamp + 1))
    await stripe_client.send_event(older_event)

    assert await plan_of(admin, rosa) == plan
    assert await subscriber_names(admin) == subscribers
    is_ending = await admin.fetchval("select is_ending from billing.subscriptions")
    assert is_ending is bool(changes.get("cancel_at_period_end"))


async def test_events_of_newer_stripe_versions_are_understood(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection
) -> None:
    await stripe_client.open_checkout("rosa", BASIC_PRICE_CENTS)
    stripe.pay(next(iter(stripe.sessions)), "rosa@example.com")
    await stripe_client.send_event(completed_event(stripe))
    [subscription] = stripe.subscriptions.values()
    period_end = subscription.pop("current_period_end")
    subscription["items"]["data"][0]["current_period_end"] = period_end

    await stripe_client.send_event(event("customer.subscription.updated", subscription))

    assert (await admin.fetchval("select renews_at from billing.subscriptions")).timestamp() == period_end


async def test_a_failed_payment_is_shown_until_it_succeeds(
    stripe_client: BillingClient, stripe: FakeStripe, database: Database, rosa: Person
) -> None:
    await stripe_client.open_checkout("rosa", BASIC_PRICE_CENTS)
    *_, paid_event = stripe.pay(next(iter(stripe.sessions)), rosa.email)
    invoice = json.loads(paid_event)["data"]["object"]
    status_query = "select status from invoices"
    await stripe_client.send_event(completed_event(stripe))
    for _ in range(2):
        await stripe_client.send_event(event("invoice.payment_failed", {**invoice, "amount_paid": 0}))
    assert await query_as(database, rosa, status_query) == [{"status": "open"}]
    assert await query_as(database, rosa, "select title, message from notifications") == [
        {
            "title": "Payment Failed",
            "message": "$20.00 could not be charged. Please check your card in Billing & Payment.",
        }
    ]

    await stripe_client.send_event(paid_event)
    await stripe_client.send_event(event("invoice.payment_failed", {**invoice, "amount_paid": 0}))

    assert await query_as(database, rosa, status_query) == [{"status": "paid"}]


def completed_event(stripe: FakeStripe) -> bytes:
    return event("checkout.session.completed", next(iter(stripe.sessions.values())))


async def test_the_same_plan_is_not_sold_twice(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, rosa: Person
) -> None:
    await stripe_client.buy_at_stripe(stripe, "rosa", BASIC_PRICE_CENTS)

    response = await stripe_client.call("create-checkout", "bea", {"amount": BASIC_PRICE_CENTS, "description": "Basic"})

    assert (response.status_code, response.json()["code"]) == (409, "plan_already_yours")
    assert response.json()["error"] == "You already have the Basic plan. Nothing was charged."
    assert await plan_of(admin, rosa) == "basic"
    assert len(stripe.customers) == 1


@pytest.mark.accept("BILL-07")
async def test_our_server_neither_stores_nor_returns_a_card_number_even_if_stripe_sends_it(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    """The real Stripe never sends the number. Here every card in its responses and events contains it."""
    caplog.set_level(logging.DEBUG)
    await stripe_client.open_checkout("rosa", BASIC_PRICE_CENTS)
    for body in stripe.pay(next(iter(stripe.sessions)), "rosa@example.com", reveals_number=True):
        assert CARD_NUMBER in body.decode()
        assert (await stripe_client.send_event(body)).status_code == 200

    response = await stripe_client.call("payment-methods", "rosa")

    [method] = response.json()["paymentMethods"]
    assert (method["brand"], method["last4"]) == ("visa", CARD_NUMBER[-4:])
    assert CARD_NUMBER in repr(stripe.cards), "Stripe has sent the number with this card"
    assert CARD_NUMBER not in response.text + caplog.text
    assert [table for table, rows in (await whole_database(admin)).items() if CARD_NUMBER in rows] == []


@pytest.mark.accept("BILL-07")
async def test_with_stripe_no_page_of_our_server_takes_a_card_number(
    stripe_client: BillingClient, stripe: FakeStripe, admin: Connection
) -> None:
    url = await stripe_client.open_checkout("rosa", BASIC_PRICE_CENTS)
    checkout_id = await admin.fetchval("select id from billing.checkouts")

    page = await stripe_client.http.get(f"/billing/sandbox/{checkout_id}")
    payment = await stripe_client.pay(f"/billing/sandbox/{checkout_id}", number=CARD_NUMBER)

    assert url.startswith(stripe.url), "the card is entered at Stripe"
    assert (page.status_code, payment.status_code) == (404, 404)
    assert [table for table, rows in (await whole_database(admin)).items() if CARD_NUMBER in rows] == []


async def whole_database(admin: Connection) -> dict[str, str]:
    """Returns all rows of each table as text."""
    tables = await admin.fetch(
        """
        select format('%I.%I', schemaname, tablename) as name
          from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')
        """
    )
    return {
        table["name"]: await admin.fetchval(f"select coalesce(string_agg(r::text, ' '), '') from {table['name']} r")
        for table in tables
    }


async def test_an_error_of_stripe_is_reported(stripe_client: BillingClient, stripe: FakeStripe) -> None:
    stripe.fault = JSONResponse({"error": {"message": "Something broke."}}, 500)

    response = await stripe_client.call(
        "create-checkout", "rosa", {"amount": BASIC_PRICE_CENTS, "description": "Basic"}
    )

    assert (response.status_code, response.json()["code"]) == (502, "payment_provider_failed")
    assert response.json()["error"].endswith("Stripe answered 500: Something broke.")
