"""The billing, with Stripe or the sandbox behind it, and the doors through which people and providers come."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn import billing as billing_package
from cairn import functions
from cairn.billing import BillingContext, BillingSettings, open_billing
from cairn.db import ANON, Connection, Database, Principal
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings, open_webhook_sender
from cairn.jobs import OutboxNotifier
from cairn.kit import Problem
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext
from tests.accounts.conftest import accounts, auth_settings
from tests.billing.stripe import KEY, WEBHOOK_SECRET, FakeStripe, running_stripe, signature
from tests.cast import Person
from tests.running_worker import MAIL_KEY_BOX

__all__ = ["accounts", "auth_settings"]

SITE = "https://waivers.example"
SECRET = "a secret of the tests, and of nothing else"


@dataclass(frozen=True, slots=True)
class Counter:
    """Where one pays, and how the world reaches it."""

    billing: BillingContext
    client: httpx.AsyncClient

    async def call(self, name: str, by: str, body: dict[str, object] | None = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {by}"}
        return await self.client.post(f"/functions/v1/{name}", json=body or {}, headers=headers)

    async def buys(self, by: str, amount: int, description: str = "Basic Plan Subscription") -> str:
        answer = await self.call("create-checkout", by, {"amount": amount, "description": description})
        assert answer.status_code == 200, answer.text
        url: str = answer.json()["url"]
        return url

    async def tells(self, body: bytes, signed: str | None = None) -> httpx.Response:
        headers = {b"Stripe-Signature": (signature(body) if signed is None else signed).encode("latin-1")}
        return await self.client.post("/billing/webhook/stripe", content=body, headers=headers)

    async def types(self, page: str, **fields: str) -> httpx.Response:
        """Into the sandbox's page."""
        card = {"number": "4242 4242 4242 4242", "expiry": "12 / 2031", "cvc": "123"}
        return await self.client.post(page, data={**card, **fields})


@pytest.fixture
def people(rosa: Person, bea: Person, gil: Person, mallory: Person) -> dict[str, Principal]:
    named = {"rosa": rosa, "bea": bea, "gil": gil, "mallory": mallory}
    return {"anon": ANON, **{name: person.principal for name, person in named.items()}}


@pytest_asyncio.fixture
async def notifier(login_url: str) -> AsyncIterator[OutboxNotifier]:
    async with OutboxNotifier(login_url) as ringing:
        yield ringing


@pytest_asyncio.fixture
async def stripe() -> AsyncIterator[FakeStripe]:
    async with running_stripe() as place:
        yield place


@pytest.fixture
def stripe_settings(stripe: FakeStripe) -> BillingSettings:
    keys = {"secret_key": KEY, "webhook_secret": WEBHOOK_SECRET, "url": stripe.url}
    return BillingSettings.model_validate({"stripe": keys})


@pytest.fixture
def open_counter(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, people: dict[str, Principal]
) -> "OpenCounter":
    return OpenCounter(database, notifier, documents, people)


@dataclass(frozen=True, slots=True)
class OpenCounter:
    database: Database
    notifier: OutboxNotifier
    documents: DocumentContext
    people: dict[str, Principal]

    def __call__(self, settings: BillingSettings) -> Counter:
        billing = open_billing(self.database, settings, secret=SECRET, site_url=SITE)
        webhook_sender = open_webhook_sender(self.database, IntegrationSettings(), secret=SECRET, site_url=SITE)
        tools = functions.Tools(
            self.database,
            self.notifier,
            self.documents,
            MessagingSettings(),
            MAIL_KEY_BOX,
            "a key",
            billing,
            InquirySettings(),
            webhook_sender,
        )
        calls = functions.service(tools, principal_of=self._principal)
        rooms = [
            Mount("/functions/v1", calls),
            Mount("/billing", billing_package.service(billing, self.notifier.notify)),
        ]
        transport = httpx.ASGITransport(Starlette(routes=rooms))
        return Counter(billing, httpx.AsyncClient(transport=transport, base_url=SITE))

    def _principal(self, token: str) -> Principal:
        """Tokens are the names of people here; what a real token must be is told in tests/auth."""
        if token not in self.people:
            raise Problem
        return self.people[token]


@pytest_asyncio.fixture
async def at_stripe(open_counter: OpenCounter, stripe_settings: BillingSettings) -> AsyncIterator[Counter]:
    counter = open_counter(stripe_settings)
    yield counter
    await counter.client.aclose()


@pytest_asyncio.fixture
async def in_sandbox(open_counter: OpenCounter) -> AsyncIterator[Counter]:
    counter = open_counter(BillingSettings())
    yield counter
    await counter.client.aclose()


async def plan_of(admin: Connection, person: Person) -> str | None:
    plan: str | None = await admin.fetchval("select billing.plan_of($1)", person.company)
    return plan


async def sees(database: Database, person: Person, query: str) -> list[dict[str, object]]:
    """With their own rights."""
    async with database.acting_as(person.principal) as connection:
        return [dict(row) for row in await connection.fetch(query)]
