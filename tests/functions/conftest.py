"""The functions, called as a client calls them."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from cairn.billing import BillingSettings, open_billing
from cairn.db import ANON, Database, Principal
from cairn.functions import Tools, service
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings, open_webhook_sender
from cairn.jobs import OutboxNotifier
from cairn.kit import Problem
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext
from tests.cast import Person
from tests.mail_server import MailServer, running_mail_server
from tests.running_worker import MAIL_KEY_BOX

PUSH_KEY = "the public half of a key"


@pytest_asyncio.fixture
async def notifier(login_url: str) -> AsyncIterator[OutboxNotifier]:
    async with OutboxNotifier(login_url) as notifier:
        yield notifier


@pytest_asyncio.fixture
async def mail_server() -> AsyncIterator[MailServer]:
    async with running_mail_server() as server:
        yield server


@pytest.fixture
def messaging(mail_server: MailServer) -> MessagingSettings:
    """The settings of the functions; the worker of a test has its own."""
    return MessagingSettings(smtp=mail_server.settings)


@pytest.fixture
def tools(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, messaging: MessagingSettings
) -> Tools:
    billing = open_billing(database, BillingSettings(), secret="a secret", site_url="http://cairn")
    webhook_sender = open_webhook_sender(database, IntegrationSettings(), secret="a secret", site_url="http://cairn")
    return Tools(
        database, notifier, documents, messaging, MAIL_KEY_BOX, PUSH_KEY, billing, InquirySettings(), webhook_sender
    )


@pytest_asyncio.fixture
async def client(tools: Tools, people: dict[str, Principal]) -> AsyncIterator[httpx.AsyncClient]:
    """The token of a person is their name; tests/auth tests real tokens."""

    def principal_of(token: str) -> Principal:
        if token not in people:
            raise Problem
        return people[token]

    app = service(tools, principal_of=principal_of)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://cairn") as client:
        yield client


@pytest.fixture
def people(rosa: Person, gil: Person, mallory: Person) -> dict[str, Principal]:
    return {"rosa": rosa.principal, "gil": gil.principal, "mallory": mallory.principal, "anon": ANON}
