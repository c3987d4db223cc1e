"""Defines fixtures for the REST service. The token of a person is simply their email address."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from cairn.auth import BadClaims, BadToken
from cairn.db import ANON, SERVICE, Database, EmbeddedPostgres, Principal
from cairn.rest import RestSettings, service
from tests.people import Person

Client = httpx.AsyncClient
HeadersFor = Callable[[Person], dict[str, str]]
_database_numbers = count(1)


class Callbacks:
    """Provides two callbacks: `principal_of` knows the tokens of a test, and `after_write` counts writes."""

    def __init__(self) -> None:
        self.tokens: dict[str, Principal] = {"anon": ANON, "service": SERVICE}
        self.write_count = 0

    def principal_of(self, token: str) -> Principal:
        if token == "expired":
            raise BadClaims("JWT expired")
        if token not in self.tokens:
            raise BadToken("No suitable key or wrong key type")
        return self.tokens[token]

    def after_write(self) -> None:
        self.write_count += 1


def rest_app(database: Database, callbacks: Callbacks, settings: RestSettings | None = None) -> ASGIApp:
    return service(
        database,
        principal_of=callbacks.principal_of,
        settings=settings or RestSettings(),
        after_write=callbacks.after_write,
    )


def client_for(app: ASGIApp) -> Client:
    return Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test")


async def get_json(client: Client, url: str) -> Any:
    response = await client.get(url)
    assert response.status_code == 200, response.text
    return response.json()


def error_body(code: str, message: str, details: object = None, hint: str | None = None) -> dict[str, object]:
    """Returns the body of the response to a refused request, which always has these four keys."""
    return {"code": code, "message": message, "details": details, "hint": hint}


@pytest.fixture
def callbacks() -> Callbacks:
    return Callbacks()


@pytest.fixture
def settings() -> RestSettings:
    return RestSettings()


@pytest_asyncio.fixture
async def client(database: Database, callbacks: Callbacks, settings: RestSettings) -> AsyncIterator[Client]:
    """Yields a client without a token. `headers_for` returns the headers of a person."""
    async with client_for(rest_app(database, callbacks, settings)) as client:
        yield client


@pytest.fixture
def headers_for(callbacks: Callbacks) -> HeadersFor:
    """Returns a function that returns the Authorization header of a person."""

    def headers(person: Person) -> dict[str, str]:
        callbacks.tokens[person.email] = person.principal
        return {"Authorization": f"Bearer {person.email}"}

    return headers


ATLAS_SETTINGS = RestSettings(
    schemas=("atlas", "public"),
    extra_search_path=(),
    allow_rollback=True,
    plans=True,
    max_rows=100,
    anonymous_patterns=True,
    anonymous_writes=1_000_000,
)


@pytest_asyncio.fixture(scope="session")
async def atlas_template(cluster: EmbeddedPostgres) -> str:
    """Creates a database with the sample schema of `atlas.sql` and returns its name."""
    await clone_database(cluster, "cairn", "atlas")
    connection = await asyncpg.connect(cluster.url(database="atlas"))
    await connection.execute((Path(__file__).parent / "atlas.sql").read_text())
    await connection.close()
    return "atlas"


@pytest_asyncio.fixture(scope="session")
async def atlas(cluster: EmbeddedPostgres, atlas_template: str) -> AsyncIterator[Client]:
    """Yields a client of a sample database that all tests share. Tests do not write to this database."""
    await clone_database(cluster, atlas_template, "atlas_shared")
    async with _atlas_client(cluster.url("authenticator", database="atlas_shared"), Callbacks()) as client:
        yield client


@pytest_asyncio.fixture(scope="session")
async def atlas_sql(cluster: EmbeddedPostgres, atlas: Client) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Yields a direct connection to the shared sample database."""
    assert not atlas.is_closed
    connection = await asyncpg.connect(cluster.url(database="atlas_shared"))
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def writable_atlas(cluster: EmbeddedPostgres, atlas_template: str, callbacks: Callbacks) -> AsyncIterator[Client]:
    """Yields a client of a sample database that only one test uses, so the test may write to the database."""
    name = f"atlas_{next(_database_numbers)}"
    await clone_database(cluster, atlas_template, name)
    async with _atlas_client(cluster.url("authenticator", database=name), callbacks) as client:
        yield client


async def clone_database(cluster: EmbeddedPostgres, template: str, name: str) -> None:
    connection = await asyncpg.connect(cluster.url(database="postgres"))
    await connection.execute(f"create database {name} template {template} strategy file_copy")
    await connection.close()


@asynccontextmanager
async def _atlas_client(url: str, callbacks: Callbacks) -> AsyncIterator[Client]:
    async with Database(url) as database, client_for(rest_app(database, callbacks, ATLAS_SETTINGS)) as client:
        yield client
