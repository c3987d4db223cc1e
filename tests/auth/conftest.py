"""The service as the app mounts it: at /auth/v1, behind the gate."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.auth import ApiKeyGate, AuthSettings, Keyring, TextSender, new_signing_key, service
from cairn.db import Database
from cairn.kit import now
from tests.auth.mailbox import Mailbox
from tests.auth.oauth_flow import SITE
from tests.auth.visitor import Visitor
from tests.external.openid import APP_CLIENT_ID, CLIENT_ID, CLIENT_SECRET, OpenIdElsewhere
from tests.external.serving import openid_elsewhere

SIGNING_KEY = new_signing_key()


@pytest.fixture
def settings() -> AuthSettings:
    return AuthSettings.model_validate(
        {"jwt_secret": "a secret of the tests, and of nothing else", "signing_key": SIGNING_KEY}
    )


@pytest.fixture
def keyring(settings: AuthSettings) -> Keyring:
    return Keyring(settings)


@asynccontextmanager
async def visiting(
    database: Database, keyring: Keyring, settings: AuthSettings, texts: TextSender | None = None
) -> AsyncIterator[Visitor]:
    gate = ApiKeyGate(service(database, keyring, settings, texts=texts), keyring, settings.api_key_required)
    transport = httpx.ASGITransport(app=Starlette(routes=[Mount("/auth/v1", gate)]), client=("203.0.113.7", 4711))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://cairn.test/auth/v1", headers={"apikey": keyring.anon_key}
    ) as client:
        yield Visitor(client, keyring.service_key)


@pytest_asyncio.fixture
async def visitor(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    """A client that knows the anonymous key and nothing else."""
    async with visiting(database, keyring, settings) as arrived:
        yield arrived


@pytest_asyncio.fixture
async def impatient(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    """May ask for one mail after the other."""
    hurried = settings.model_copy(update={"smtp_max_frequency": timedelta(milliseconds=1)})
    async with visiting(database, keyring, hurried) as arrived:
        yield arrived


@pytest.fixture
def office(database: Database) -> Mailbox:
    return Mailbox(database)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Moves the clock of the whole room forward."""
    verbs = [file for name, file in sys.modules.items() if name.startswith("cairn.auth.")]
    clocks = [file for file in verbs if getattr(file, "now", None) is now]

    def move(by: timedelta) -> None:
        def moved() -> datetime:
            return now() + by

        for file in clocks:
            monkeypatch.setattr(file, "now", moved)

    return move


@pytest_asyncio.fixture
async def google() -> AsyncIterator[OpenIdElsewhere]:
    async with openid_elsewhere() as provider:
        yield provider


@pytest.fixture
def with_google(settings: AuthSettings, google: OpenIdElsewhere) -> AuthSettings:
    credentials = {
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "further_client_ids": [APP_CLIENT_ID],
        "issuer": google.issuer,
    }
    secrets = {"jwt_secret": settings.jwt_secret, "signing_key": settings.signing_key}
    return AuthSettings.model_validate({**secrets, "site_url": SITE, "google": credentials})


@pytest_asyncio.fixture
async def guest_of_google(database: Database, with_google: AuthSettings) -> AsyncIterator[Visitor]:
    """A visitor of a house that offers Google."""
    async with visiting(database, Keyring(with_google), with_google) as arrived:
        yield arrived


@pytest_asyncio.fixture
async def guest_of_everything(database: Database, with_google: AuthSettings) -> AsyncIterator[Visitor]:
    """Where nothing is switched off."""
    whole = with_google.model_copy(update={"manual_linking": True, "saml": True})
    async with visiting(database, Keyring(whole), whole) as arrived:
        yield arrived
