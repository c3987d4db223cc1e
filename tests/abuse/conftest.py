"""Fixtures for the tests in this folder, which attack the server. Some fixtures come from other test folders."""

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import pytest
import pytest_asyncio

from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.abuse.connections import SLOW_CLIENT_SETTINGS, allow_many_files
from tests.abuse.mail_reports import reports
from tests.abuse.sockets import SOCKET_SETTINGS
from tests.accounts.conftest import accounts, auth_settings
from tests.auth.conftest import (
    advance_clock,
    google,
    google_settings,
    keyring,
    mailbox,
    phone_visitor,
    settings,
    visitor,
    visitor_with,
    visitor_with_google,
    visitor_without_email_delay,
)
from tests.factories import make_session, sign
from tests.functions.conftest import client, context, mail_server, people, worker
from tests.functions.provider_fixtures import messaging, providers
from tests.people import Person, sign_up
from tests.running_worker import worker_running
from tests.serving import RunningServer, serving

RunWorker: TypeAlias = Callable[..., AbstractAsyncContextManager[None]]

__all__ = [
    "accounts",
    "advance_clock",
    "auth_settings",
    "client",
    "context",
    "google",
    "google_settings",
    "keyring",
    "mail_server",
    "mailbox",
    "messaging",
    "people",
    "phone_visitor",
    "providers",
    "reports",
    "settings",
    "visitor",
    "visitor_with",
    "visitor_with_google",
    "visitor_without_email_delay",
    "worker",
]


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Runs `cairn serve` without a worker. Modules that use it are in one xdist group, so that it starts only once."""
    allow_many_files()
    settings = {**SLOW_CLIENT_SETTINGS, **SOCKET_SETTINGS}
    with serving(Path(tmp_path_factory.mktemp("abuse")), worker=False, settings=settings) as running:
        yield running


@pytest_asyncio.fixture
async def sam(database: Database) -> Person:
    """Sam has just signed up a company. His email address is not confirmed, so it may not be his."""
    return await sign_up(database, "sam@stranger.example", "Sam Stranger", company="Sam's Trips", is_confirmed=False)


@pytest_asyncio.fixture
async def sealed_waiver_id(database: Database, documents: DocumentContext, seal: Seal, rosa: Person) -> UUID:
    """Returns the id of a signed waiver of Rosa's company, whose document is ready."""
    waiver_id: UUID = (await sign(database, await make_session(database, rosa)))["id"]
    await prepare_document(database, documents, seal, waiver_id)
    return waiver_id


@pytest.fixture
def mailing_documents(documents: DocumentContext, messaging: MessagingSettings) -> DocumentContext:
    """Returns a document context for a server that has a mail server."""
    return replace(documents, messaging=messaging)


@pytest.fixture
def run_worker(
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    messaging: MessagingSettings,
) -> RunWorker:
    """Returns a function that runs a worker with other settings for emails, for example with lower limits."""

    def run(**changes: Any) -> AbstractAsyncContextManager[None]:
        changed = messaging.model_copy(update=changes)
        return worker_running(database, login_url, notifier, mail=changed, documents=documents)

    return run


@pytest.fixture
def return_before_the_email_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes `send-email` respond without waiting, because no worker sends the email in these tests."""
    monkeypatch.setattr("cairn.functions.email_outcome._WAIT_SECONDS", 0.01)
