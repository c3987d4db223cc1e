"""The connection pools, and transactions that act as their caller."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self, TypeAlias

import asyncpg

from cairn.db.connection_lost import ignoring_lost_connection, is_connection_lost
from cairn.db.errors import DatabaseBusy, DatabaseUnreachable
from cairn.db.pipeline import PREPARED_STATEMENTS, Row, Value
from cairn.db.pipeline_pool import POOL_WAIT_SECONDS, PipelinePool
from cairn.db.principal import Principal
from cairn.db.write_settings import WRITE_SETTINGS
from cairn.kit import Problem

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"


class Database:
    """Connection pools logged in as a role that has no rights except to switch to the roles of callers."""

    def __init__(self, url: str, *, pool_size: int = 8) -> None:
        self.url = url
        self._pool_size = pool_size
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._pipelines = PipelinePool(url, pool_size)

    async def __aenter__(self) -> Self:
        try:
            self._pool = await asyncpg.create_pool(
                self.url,
                min_size=1,
                max_size=self._pool_size,
                command_timeout=60,
                statement_cache_size=PREPARED_STATEMENTS,
                reset=_reset,
            )
        except Exception as error:
            if is_connection_lost(error):
                raise DatabaseUnreachable from error
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pipelines.close()
        if self._pool is not None:
            await self._pool.close()

    @asynccontextmanager
    async def acting_as(
        self,
        principal: Principal,
        settings: Mapping[str, str] | None = None,
        *,
        by_id: bool = False,
        read_only: bool = False,
    ) -> AsyncIterator[Connection]:
        """One transaction under the principal's role and claims; commits at the end, rolls back on any exception.

        `settings` are further transaction-local settings, such as `request.ip`, that policies and triggers may read.
        `by_id` is explained at `Principal.database_role`.
        """
        async with self._connection() as connection:
            try:
                await connection.execute(_begin_sql(principal, settings or {}, by_id=by_id, read_only=read_only))
                yield connection
            except BaseException:
                await _roll_back(connection)
                raise
            await connection.execute("commit")

    async def run_statement(
        self,
        principal: Principal,
        settings: Mapping[str, str],
        sql: str,
        values: Sequence[Value],
        *,
        by_id: bool = False,
        read_only: bool = False,
    ) -> Row:
        """Runs one statement as a whole transaction in one round trip and returns its first row, as text.

        The caller cannot decide anything between the statement and its commit; code that has to uses `acting_as`.
        """
        role = principal.database_role(by_id=by_id)
        settings = {"role": role, "request.jwt.claims": principal.claims_json, **settings}
        settings |= {"transaction_read_only": "on"} if read_only else WRITE_SETTINGS
        # Row-level security makes the plan depend on the role, so each role prepares the statement separately.
        return await self._pipelines.run(settings, f"{sql} -- {role}", values)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        if self._pool is None:
            raise RuntimeError("the database is used before it was opened")
        try:
            connection = await self._pool.acquire(timeout=POOL_WAIT_SECONDS)
        except TimeoutError as timeout:
            raise DatabaseBusy from timeout
        except Exception as error:
            if is_connection_lost(error):
                raise DatabaseUnreachable from error
            raise
        try:
            yield connection
        except Problem:
            raise
        except Exception as error:
            if is_connection_lost(error):
                raise DatabaseUnreachable from error
            raise
        finally:
            with ignoring_lost_connection():
                await self._pool.release(connection)


async def _reset(connection: Connection) -> None:
    """All settings are transaction-local, so a finished transaction leaves nothing to reset."""
    if connection.is_in_transaction():
        await connection.execute("rollback")


async def _roll_back(connection: Connection) -> None:
    # The pool releases a lost connection immediately, so there may be no connection left to roll back.
    with ignoring_lost_connection():
        await connection.execute("rollback")


def _begin_sql(principal: Principal, settings: Mapping[str, str], *, by_id: bool, read_only: bool) -> str:
    """BEGIN, role and settings as one simple query, so that setting the role costs no extra round trip."""
    settings = {"request.jwt.claims": principal.claims_json, **settings}
    configured = ", ".join(f"set_config({literal(name)}, {literal(value)}, true)" for name, value in settings.items())
    begin = "begin read only" if read_only else "begin"
    return f"{begin}; set local role {principal.database_role(by_id=by_id)}; select {configured}"


def literal(text: str) -> str:
    """A SQL string literal. PostgreSQL text cannot contain NUL, so that character is dropped."""
    return "'" + text.replace("\x00", "").replace("'", "''") + "'"
