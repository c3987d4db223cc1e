"""These fixtures run the auth service as the app does: at /auth/v1 and behind the check of the project key."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta

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
from tests.external.openid import APP_CLIENT_ID, CLIENT_ID, CLIENT_SECRET, OpenIdProvider
from tests.external.serving import running_openid_provider
from tests.fixture_of import fixture_of

SIGNING_KEY = new_signing_key()

AdvanceClock = Callable[[timedelta], None]
# Opens a visitor of a server. The keyword arguments change settings of the server.
VisitorWith = Callable[..., AbstractAsyncContextManager[Visitor]]


@pytest.fixture
def settings() -> AuthSettings:
    return AuthSettings.model_validate(
        {"jwt_secret": "a secret that only these tests use", "signing_key": SIGNING_KEY, "mailer_codes": True}
    )


@pytest.fixture
def keyring(settings: AuthSettings) -> Keyring:
    return Keyring(settings)


@asynccontextmanager
async def open_visitor(
    database: Database,
    keyring: Keyring,
    settings: AuthSettings,
    text_sender: TextSender | None = None,
    *,
    sends_email: bool = False,
) -> AsyncIterator[Visitor]:
    """Opens a visitor of a server that has no mail server unless `sends_email`. Emails can be read in the mailbox."""
    auth_service = service(database, keyring, settings, text_sender=text_sender, sends_email=sends_email)
    gate = ApiKeyGate(auth_service, keyring, settings.api_key_required)
    transport = httpx.ASGITransport(app=Starlette(routes=[Mount("/auth/v1", gate)]), client=("203.0.113.7", 4711))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://cairn.test/auth/v1", headers={"apikey": keyring.anon_key}
    ) as client:
        yield Visitor(client, keyring.service_key)


@pytest_asyncio.fixture
async def visitor(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    """Returns a visitor who has only the anonymous key."""
    async with open_visitor(database, keyring, settings) as visitor:
        yield visitor


@pytest.fixture
def visitor_with(database: Database, keyring: Keyring, settings: AuthSettings) -> VisitorWith:
    """Returns a function that opens a visitor of a server with changed settings, which are its keyword arguments."""

    def open_with(**changes: object) -> AbstractAsyncContextManager[Visitor]:
        return open_visitor(database, keyring, settings.model_copy(update=changes))

    return open_with


@pytest_asyncio.fixture
async def visitor_without_email_delay(visitor_with: VisitorWith) -> AsyncIterator[Visitor]:
    """Returns a visitor who does not have to wait between two emails."""
    async with visitor_with(smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        yield visitor


@pytest_asyncio.fixture
async def phone_visitor(visitor_with: VisitorWith) -> AsyncIterator[Visitor]:
    """Returns a visitor of a server that sends text messages, who does not have to wait between two of them."""
    without_delay = {"smtp_max_frequency": timedelta(milliseconds=1), "sms_max_frequency": timedelta(milliseconds=1)}
    async with visitor_with(**without_delay, external_phone_enabled=True) as visitor:
        yield visitor


@pytest.fixture
def mailbox(database: Database) -> Mailbox:
    return Mailbox(database)


@pytest.fixture
def advance_clock(monkeypatch: pytest.MonkeyPatch) -> AdvanceClock:
    """Stops the clock of all modules in cairn.auth. Returns a function that sets it ahead of the start of the test.

    A clock that went on would add the time that the steps of a test need on a slow machine.
    """
    auth_modules = [module for name, module in sys.modules.items() if name.startswith("cairn.auth.")]
    modules = [module for module in auth_modules if getattr(module, "now", None) is now]
    start = now()

    def advance(by: timedelta) -> None:
        for module in modules:
            monkeypatch.setattr(module, "now", lambda: start + by)

    advance(timedelta(0))
    return advance


google = fixture_of(running_openid_provider)


@pytest.fixture
def google_settings(settings: AuthSettings, google: OpenIdProvider) -> AuthSettings:
    credentials = {
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "further_client_ids": [APP_CLIENT_ID],
        "issuer": google.issuer,
    }
    secrets = {"jwt_secret": settings.jwt_secret, "signing_key": settings.signing_key}
    return AuthSettings.model_validate({**secrets, "site_url": SITE, "google": credentials})


@pytest_asyncio.fixture
async def visitor_with_google(database: Database, google_settings: AuthSettings) -> AsyncIterator[Visitor]:
    """Returns a visitor of a server that offers sign-in with Google."""
    async with open_visitor(database, Keyring(google_settings), google_settings) as visitor:
        yield visitor


@pytest_asyncio.fixture
async def visitor_with_google_and_saml(database: Database, google_settings: AuthSettings) -> AsyncIterator[Visitor]:
    """Returns a visitor of a server that offers Google, SAML and the linking of identities."""
    all_features = google_settings.model_copy(update={"manual_linking": True, "saml": True})
    async with open_visitor(database, Keyring(all_features), all_features) as visitor:
        yield visitor
