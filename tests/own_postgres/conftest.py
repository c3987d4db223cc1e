"""Starts a server of each PostgreSQL version on this machine. Each test has its own database and owner."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.own_postgres.servers import OwnPostgres, installed_versions, own_postgres, pgbouncer


@pytest.fixture(scope="session", params=installed_versions())
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgres]:
    version: str = request.param
    with own_postgres(tmp_path_factory.mktemp("own") / version, installed_versions()[version]) as server:
        yield server


@pytest_asyncio.fixture
async def owned_server(server: OwnPostgres) -> AsyncIterator[OwnPostgres]:
    """A server with an empty database whose owner has CREATEROLE but not BYPASSRLS."""
    await server.remove_cairn()
    await server.create_owner("createrole")
    yield server
    await server.remove_cairn()


@pytest.fixture
def session_pooler(owned_server: OwnPostgres, pgbouncer_program: str, tmp_path: Path) -> Iterator[int]:
    """The port of a pooler that keeps a connection for each client."""
    with pgbouncer(pgbouncer_program, tmp_path / "pooler", owned_server, "session") as port:
        yield port


@pytest.fixture
def transaction_pooler(owned_server: OwnPostgres, pgbouncer_program: str, tmp_path: Path) -> Iterator[int]:
    """The port of a pooler that gives a client a connection for each transaction."""
    with pgbouncer(pgbouncer_program, tmp_path / "pooler", owned_server, "transaction") as port:
        yield port
