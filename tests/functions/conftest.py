"""Defines fixtures for tests of the functions: a client that calls them, and the mail server and worker they need."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import httpx
import pytest
import pytest_asyncio
from asyncpg import Record

from cairn.db import ANON, Database, Principal
from cairn.functions import FunctionsContext
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, sign
from tests.fixture_of import fixture_of
from tests.functions_service import functions_client, make_functions_context
from tests.mail_server import MailServer, running_mail_server
from tests.people import Person
from tests.running_worker import worker_running

SignAndSeal: TypeAlias = Callable[..., Awaitable[tuple[Record, bytes]]]


mail_server = fixture_of(running_mail_server)


@pytest.fixture
def messaging(mail_server: MailServer) -> MessagingSettings:
    """Returns settings with which the functions and the worker send emails to the fixture `mail_server`."""
    return MessagingSettings(smtp=mail_server.settings)


@pytest.fixture
def context(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, messaging: MessagingSettings
) -> FunctionsContext:
    return make_functions_context(database, notifier, documents, messaging=messaging)


@pytest_asyncio.fixture
async def worker(
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    messaging: MessagingSettings,
    documents: DocumentContext,
) -> AsyncIterator[None]:
    """Runs a worker during the test."""
    async with worker_running(database, login_url, notifier, mail=messaging, documents=documents):
        yield


@pytest_asyncio.fixture
async def client(context: FunctionsContext, people: dict[str, Principal]) -> AsyncIterator[httpx.AsyncClient]:
    async with functions_client(context, people) as client:
        yield client


@pytest.fixture
def people(rosa: Person, gil: Person, mallory: Person) -> dict[str, Principal]:
    """Returns the principal of each token. In these tests a token is simply the name of the caller."""
    return {"rosa": rosa.principal, "gil": gil.principal, "mallory": mallory.principal, "anon": ANON}


@pytest.fixture
def sign_and_seal(database: Database, documents: DocumentContext, seal: Seal, rosa: Person) -> SignAndSeal:
    """Returns a function that signs a waiver of Rosa's company and returns its row and its sealed document."""

    async def create(**fields: Any) -> tuple[Record, bytes]:
        waiver = await sign(database, await make_session(database, rosa), **fields)
        await prepare_document(database, documents, seal, waiver["id"])
        document = await documents.find(f"{rosa.company}/{waiver['id']}.pdf")
        assert document is not None
        return waiver, document

    return create
