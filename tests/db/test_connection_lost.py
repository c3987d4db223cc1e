"""Tests which errors mean that the database cannot be reached, and how long a loop waits before it retries."""

import asyncio
import logging

import asyncpg
import psycopg
import pytest

from cairn.db import (
    SERVICE,
    Database,
    DatabaseBusy,
    DatabaseUnreachable,
    RetryPolicy,
    SchemaTooNew,
    is_connection_lost,
)
from cairn.db.connection_lost import ConnectionLost

CONNECTION_ERRORS = [
    ConnectionLost("the server closed the connection"),
    ConnectionRefusedError("connection refused"),
    FileNotFoundError("no such unix socket"),
    TimeoutError("no response in time"),
    DatabaseUnreachable(),
    DatabaseBusy(),
    asyncpg.ConnectionDoesNotExistError("closed in the middle of an operation"),
    asyncpg.CannotConnectNowError("the database system is starting up"),
    asyncpg.AdminShutdownError("terminating connection due to administrator command"),
    asyncpg.CrashShutdownError("terminating connection because of a crash"),
    asyncpg.TooManyConnectionsError("sorry, too many clients already"),
    asyncpg.IdleSessionTimeoutError("terminating connection due to idle-session timeout"),
    asyncpg.InterfaceError("connection is closed"),
    asyncpg.InternalClientError("got result for unknown protocol state"),
    psycopg.OperationalError("server closed the connection unexpectedly"),
    psycopg.errors.AdminShutdown("terminating connection due to administrator command"),
]
OTHER_ERRORS = [
    asyncpg.UndefinedColumnError("column does not exist"),
    asyncpg.PostgresSyntaxError("syntax error"),
    asyncpg.InsufficientPrivilegeError("permission denied"),
    asyncpg.UniqueViolationError("duplicate key"),
    asyncpg.QueryCanceledError("canceling statement due to statement timeout"),
    asyncpg.DeadlockDetectedError("deadlock detected"),
    asyncpg.InvalidPasswordError("password authentication failed"),
    asyncpg.DataError("invalid input for query argument"),
    asyncpg.exceptions.ClientConfigurationError("invalid DSN"),
    psycopg.errors.DeadlockDetected("deadlock detected"),
    psycopg.errors.QueryCanceled("canceling statement due to statement timeout"),
    psycopg.errors.UndefinedColumn("column does not exist"),
    SchemaTooNew(name="9999_later"),
    RuntimeError("a bug"),
    KeyError("a bug"),
    asyncio.CancelledError(),
]


@pytest.mark.parametrize("error", CONNECTION_ERRORS, ids=repr)
def test_a_connection_error_is_recognized(error: BaseException) -> None:
    assert is_connection_lost(error)


@pytest.mark.parametrize("error", OTHER_ERRORS, ids=repr)
def test_another_error_is_not_a_connection_error(error: BaseException) -> None:
    assert not is_connection_lost(error)


async def test_an_argument_of_the_wrong_type_is_not_reported_as_an_unreachable_database(database: Database) -> None:
    with pytest.raises(asyncpg.DataError):
        async with database.acting_as(SERVICE) as connection:
            await connection.fetchval("select $1::int", "not a number")


def test_a_lost_connection_is_logged_at_info_and_retried_after_a_constant_delay(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    retry = RetryPolicy(logging.getLogger("test"), "the feed", delay_seconds=0.25)

    assert [retry.record_failure(ConnectionRefusedError()) for _ in range(3)] == [0.25, 0.25, 0.25]
    assert {(record.levelname, record.exc_info) for record in caplog.records} == {("INFO", None)}


def test_other_errors_are_logged_with_their_traceback_and_retried_with_backoff(
    caplog: pytest.LogCaptureFixture,
) -> None:
    retry = RetryPolicy(logging.getLogger("test"), "the feed", delay_seconds=0.25, max_delay_seconds=1.0)
    error = asyncpg.UndefinedColumnError("column does not exist")

    assert [retry.record_failure(error) for _ in range(4)] == [0.25, 0.5, 1.0, 1.0]
    assert {record.levelname for record in caplog.records} == {"ERROR"}
    assert all(record.exc_info and record.exc_info[1] is error for record in caplog.records)

    retry.record_success()
    assert retry.record_failure(error) == 0.25
