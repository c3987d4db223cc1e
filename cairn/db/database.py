"""Opens the connection pools and runs transactions with the role and claims of the caller."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from types import TracebackType
from typing import Self, TypeAlias

import asyncpg

from cairn.db.connection_lost import is_connection_lost, write_outage
from cairn.db.errors import DatabaseBusy, DatabaseUnreachable
from cairn.db.pipeline import APPLICATION_NAME, MAX_PREPARED_STATEMENTS, Row, Value
from cairn.db.pipeline_pool import POOL_WAIT_SECONDS, STATEMENT_TIMEOUT_SECONDS, PipelinePool
from cairn.db.pooler import refuse_transaction_mode
from cairn.db.principal import Principal
from cairn.db.start_errors import reporting_start_errors
from cairn.db.write_settings import WRITE_SETTINGS
from cairn.kit import Problem, frozen_dataclass

log = logging.getLogger(__name__)

MAX_CACHED_SQL_LENGTH = 2048
"""asyncpg prepares longer statements each time, because its cache does not limit the memory they take in PostgreSQL."""

_CLOSE_SECONDS = 5.0

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"


@frozen_dataclass
class PoolUse:
    used: int
    limit: int


class Database:
    """Connects as a login role whose only right is to switch to the role of a caller."""

    def __init__(
        self, url: str, *, pooler_url: str | None = None, pool_size: int = 8, extra_connections: int = 0
    ) -> None:
        """Each of the two pools opens at most `pool_size + extra_connections` connections, and only when needed.

        `pooler_url` leads to the same database through a pooler in transaction mode. The pools then use it, and prepare
        no statements: each transaction may run on another connection of the pooler. `url` is for what needs a session.
        """
        self.url = url
        self.pooler_url = pooler_url
        self.pool_size = pool_size
        self.extra_connections = extra_connections
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._pipelines = PipelinePool(
            pooler_url or url, pool_size + extra_connections, prepares_statements=pooler_url is None
        )

    async def __aenter__(self) -> Self:
        with reporting_start_errors(self.pooler_url or self.url):
            self._pool = await asyncpg.create_pool(
                self.pooler_url or self.url,
                min_size=1,
                max_size=self.pool_size + self.extra_connections,
                command_timeout=STATEMENT_TIMEOUT_SECONDS,
                statement_cache_size=MAX_PREPARED_STATEMENTS if self.pooler_url is None else 0,
                max_cacheable_statement_size=MAX_CACHED_SQL_LENGTH,
                reset=_reset,
                server_settings={"application_name": APPLICATION_NAME},
            )
            if self.pooler_url is None:
                async with self._pool.acquire() as connection:
                    await refuse_transaction_mode(connection, self.url)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pipelines.close()
        if self._pool is not None:
            await _close(self._pool)

    def pool_use(self) -> dict[str, PoolUse]:
        """Returns the use of each pool. It may be called in any thread."""
        used = self._pool.get_size() - self._pool.get_idle_size() if self._pool is not None else 0
        limit = self.pool_size + self.extra_connections
        return {"transactions": PoolUse(used, limit), "statements": PoolUse(self._pipelines.used, limit)}

    @asynccontextmanager
    async def acting_as(
        self,
        principal: Principal,
        settings: Mapping[str, str] | None = None,
        *,
        by_id: bool = False,
        read_only: bool = False,
    ) -> AsyncIterator[Connection]:
        """Opens a transaction with the principal's role and claims.

        The transaction is committed at the end, or rolled back on any exception. `settings` are further
        transaction-local settings, such as `request.ip`, that policies and triggers may read.
        `by_id` is explained at `Principal.database_role`.
        """
        async with self._connection(read_only=read_only) as connection:
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
        """Runs a transaction of one statement in one round trip and returns its first row, as text.

        The result cannot be checked before the commit. Code that has to check it uses `acting_as`.
        """
        role = principal.database_role(by_id=by_id)
        settings = {"role": role, "request.jwt.claims": principal.claims_json, **settings}
        settings |= {"transaction_read_only": "on"} if read_only else WRITE_SETTINGS
        # Row-level security makes the plan depend on the role, so each role prepares the statement separately.
        try:
            return await self._pipelines.run(settings, f"{sql} -- {role}", values)
        except asyncpg.PostgresError as error:
            raise write_outage(error, read_only=read_only) or error from error

    @asynccontextmanager
    async def _connection(self, *, read_only: bool) -> AsyncIterator[Connection]:
        if self._pool is None:
            raise RuntimeError("the database is used before it was opened")
        with _reporting_outages(read_only=read_only):
            try:
                connection = await self._pool.acquire(timeout=POOL_WAIT_SECONDS)
            except TimeoutError as timeout:
                raise DatabaseBusy from timeout
            try:
                yield connection
            finally:
                await _release(self._pool, connection)


async def _close(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    """Waits a few seconds for the connections that are in use, then closes them too."""
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await pool.close()
    except TimeoutError:
        pool.terminate()


@contextmanager
def _reporting_outages(*, read_only: bool) -> Iterator[None]:
    try:
        yield
    except Problem:
        raise
    except Exception as error:
        if is_connection_lost(error):
            raise DatabaseUnreachable from error
        outage = write_outage(error, read_only=read_only)
        if outage is not None:
            raise outage from error
        raise


async def _reset(connection: Connection) -> None:
    """All settings are transaction-local, so a finished transaction leaves nothing to reset."""
    if connection.is_in_transaction():
        await connection.execute("rollback")


async def _roll_back(connection: Connection) -> None:
    # An error here must not replace the exception that ended the transaction. If the transaction is still open, it is
    # rolled back when the connection is released.
    with suppress(Exception):
        await connection.execute("rollback")


async def _release(
    pool: "asyncpg.Pool[asyncpg.Record]", connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
) -> None:
    """An error here changes nothing for the caller: the transaction has ended, and asyncpg closes the connection."""
    try:
        await pool.release(connection)
    except Exception as error:
        if not is_connection_lost(error):
            log.warning("a database connection could not be released", exc_info=error)


def _begin_sql(principal: Principal, settings: Mapping[str, str], *, by_id: bool, read_only: bool) -> str:
    """Puts BEGIN, the role and the settings into one query, so that setting the role costs no extra round trip."""
    settings = {"request.jwt.claims": principal.claims_json, **settings}
    set_configs = ", ".join(f"set_config({literal(name)}, {literal(value)}, true)" for name, value in settings.items())
    begin = "begin read only" if read_only else "begin"
    return f"{begin}; set local role {principal.database_role(by_id=by_id)}; select {set_configs}"


def literal(text: str) -> str:
    """Quotes the text as a SQL string literal. PostgreSQL text cannot contain NUL, so that character is dropped."""
    return "'" + text.replace("\x00", "").replace("'", "''") + "'"
