"""Recognizes a pooler that the settings do not mention."""

import asyncpg

from cairn.db.errors import PoolerInTransactionMode
from cairn.db.pipeline import APPLICATION_NAME

_STATEMENT_ERRORS = (asyncpg.InvalidSQLStatementNameError, asyncpg.DuplicatePreparedStatementError)


async def refuse_transaction_mode(
    connection: "asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]", url: str
) -> None:
    """Raises if the connection leads to a pooler that gives each transaction another connection to PostgreSQL.

    Two clients of such a pooler get the same connection to PostgreSQL one after the other. In session mode, each has
    one of its own. While other clients use the pooler, its mode may not be recognized.
    """
    try:
        process_id = await connection.fetchval("select pg_backend_pid()")
        # PostgreSQL tells each client the id of its process, and a pooler makes one up.
        if process_id == connection.get_server_pid():
            return
        other = await asyncpg.connect(url, timeout=10, server_settings={"application_name": APPLICATION_NAME})
        try:
            is_shared = await other.fetchval("select pg_backend_pid()") == process_id
        finally:
            await other.close()
    except _STATEMENT_ERRORS as error:
        raise PoolerInTransactionMode from error
    if is_shared:
        raise PoolerInTransactionMode
