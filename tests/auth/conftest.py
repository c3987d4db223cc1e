"""The service as the app mounts it: at /auth/v1, behind the gate."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.auth import ApiKeyGate, AuthSettings, Keyring, new_signing_key, service
from cairn.auth import keyring as keyring_room
from cairn.auth import refresh as refresh_room
from cairn.db import Database
from cairn.kit import now
from tests.auth.visitor import Visitor

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
async def visiting(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    gate = ApiKeyGate(service(database, keyring, settings), keyring, settings.api_key_required)
    transport = httpx.ASGITransport(app=Starlette(routes=[Mount("/auth/v1", gate)]), client=("203.0.113.7", 4711))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://cairn.test/auth/v1", headers={"apikey": keyring.anon_key}
    ) as client:
        yield Visitor(client)


@pytest_asyncio.fixture
async def visitor(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    """A client that knows the anonymous key and nothing else."""
    async with visiting(database, keyring, settings) as arrived:
        yield arrived


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Moves the clock forward where it matters to a token: in its check and in its renewal."""

    def move(by: timedelta) -> None:
        def moved() -> datetime:
            return now() + by

        for room in (refresh_room, keyring_room):
            monkeypatch.setattr(room, "now", moved)

    return move
