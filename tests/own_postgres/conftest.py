"""Starts one server of each PostgreSQL on this machine, on which each test has its own database and owner."""

from collections.abc import Iterator

import pytest

from tests.own_postgres.servers import OwnPostgres, installed_versions, own_postgres


@pytest.fixture(scope="session", params=installed_versions())
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgres]:
    version: str = request.param
    with own_postgres(tmp_path_factory.mktemp("own") / version, installed_versions()[version]) as server:
        yield server
