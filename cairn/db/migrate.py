"""Brings a database to this code's schema: append-only SQL files, one transaction each, under one lock."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import resources
from urllib.parse import urlsplit

import asyncpg

from cairn.db.database import Connection, literal
from cairn.db.errors import DatabaseNotThere, MigrationChanged, SchemaTooNew

# Any fixed number will do; it only has to be the same for every process that migrates.
_LOCK = 20_261_115

# A line that stands for SQL shipped inside an installed package (its version is pinned by our lock file).
_INCLUDE = "-- include "


@dataclass(frozen=True, slots=True)
class Migration:
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    def expanded(self) -> str:
        return "\n".join(_included(line) for line in self.sql.splitlines())


def shipped_migrations() -> list[Migration]:
    """In the order of their numbers."""
    folder = resources.files("cairn.db") / "migrations"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return [Migration(file.name.removesuffix(".sql"), file.read_text("utf-8")) for file in files]


async def migrate(admin_url: str, *, login_password: str | None = None) -> list[str]:
    """Apply what is missing and return its names. `login_password` becomes the password of the server's login role."""
    async with _locked_connection(admin_url) as connection:
        applied = await _applied(connection)
        missing = pending(shipped_migrations(), applied)
        for migration in missing:
            await _apply(connection, migration)
        if login_password is not None:
            await connection.execute(f"alter role authenticator password {literal(login_password)}")
        return [migration.name for migration in missing]


async def missing_migrations(admin_url: str) -> list[str]:
    """What `migrate` would apply now, without applying it."""
    connection = await connect(admin_url)
    try:
        return [migration.name for migration in pending(shipped_migrations(), await _applied(connection))]
    finally:
        await connection.close()


def pending(shipped: Sequence[Migration], applied: dict[str, str]) -> list[Migration]:
    """Refuses a database that knows more than this code, or the same step with another text."""
    known = {migration.name for migration in shipped}
    for name in applied:
        if name not in known:
            raise SchemaTooNew(name=name)
    for migration in shipped:
        if applied.get(migration.name, migration.sha256) != migration.sha256:
            raise MigrationChanged(name=migration.name)
    return [migration for migration in shipped if migration.name not in applied]


async def connect(url: str) -> Connection:
    try:
        return await asyncpg.connect(url, timeout=10)
    except (OSError, asyncpg.PostgresError, TimeoutError) as lost:
        # Never the whole address: it may hold a password.
        place = urlsplit(url).netloc.rpartition("@")[2] or "its unix socket"
        raise DatabaseNotThere(place=place, reason=lost) from lost


@asynccontextmanager
async def _locked_connection(url: str) -> AsyncIterator[Connection]:
    connection = await connect(url)
    try:
        await connection.execute("select pg_advisory_lock($1)", _LOCK)
        yield connection
    finally:
        await connection.close()


async def _applied(connection: Connection) -> dict[str, str]:
    if await connection.fetchval("select to_regclass('cairn.migrations')") is None:
        return {}
    rows = await connection.fetch("select name, sha256 from cairn.migrations order by name")
    return {row["name"]: row["sha256"] for row in rows}


async def _apply(connection: Connection, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(migration.expanded())
        # A migration may have moved search_path for included SQL; the ledger is always addressed in full.
        await connection.execute(
            "insert into cairn.migrations (name, sha256) values ($1, $2)", migration.name, migration.sha256
        )


def _included(line: str) -> str:
    if not line.startswith(_INCLUDE):
        return line
    package, _, path = line.removeprefix(_INCLUDE).strip().partition("/")
    return (resources.files(package) / path).read_text("utf-8")
