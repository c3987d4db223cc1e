"""Runs the realtime service on a real port with real tokens, and provides clients that send single frames."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
import uvicorn
from starlette.types import ASGIApp

from cairn.auth import AuthSettings, Keyring, new_signing_key
from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.realtime import RealtimeSettings, service
from tests.people import Person
from tests.realtime.client import Client, connected

TokenFor = Callable[..., str]
OpenClient = Callable[..., AbstractAsyncContextManager[Client]]


class Audience(NamedTuple):
    """The clients of a company, of a rival company and of a stranger. None of them has sent a token yet."""

    owner: Client
    rival: Client
    stranger: Client


@pytest.fixture(scope="session")
def keyring() -> Keyring:
    return Keyring(AuthSettings(jwt_secret="a secret of at least thirty-two characters", signing_key=new_signing_key()))


@pytest.fixture
def token_for(keyring: Keyring) -> TokenFor:
    def create_token(person: Person, *, issued_at: datetime | None = None, **claims: object) -> str:
        return keyring.access_token({"sub": str(person.id), "email": person.email, **claims}, issued_at or now())

    return create_token


@pytest.fixture
def settings() -> RealtimeSettings:
    """Returns the default limits. A test that needs other limits overrides this fixture by parametrization."""
    return RealtimeSettings()


@pytest_asyncio.fixture
async def address(
    database: Database, notifier: OutboxNotifier, keyring: Keyring, settings: RealtimeSettings
) -> AsyncIterator[str]:
    app = service(database, notifier=notifier, principal_of=keyring.principal, settings=settings)
    async with serve_app(app) as address:
        yield address


@pytest_asyncio.fixture
async def second_address(login_url: str, keyring: Keyring, settings: RealtimeSettings) -> AsyncIterator[str]:
    """Runs a second server, which shares only the database with the first."""
    async with Database(login_url) as database, OutboxNotifier(login_url) as notifier:
        app = service(database, notifier=notifier, principal_of=keyring.principal, settings=settings)
        async with serve_app(app) as address:
            yield address


@asynccontextmanager
async def serve_app(app: ASGIApp, port: int = 0) -> AsyncIterator[str]:
    """Serves the app on this port, or on a free one, and yields its host and port."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="websockets-sansio"))
        server_task = asyncio.create_task(server.serve([listener]))
        # The listener accepts connections already. The server handles them when it has started.
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await server_task


@pytest.fixture
def open_client(address: str, keyring: Keyring) -> OpenClient:
    """Returns a function that opens clients with only the public project key."""

    def open_client(
        version: str = "2.0.0", *, server: str = address, **options: Any
    ) -> AbstractAsyncContextManager[Client]:
        return connected(server, keyring.anon_key, version, **options)

    return open_client


@pytest_asyncio.fixture
async def client(open_client: OpenClient) -> AsyncIterator[Client]:
    async with open_client() as client:
        yield client


@pytest_asyncio.fixture
async def audience(open_client: OpenClient) -> AsyncIterator[Audience]:
    async with open_client() as owner, open_client() as rival, open_client() as stranger:
        yield Audience(owner, rival, stranger)
