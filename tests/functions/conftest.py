"""The functions, called as a client calls them."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from cairn.db import ANON, Database, Principal
from cairn.functions import Tools
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext
from tests.cast import Person
from tests.functions_service import functions_app, make_tools
from tests.mail_server import MailServer, running_mail_server


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
    return make_tools(database, notifier, documents, messaging=messaging)


@pytest_asyncio.fixture
async def client(tools: Tools, people: dict[str, Principal]) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(functions_app(tools, people))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn") as client:
        yield client


@pytest.fixture
def people(rosa: Person, gil: Person, mallory: Person) -> dict[str, Principal]:
    return {"rosa": rosa.principal, "gil": gil.principal, "mallory": mallory.principal, "anon": ANON}
