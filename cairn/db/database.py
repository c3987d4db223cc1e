"""The pool, and the transaction that acts as its caller."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self, TypeAlias

import asyncpg

from cairn.db.connection_lost import ignoring_lost_connection, is_connection_lost
from cairn.db.errors import DatabaseBusy, DatabaseUnreachable
from cairn.db.pipeline import PREPARED_STATEMENTS, Row, Value
from cairn.db.pipeline_pool import POOL_WAIT_SECONDS, PipelinePool
from cairn.db.principal import ASKING, Principal
from cairn.kit import Problem

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"


class Database:
    """A pool logged in as the role that can do nothing but become its callers."""

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
                reset=_leave_clean,
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
        read_only: bool = False,
    ) -> AsyncIterator[Connection]:
        """One transaction under the principal's role and claims; commits at the end, rolls back on any exception.

        `settings` are further transaction-local settings, such as `request.ip`, that policies and triggers may read.
        """
        async with self._connection() as connection:
            try:
                await connection.execute(opening(principal, settings or {}, read_only=read_only))
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
        read_only: bool = False,
    ) -> Row:
        """A whole transaction as the caller, of one statement, in one round trip; its first row, as Postgres writes it.

        Nothing can be decided between the statement and its commit: what must be, belongs into `acting_as`.
        """
        settings = {"role": _role(principal, settings), "request.jwt.claims": principal.claims_json, **settings}
        if read_only:
            settings["transaction_read_only"] = "on"
        else:
            # Rows are written by their keys. Planned while a table is short, reading it whole would be cheaper, and the
            # plan is kept while the table grows.
            settings["enable_seqscan"] = "off"
        # A prepared statement belongs to the role it was planned for: what it may see is part of its plan.
        return await self._pipelines.run(settings, f"{sql} -- {principal.role}", values)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        if self._pool is None:
            raise RuntimeError("the database is used before it was opened")
        try:
            connection = await self._pool.acquire(timeout=POOL_WAIT_SECONDS)
        except TimeoutError as busy:
            raise DatabaseBusy from busy
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


async def _leave_clean(connection: Connection) -> None:
    """Everything we set is local to its transaction, so a finished one leaves nothing to reset."""
    if connection.is_in_transaction():
        await connection.execute("rollback")


async def _roll_back(connection: Connection) -> None:
    # The pool takes a lost connection back at once, so there may be none left to roll back on.
    with ignoring_lost_connection():
        await connection.execute("rollback")


def opening(principal: Principal, settings: Mapping[str, str], *, read_only: bool = False) -> str:
    """BEGIN, role and settings as one simple query, so that identity costs no round trip of its own."""
    settings = {"request.jwt.claims": principal.claims_json, **settings}
    configured = ", ".join(f"set_config({literal(name)}, {literal(value)}, true)" for name, value in settings.items())
    begin = "begin read only" if read_only else "begin"
    return f"{begin}; set local role {_role(principal, settings)}; select {configured}"


def _role(principal: Principal, settings: Mapping[str, str]) -> str:
    """Naming an exact id is a right of its own role, as its policy would slow every list it were part of."""
    asks = principal.role == "authenticated" and '"id":' in settings.get("request.eq", "")
    return ASKING if asks else principal.role


def literal(text: str) -> str:
    """A SQL string literal. Postgres text cannot hold NUL, so that character is dropped."""
    return "'" + text.replace("\x00", "").replace("'", "''") + "'"
