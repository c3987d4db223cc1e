"""Runs all services and pages in the test process, as `cairn serve` does, with the database of one test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from starlette.types import ASGIApp

from cairn.app import running_app
from cairn.auth import Keyring
from cairn.kit import frozen_dataclass, now
from cairn.settings import Settings, load_settings
from tests.people import Person


@frozen_dataclass
class WholeApp:
    app: ASGIApp
    settings: Settings
    keyring: Keyring

    def token(self, person: Person, **claims: str) -> str:
        return self.keyring.access_token({"sub": str(person.id), "email": person.email, **claims}, now())

    def client(self, address: str = "127.0.0.1") -> httpx.AsyncClient:
        """Returns a client that receives status 500 after an error inside the app, as from a real server."""
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False, client=(address, 50_000))
        return httpx.AsyncClient(transport=transport, base_url=self.settings.auth.site_url)


@asynccontextmanager
async def whole_app(login_url: str, data: Path, **overrides: object) -> AsyncIterator[WholeApp]:
    settings = load_settings(data=data, **overrides)
    async with running_app(settings, login_url) as app:
        yield WholeApp(app, settings, Keyring(settings.auth))
