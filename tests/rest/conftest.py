"""Fixtures for the data service: clients of the ASGI application, whose tokens are email addresses."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.auth import BadClaims, BadToken
from cairn.db import ANON, SERVICE, Database, EmbeddedPostgres, Principal
from cairn.rest import RestSettings, service
from tests.cast import Person

Client = httpx.AsyncClient
_numbers = count(1)


class Callbacks:
    """The functions the service is given: `principal_of` for known tokens, and a counter of committed writes."""

    def __init__(self) -> None:
        self.tokens: dict[str, Principal] = {"anon": ANON, "service": SERVICE}
        self.writes = 0

    def principal_of(self, token: str) -> Principal:
        if token == "expired":
            raise BadClaims("JWT expired")
        if token not in self.tokens:
            raise BadToken("No suitable key or wrong key type")
        return self.tokens[token]

    def after_write(self) -> None:
        self.writes += 1


@pytest.fixture
def callbacks() -> Callbacks:
    return Callbacks()


@pytest.fixture
def settings() -> RestSettings:
    return RestSettings()


@pytest_asyncio.fixture
async def client(database: Database, callbacks: Callbacks, settings: RestSettings) -> AsyncIterator[Client]:
    """A client without a token; `headers_for` returns the headers of a person."""
    app = service(database, principal_of=callbacks.principal_of, settings=settings, after_write=callbacks.after_write)
    async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client:
        yield client


@pytest.fixture
def headers_for(callbacks: Callbacks) -> Callable[[Person], dict[str, str]]:
    """Returns the Authorization header of a person."""

    def headers(person: Person) -> dict[str, str]:
        callbacks.tokens[person.email] = person.principal
        return {"Authorization": f"Bearer {person.email}"}

    return headers


ATLAS = RestSettings(schemas=("atlas", "public"), extra_search_path=(), allow_rollback=True, plans=True, max_rows=100)


@pytest_asyncio.fixture(scope="session")
async def atlas_template(cluster: EmbeddedPostgres) -> str:
    """A database with the sample schema of `atlas.sql`, created once."""
    await clone(cluster, "cairn", "atlas")
    connection = await asyncpg.connect(cluster.url(database="atlas"))
    await connection.execute((Path(__file__).parent / "atlas.sql").read_text())
    await connection.close()
    return "atlas"


@pytest_asyncio.fixture(scope="session")
async def atlas(cluster: EmbeddedPostgres, atlas_template: str) -> AsyncIterator[Client]:
    """A client of the sample database that all reading tests share."""
    await clone(cluster, atlas_template, "atlas_shared")
    async with _client(cluster.url("authenticator", database="atlas_shared"), Callbacks()) as client:
        yield client


@pytest_asyncio.fixture(scope="session")
async def atlas_sql(cluster: EmbeddedPostgres, atlas: Client) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """A direct connection to the shared sample database."""
    assert not atlas.is_closed
    connection = await asyncpg.connect(cluster.url(database="atlas_shared"))
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def own_atlas(cluster: EmbeddedPostgres, atlas_template: str, callbacks: Callbacks) -> AsyncIterator[Client]:
    """A client of a sample database that the test may change."""
    name = f"atlas_{next(_numbers)}"
    await clone(cluster, atlas_template, name)
    async with _client(cluster.url("authenticator", database=name), callbacks) as client:
        yield client


async def clone(cluster: EmbeddedPostgres, template: str, name: str) -> None:
    connection = await asyncpg.connect(cluster.url(database="postgres"))
    await connection.execute(f"create database {name} template {template}")
    await connection.close()


@asynccontextmanager
async def _client(url: str, callbacks: Callbacks) -> AsyncIterator[Client]:
    async with Database(url) as database:
        app = service(database, principal_of=callbacks.principal_of, settings=ATLAS, after_write=callbacks.after_write)
        async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client:
            yield client
