"""Decides whether an exception means that the database cannot be reached, or cannot be written to, at the moment.

The drivers report this in several ways: as an OSError, as the SQLSTATE of a server that is shutting down or full, or as
an internal error when the connection breaks in the middle of a message.
"""

import asyncpg
import psycopg

from cairn.db.errors import DatabaseBusy, DatabaseFull, DatabaseReadOnly, DatabaseUnreachable

_CONNECTION_SQLSTATES = frozenset({
    "53300",  # too many connections
    "57P01",  # the server is shutting down
    "57P02",  # the server is recovering from a crash
    "57P03",  # the server is starting up
    "57P05",  # the session was idle for too long
})  # fmt: skip
_CONNECTION_EXCEPTION_CLASS = "08"


class ConnectionLost(Exception):
    """The connection ended before the result arrived."""


# asyncpg raises the last two when a connection breaks in the middle of a message.
_CONNECTION_ERRORS = (
    DatabaseUnreachable,
    DatabaseBusy,
    ConnectionLost,
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
# No transaction of psycopg is meant to be read-only, so a refused write means an outage.
_PSYCOPG_WRITE_ERRORS = (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.DiskFull)


def is_connection_lost(error: BaseException) -> bool:
    """True if the same statement may succeed later or on another connection, false if the statement itself is wrong.

    `DatabaseBusy` is included, because a later attempt may obtain a connection.
    """
    if isinstance(error, ValueError):
        # For an argument of the wrong type, which is a bug, asyncpg raises an InterfaceError that is also a ValueError.
        return False
    if isinstance(error, asyncpg.PostgresError):
        return _is_connection_sqlstate(error.sqlstate or "")
    if isinstance(error, _PSYCOPG_WRITE_ERRORS):
        return True
    if isinstance(error, psycopg.OperationalError):
        return error.sqlstate is None or _is_connection_sqlstate(error.sqlstate)
    return isinstance(error, _CONNECTION_ERRORS)


def write_outage(error: BaseException, *, read_only: bool) -> DatabaseUnreachable | None:
    """Returns the error to raise if the database cannot be written to at the moment, during a failover for example.

    In a transaction that is meant to be `read_only`, a refused write is a bug and no outage.
    """
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError) and not read_only:
        return DatabaseReadOnly()
    return DatabaseFull() if isinstance(error, asyncpg.DiskFullError) else None


def _is_connection_sqlstate(sqlstate: str) -> bool:
    return sqlstate in _CONNECTION_SQLSTATES or sqlstate.startswith(_CONNECTION_EXCEPTION_CLASS)
