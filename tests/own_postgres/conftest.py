"""Starts one server of each PostgreSQL on this machine, on which each test has its own database and owner."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.own_postgres.servers import OwnPostgres, installed_versions, own_postgres


@pytest.fixture(scope="session", params=installed_versions())
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgres]:
    version: str = request.param
    with own_postgres(tmp_path_factory.mktemp("own") / version, installed_versions()[version]) as server:
        yield server


@pytest_asyncio.fixture
async def owned_server(server: OwnPostgres) -> AsyncIterator[OwnPostgres]:
    """A server with an empty database whose owner has CREATEROLE and not BYPASSRLS."""
    await server.remove_cairn()
    await server.create_owner("createrole")
    yield server
    await server.remove_cairn()
