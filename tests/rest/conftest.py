"""The data service as a client meets it; who calls is said by a token that is the person's own name."""

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


class Door:
    """Who may come in, and how often somebody wrote."""

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
def door() -> Door:
    return Door()


@pytest.fixture
def settings() -> RestSettings:
    return RestSettings()


@pytest_asyncio.fixture
async def client(database: Database, door: Door, settings: RestSettings) -> AsyncIterator[Client]:
    """Without any token, until `calling` gives it one."""
    app = service(database, principal_of=door.principal_of, settings=settings, after_write=door.after_write)
    async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as opened:
        yield opened


@pytest.fixture
def calling(door: Door) -> Callable[[Person], dict[str, str]]:
    """The headers by which a person is known."""

    def headers(person: Person) -> dict[str, str]:
        door.tokens[person.email] = person.principal
        return {"Authorization": f"Bearer {person.email}"}

    return headers


ATLAS = RestSettings(schemas=("atlas", "public"), extra_search_path=(), allow_rollback=True, plans=True, max_rows=100)


@pytest_asyncio.fixture(scope="session")
async def atlas_template(cluster: EmbeddedPostgres) -> str:
    """The small world of `atlas.sql`, made once."""
    await clone(cluster, "cairn", "atlas")
    connection = await asyncpg.connect(cluster.url(database="atlas"))
    await connection.execute((Path(__file__).parent / "atlas.sql").read_text())
    await connection.close()
    return "atlas"


@pytest_asyncio.fixture(scope="session")
async def atlas(cluster: EmbeddedPostgres, atlas_template: str) -> AsyncIterator[Client]:
    """One world for all who only look."""
    await clone(cluster, atlas_template, "atlas_to_look_at")
    async with _entering(cluster.url("authenticator", database="atlas_to_look_at"), Door()) as opened:
        yield opened


@pytest_asyncio.fixture(scope="session")
async def atlas_sql(cluster: EmbeddedPostgres, atlas: Client) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """The same world, seen without the service."""
    assert not atlas.is_closed
    connection = await asyncpg.connect(cluster.url(database="atlas_to_look_at"))
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def own_atlas(cluster: EmbeddedPostgres, atlas_template: str, door: Door) -> AsyncIterator[Client]:
    """A world of one's own to change."""
    name = f"atlas_{next(_numbers)}"
    await clone(cluster, atlas_template, name)
    async with _entering(cluster.url("authenticator", database=name), door) as opened:
        yield opened


async def clone(cluster: EmbeddedPostgres, template: str, name: str) -> None:
    connection = await asyncpg.connect(cluster.url(database="postgres"))
    await connection.execute(f"create database {name} template {template}")
    await connection.close()


@asynccontextmanager
async def _entering(url: str, door: Door) -> AsyncIterator[Client]:
    async with Database(url) as database:
        app = service(database, principal_of=door.principal_of, settings=ATLAS, after_write=door.after_write)
        async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as opened:
            yield opened
