"""Defines fixtures that run billing with a fake Stripe or with the sandbox, and a client that calls billing."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn import billing as billing_package
from cairn.billing import BillingContext, BillingSettings, open_billing
from cairn.db import ANON, Connection, Database, Principal
from cairn.jobs import OutboxNotifier
from cairn.kit import frozen_dataclass
from cairn.waivers import DocumentContext
from tests.accounts.conftest import accounts, auth_settings
from tests.billing.stripe import API_KEY, WEBHOOK_SECRET, FakeStripe, running_stripe, signature
from tests.fixture_of import fixture_of
from tests.functions_service import functions_app, make_functions_context
from tests.people import Person

__all__ = ["accounts", "auth_settings"]

SITE = "https://waivers.example"
SECRET = "a secret that is only used in tests"


@frozen_dataclass
class BillingClient:
    """Calls the functions as a person, and the billing service as Stripe or as a browser."""

    billing: BillingContext
    http: httpx.AsyncClient

    async def call(self, name: str, caller: str, body: dict[str, object] | None = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {caller}"}
        return await self.http.post(f"/functions/v1/{name}", json=body or {}, headers=headers)

    async def open_checkout(self, caller: str, amount: int, description: str = "Basic Plan Subscription") -> str:
        response = await self.call("create-checkout", caller, {"amount": amount, "description": description})
        assert response.status_code == 200, response.text
        url: str = response.json()["url"]
        return url

    async def send_event(self, body: bytes, stripe_signature: str | None = None) -> httpx.Response:
        header = signature(body) if stripe_signature is None else stripe_signature
        headers = {b"Stripe-Signature": header.encode("latin-1")}
        return await self.http.post("/billing/webhook/stripe", content=body, headers=headers)

    async def buy_at_stripe(
        self, stripe: FakeStripe, caller: str, amount: int, *, email: str = "visitor@example.com"
    ) -> None:
        """Opens a checkout, pays on Stripe's page as `email` and receives the events."""
        await self.open_checkout(caller, amount)
        for body in stripe.pay(list(stripe.sessions)[-1], email):
            await self.send_event(body)

    async def pay(self, page_url: str, **fields: str) -> httpx.Response:
        """Submits the payment page of the sandbox."""
        card = {"number": "4242 4242 4242 4242", "expiry": "12 / 2031", "cvc": "123"}
        return await self.http.post(page_url, data={**card, **fields})


@pytest.fixture
def people(rosa: Person, bea: Person, gil: Person, mallory: Person) -> dict[str, Principal]:
    return {
        "anon": ANON,
        "rosa": rosa.principal,
        "bea": bea.principal,
        "gil": gil.principal,
        "mallory": mallory.principal,
    }


stripe = fixture_of(running_stripe)


@pytest.fixture
def stripe_settings(stripe: FakeStripe) -> BillingSettings:
    keys = {"secret_key": API_KEY, "webhook_secret": WEBHOOK_SECRET, "url": stripe.url}
    return BillingSettings.model_validate({"stripe": keys})


@pytest.fixture
def make_client(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, people: dict[str, Principal]
) -> "BillingClientFactory":
    return BillingClientFactory(database, notifier, documents, people)


@frozen_dataclass
class BillingClientFactory:
    database: Database
    notifier: OutboxNotifier
    documents: DocumentContext
    people: dict[str, Principal]

    def __call__(self, settings: BillingSettings) -> BillingClient:
        billing = open_billing(self.database, settings, secret=SECRET, site_url=SITE)
        context = make_functions_context(self.database, self.notifier, self.documents, billing=billing)
        routes = [
            Mount("/functions/v1", functions_app(context, self.people)),
            Mount("/billing", billing_package.service(billing, self.notifier.notify)),
        ]
        transport = httpx.ASGITransport(Starlette(routes=routes))
        return BillingClient(billing, httpx.AsyncClient(transport=transport, base_url=SITE))


@pytest_asyncio.fixture
async def stripe_client(
    make_client: BillingClientFactory, stripe_settings: BillingSettings
) -> AsyncIterator[BillingClient]:
    client = make_client(stripe_settings)
    yield client
    await client.http.aclose()


@pytest_asyncio.fixture
async def sandbox_client(make_client: BillingClientFactory) -> AsyncIterator[BillingClient]:
    client = make_client(BillingSettings())
    yield client
    await client.http.aclose()


async def plan_of(admin: Connection, person: Person) -> str | None:
    plan: str | None = await admin.fetchval("select billing.plan_of($1)", person.company)
    return plan


async def query_as(database: Database, person: Person, query: str) -> list[dict[str, object]]:
    """Runs the query with the permissions of the person."""
    async with database.acting_as(person.principal) as connection:
        return [dict(row) for row in await connection.fetch(query)]
