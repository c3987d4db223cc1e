"""Brings a database to the schema of this version: applies the migrations, then the definitions of the sql/ folders."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TypeVar

import asyncpg

from cairn.db.adopt import adopt_first_edition, is_first_edition
from cairn.db.check_server import check_server
from cairn.db.connect import connect, role_of
from cairn.db.database import Connection
from cairn.db.definitions import apply_definitions, outdated_definitions
from cairn.db.errors import MigrationChanged, SchemaForbidden, SchemaLocked, SchemaTooNew
from cairn.db.fingerprints import check_secrets, record_secrets
from cairn.db.pooler import refuse_transaction_mode
from cairn.db.roles import create_roles, let_service_role_access_all_rows, set_login_password
from cairn.db.schema_files import Migration, expand_directives, shipped_definitions, shipped_migrations
from cairn.db.start_errors import one_line

log = logging.getLogger("cairn.db")
T = TypeVar("T")

# Any number works, as long as all processes that migrate use the same one.
_ADVISORY_LOCK = 20_261_115

# While a change waits for the lock of a busy table, all later queries of that table wait behind it. So the wait is
# short, and the transaction is retried after a pause in which those queries can run.
LOCK_TIMEOUT_MS = 1000
LOCK_ATTEMPTS = 60
LOCK_PAUSE_SECONDS = 1.0


async def migrate(
    admin_url: str,
    *,
    login_password: str | None = None,
    secrets: Mapping[str, Sequence[str]] | None = None,
    accept_other_secrets: bool = False,
) -> list[str]:
    """Applies the missing migrations and definitions, and returns one line for each step.

    `login_password` becomes the password of the role with which the server logs in. `secrets` are described at
    `check_secrets`; the database must not have been used with others, unless `accept_other_secrets` is true.
    """
    migrations = shipped_migrations()
    steps = []
    async with _locked_connection(admin_url) as connection:
        await check_server(connection)
        if not accept_other_secrets:
            await check_secrets(connection, secrets or {})
        if is_first_edition(await _applied_hashes(connection)):
            await _run_in_transaction(connection, lambda: adopt_first_edition(connection, migrations))
            steps.append("the adoption of the first edition")
        if not await _applied_hashes(connection):
            await create_roles(connection)
        for migration in pending_migrations(migrations, await _applied_hashes(connection)):
            await _run_in_transaction(connection, partial(_apply, connection, migration))
            steps.append(migration.name)
        changed_names = await _run_in_transaction(
            connection, lambda: apply_definitions(connection, shipped_definitions())
        )
        if changed_names:
            steps.append(_summary(changed_names))
        await _run_in_transaction(connection, lambda: let_service_role_access_all_rows(connection))
        await record_secrets(connection, secrets or {})
        if login_password is not None:
            await set_login_password(connection, login_password)
    return steps


async def pending_schema_changes(admin_url: str) -> list[str]:
    """Returns the lines that `migrate` would return, without changing the database."""
    connection = await connect(admin_url)
    try:
        applied_hashes = await _applied_hashes(connection)
        if is_first_edition(applied_hashes):
            return ["the adoption of the first edition"]
        pending_names = [migration.name for migration in pending_migrations(shipped_migrations(), applied_hashes)]
        outdated_names = await outdated_definitions(connection, shipped_definitions())
        return [*pending_names, _summary(outdated_names)] if outdated_names else pending_names
    finally:
        await connection.close()


async def has_current_schema(connection: Connection) -> bool:
    """Returns whether exactly the migrations of this version have been applied."""
    return await _applied_hashes(connection) == _shipped_hashes()


@cache
def _shipped_hashes() -> dict[str, str]:
    return {migration.name: migration.sha256 for migration in shipped_migrations()}


def pending_migrations(migrations: Sequence[Migration], applied_hashes: dict[str, str]) -> list[Migration]:
    """Returns the migrations that are not applied yet.

    Raises if the database has migrations that this version does not know, or whose content has changed.
    """
    shipped_names = {migration.name for migration in migrations}
    for name in applied_hashes:
        if name not in shipped_names:
            raise SchemaTooNew(name=name)
    for migration in migrations:
        if applied_hashes.get(migration.name, migration.sha256) != migration.sha256:
            raise MigrationChanged(name=migration.name)
    return [migration for migration in migrations if migration.name not in applied_hashes]


@asynccontextmanager
async def _locked_connection(url: str) -> AsyncIterator[Connection]:
    connection = await connect(url)
    try:
        await refuse_transaction_mode(connection, url)
        await connection.execute("select pg_advisory_lock($1)", _ADVISORY_LOCK)
        yield connection
    except asyncpg.InsufficientPrivilegeError as error:
        raise SchemaForbidden(role=role_of(url), reason=one_line(error)) from error
    finally:
        await connection.close()


async def _run_in_transaction(connection: Connection, step: Callable[[], Awaitable[T]]) -> T:
    """Runs the step in a transaction, and repeats it if it could not get a lock in time."""
    for _ in range(LOCK_ATTEMPTS):
        try:
            async with connection.transaction():
                await connection.execute(f"set local lock_timeout = {LOCK_TIMEOUT_MS}")
                return await step()
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError) as error:
            log.warning("a table is in use, trying again: %s", error)
            await asyncio.sleep(LOCK_PAUSE_SECONDS)
    raise SchemaLocked


async def _applied_hashes(connection: Connection) -> dict[str, str]:
    if await connection.fetchval("select to_regclass('cairn.migrations')") is None:
        return {}
    rows = await connection.fetch("select name, sha256 from cairn.migrations order by name")
    return {row["name"]: row["sha256"] for row in rows}


async def _apply(connection: Connection, migration: Migration) -> None:
    await connection.execute(expand_directives(migration.sql))
    # A migration may have changed search_path for included SQL, so the table is named with its schema.
    await connection.execute(
        "insert into cairn.migrations (name, sha256) values ($1, $2)", migration.name, migration.sha256
    )


def _summary(objects: Sequence[str]) -> str:
    return f"{len(objects)} definitions" if len(objects) > 1 else objects[0]
