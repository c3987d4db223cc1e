"""Each test process starts one PostgreSQL server, and each test gets a clone of its migrated database."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from cairn.auth import constant_time
from cairn.db import Database, EmbeddedPostgres, migrate
from cairn.jobs import OutboxNotifier
from cairn.waivers import DocumentContext, Seal
from tests.factories import make_session, sign
from tests.people import Person, hire, sign_up
from tests.running_worker import document_context_in
from tools.runner_reports import ROW_PROPERTY, TEST_PROPERTY

# The ASGI transport of httpx tries to import this package for every request. It is not installed, and searching for it
# takes longer than some requests. With None as its entry, the import fails immediately.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type] # the declared type has no None

pytest_plugins = ["tests.immediate_failures", "tests.stolen_time"]

_REPOSITORY = Path(__file__).parent.parent
_clone_numbers = count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Adds the acceptance rows of each test to the report of the run, which `tools.acceptance` reads."""
    for item in items:
        rows = [row for marker in item.iter_markers("accept") for row in marker.args]
        if rows:
            file, function = item.location[0], getattr(item, "originalname", item.name)
            item.user_properties.append((TEST_PROPERTY, f"{file}::{function}"))
            item.user_properties += [(ROW_PROPERTY, row) for row in rows]


@pytest.fixture(autouse=True)
def _without_constant_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the wait of 250 ms that hides who has an account. Tests of the wait are marked with `constant_time`."""
    if request.node.get_closest_marker("constant_time") is None:
        monkeypatch.setattr(constant_time, "MIN_RESPONSE_SECONDS", 0.0)


@pytest_asyncio.fixture(scope="session")
async def cluster(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EmbeddedPostgres]:
    postgres = EmbeddedPostgres(tmp_path_factory.mktemp("cluster"))
    with postgres.running():
        await migrate(postgres.url())
        await _make_cloning_fast(postgres)
        yield postgres


async def _make_cloning_fast(postgres: EmbeddedPostgres) -> None:
    """The databases of tests need not survive a crash, so fsync is turned off. The crash tests start their own server.

    With the second setting the kernel copies the files of a clone, which takes two thirds of the time.
    """
    connection = await asyncpg.connect(postgres.url())
    await connection.execute("alter system set fsync = off")
    await connection.execute("alter system set file_copy_method = clone")
    await connection.execute("select pg_reload_conf()")
    await connection.close()


@pytest_asyncio.fixture
async def database_name(cluster: EmbeddedPostgres) -> AsyncIterator[str]:
    """Clones the migrated database for one test and drops the clone afterwards."""
    name = f"clone_{next(_clone_numbers)}"
    connection = await asyncpg.connect(cluster.url(database="postgres"))
    # The tables are small, so copying their files is faster than writing them to the log.
    await connection.execute(f"create database {name} template cairn strategy file_copy")
    yield name
    await connection.execute(f"drop database {name} with (force)")
    await connection.close()


@pytest.fixture
def admin_url(cluster: EmbeddedPostgres, database_name: str) -> str:
    """Returns a URL that connects as the owner of the database, for actions that no role of the product may perform."""
    return cluster.url(database=database_name)


@pytest.fixture
def login_url(cluster: EmbeddedPostgres, database_name: str) -> str:
    """Returns a URL that connects with the login role of the server."""
    return cluster.url("authenticator", database=database_name)


@pytest_asyncio.fixture
async def notifier(login_url: str) -> AsyncIterator[OutboxNotifier]:
    async with OutboxNotifier(login_url) as notifier:
        yield notifier


@pytest_asyncio.fixture
async def admin(admin_url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(admin_url)
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def database(login_url: str) -> AsyncIterator[Database]:
    async with Database(login_url) as database:
        yield database


@pytest_asyncio.fixture
async def rosa(database: Database) -> Person:
    """Rosa owns Rio Rafting."""
    return await sign_up(database, "rosa@rio-rafting.example", "Rosa Marín", company="Rio Rafting")


@pytest_asyncio.fixture
async def bea(database: Database, rosa: Person) -> Person:
    """Bea works for Rosa."""
    return await hire(database, "bea@rio-rafting.example", "Bea Lindt", by=rosa)


@pytest_asyncio.fixture
async def gil(database: Database) -> Person:
    """Gil is a guest with an account."""
    return await sign_up(database, "gil@example.com", "Gil Okafor", company=None)


@pytest_asyncio.fixture
async def mallory(database: Database) -> Person:
    """Mallory owns a rival company and must see none of Rosa's data."""
    return await sign_up(database, "mallory@rapid-rivals.example", "Mallory Quick", company="Rapid Rivals")


@pytest_asyncio.fixture
async def signed_waiver(database: Database, rosa: Person) -> asyncpg.Record:
    """Gil has signed a waiver of Rosa's company. Returns its row in `signed_waivers`."""
    return await sign(database, await make_session(database, rosa))


@pytest.fixture
def documents(database: Database, tmp_path: Path) -> DocumentContext:
    """Returns a context that renders documents and stores them in this test's folder."""
    return document_context_in(tmp_path / "data", database)


@pytest.fixture
def seal(documents: DocumentContext) -> Seal:
    documents.seal.load()
    return documents.seal


@pytest.fixture(scope="session")
def pdf_tools() -> None:
    """Requires pdfsig, pdftotext and qpdf, which check our documents independently of our own code."""
    _run_tool("tools/pdf-tools")


@pytest.fixture
def root() -> Path:
    return _REPOSITORY


@pytest.fixture(scope="session")
def chromium() -> str:
    """Returns the path of the browser, which `make test` finds with the same script."""
    return _run_tool("tools/chromium")


@pytest.fixture(scope="session")
def pgbouncer_program() -> str:
    """Returns the path of PgBouncer, a connection pooler."""
    return _run_tool("tools/server-program", "pgbouncer")


@pytest.fixture(scope="session")
def nginx_program() -> str:
    """Returns the path of nginx, a reverse proxy."""
    return _run_tool("tools/server-program", "nginx")


def _run_tool(path: str, *arguments: str) -> str:
    """Runs a script that finds a program, and fails the test with the script's message if there is none."""
    process = subprocess.run([path, *arguments], cwd=_REPOSITORY, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        pytest.fail(process.stderr.strip() or f"{path} ended with {process.returncode}")
    return process.stdout.strip()


@pytest.fixture
def clean_environment() -> dict[str, str]:
    """Returns the environment without `CAIRN_` variables, so that local settings do not reach a server under test."""
    return {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
