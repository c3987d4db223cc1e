"""Runs all services and pages in the test process, as `cairn serve` does, with the database of one test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from starlette.types import ASGIApp

from cairn.app import running_app
from cairn.auth import Keyring
from cairn.kit import now
from cairn.settings import Settings, load_settings
from tests.cast import Person


@dataclass(frozen=True, slots=True)
class WholeApp:
    app: ASGIApp
    settings: Settings
    keyring: Keyring

    def token(self, person: Person, **claims: str) -> str:
        return self.keyring.access_token({"sub": str(person.id), "email": person.email, **claims}, now())

    def client(self) -> httpx.AsyncClient:
        """An error inside the app becomes a response with status 500, as on a real server."""
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=self.settings.auth.site_url)


@asynccontextmanager
async def whole_app(login_url: str, data: Path, **overrides: object) -> AsyncIterator[WholeApp]:
    settings = load_settings(data=data, **overrides)
    async with running_app(settings, login_url) as app:
        yield WholeApp(app, settings, Keyring(settings.auth))
