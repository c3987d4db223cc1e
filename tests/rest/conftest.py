"""The data service as a client meets it; who calls is said by a token that is the person's own name."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest
import pytest_asyncio

from cairn.db import ANON, SERVICE, Database, Principal
from cairn.kit import Problem
from cairn.rest import RestSettings, service
from tests.cast import Person

Client = httpx.AsyncClient


class NoSuchToken(Problem):
    status, code = 401, "PGRST301"
    message = "No suitable key or wrong key type"


class Door:
    """Who may come in, and how often somebody wrote."""

    def __init__(self) -> None:
        self.tokens: dict[str, Principal] = {"anon": ANON, "service": SERVICE}
        self.writes = 0

    def principal_of(self, token: str) -> Principal:
        if token not in self.tokens:
            raise NoSuchToken
        return self.tokens[token]

    def after_write(self) -> None:
        self.writes += 1


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def settings() -> RestSettings:
    return RestSettings(catalog_reload_seconds=0)


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
