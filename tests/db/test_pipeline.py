import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from typing import TypeAlias

import asyncpg
import pytest
import pytest_asyncio
import uvloop

from cairn.db import ANON, SERVICE, Database, DatabaseBusy, DatabaseUnreachable, Principal, Value, pipeline_pool
from cairn.db.connection_lost import ConnectionLost
from cairn.db.pipeline import MAX_PREPARED_STATEMENTS, MAX_TRANSFERRED_BYTES, PipelineConnection
from tests.people import Person

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
CALLER = "select auth.uid()::text, current_user::text"
BACKEND_PID = "select pg_backend_pid()"


@pytest_asyncio.fixture
async def single_connection(login_url: str) -> AsyncIterator[Database]:
    """A pool of one connection, so that all statements of a test use the same connection."""
    async with Database(login_url, pool_size=1) as database:
        yield database


async def run(database: Database, sql: str, *values: Value, as_: Principal = SERVICE) -> tuple[bytes | None, ...]:
    return await database.run_statement(as_, {}, sql, values)


async def wait_until_sleeping(admin: Admin) -> None:
    """Returns once a statement is running `pg_sleep`."""
    while not await admin.fetchval("select exists (select from pg_stat_activity where wait_event = 'PgSleep')"):
        pass


async def test_a_statement_runs_as_its_caller_and_leaves_no_claims_behind(
    single_connection: Database, rosa: Person
) -> None:
    assert await run(single_connection, CALLER, as_=rosa.principal) == (str(rosa.id).encode(), b"authenticated")
    assert await run(single_connection, CALLER, as_=ANON) == (None, b"anon")


async def test_a_statement_can_read_its_settings(database: Database) -> None:
    row = await database.run_statement(ANON, {"request.ip": "'; --\\"}, "select current_setting('request.ip')", [])
    assert row == (b"'; --\\",)


async def test_every_kind_of_value_arrives_unchanged(database: Database) -> None:
    texts = ['a "quoted" \\ one', "", "NULL", "{x,y}", "héllo"]
    sql = "select $1::text, $2::int8, encode($3::bytea, 'escape'), array_to_string($4::text[], '|')"
    row = await run(database, sql, "ça 'va'", -7, b"\x00\xff", texts)
    assert row == ("ça 'va'".encode(), b"-7", rb"\000\377", "|".join(texts).encode())


async def test_a_text_with_nul_is_refused_instead_of_truncated(single_connection: Database) -> None:
    with pytest.raises(asyncpg.CharacterNotInRepertoireError):
        await single_connection.run_statement(
            SERVICE, {"request.ip": "10.0.0.1"}, "select $1::text", ["before\x00after"]
        )
    row = await run(single_connection, "select $1::text, current_setting('request.ip', true)", "complete")
    assert row == (b"complete", None), "the refused statement must leave nothing behind"


async def test_a_read_only_statement_cannot_write(single_connection: Database) -> None:
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        await single_connection.run_statement(SERVICE, {}, "delete from notifications", [], read_only=True)
    assert await run(single_connection, "delete from notifications") == ()


async def test_an_error_rolls_back_and_is_raised_as_an_asyncpg_exception(
    single_connection: Database, rosa: Person
) -> None:
    backend = await run(single_connection, BACKEND_PID)
    with pytest.raises(asyncpg.DivisionByZeroError) as raised:
        await run(single_connection, "update companies set name = 'Half done ' || (1 / 0)", as_=rosa.principal)
    assert raised.value.sqlstate == "22012"
    assert await run(single_connection, "select name from companies", as_=rosa.principal) == (b"Rio Rafting",)
    assert await run(single_connection, BACKEND_PID) == backend


async def test_a_deferred_constraint_that_fails_at_commit_is_raised(database: Database, admin: Admin) -> None:
    await admin.execute("""
        create table public.parent (id int primary key);
        create table public.child (parent int references public.parent deferrable initially deferred);
        grant all on public.parent, public.child to service_role;
    """)
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await run(database, "insert into public.child values (7)")
    assert await admin.fetchval("select count(*) from public.child") == 0


async def test_a_statement_that_fails_stays_prepared(single_connection: Database) -> None:
    for _ in range(5):
        with pytest.raises(asyncpg.DivisionByZeroError):
            await run(single_connection, "select 1 / $1::int8", 0)
    prepared_count = "select count(*) from pg_prepared_statements where statement like 'select 1 / %'"
    assert await run(single_connection, prepared_count) == (b"1",)


async def test_a_statement_that_could_not_be_prepared_is_prepared_later(
    single_connection: Database, admin: Admin
) -> None:
    with pytest.raises(asyncpg.UndefinedTableError):
        await run(single_connection, "select count(*) from public.later")
    await admin.execute("create table public.later (); grant select on public.later to service_role")
    assert await run(single_connection, "select count(*) from public.later") == (b"0",)


async def test_the_number_of_prepared_statements_is_limited(single_connection: Database) -> None:
    for number in range(MAX_PREPARED_STATEMENTS + 20):
        assert await run(single_connection, f"select {number}") == (str(number).encode(),)
    row = await run(single_connection, "select count(*) from pg_prepared_statements")
    assert int(row[0] or 0) <= MAX_PREPARED_STATEMENTS + 1


async def test_a_connection_is_closed_after_a_large_transfer(single_connection: Database) -> None:
    backend = await run(single_connection, BACKEND_PID)
    body = b"x" * MAX_TRANSFERRED_BYTES
    assert await run(single_connection, "select length($1::bytea)", body) == (str(len(body)).encode(),)
    assert await run(single_connection, BACKEND_PID) != backend


async def test_the_result_of_a_cancelled_caller_is_not_returned_to_the_next_caller(
    single_connection: Database, admin: Admin
) -> None:
    slow = asyncio.create_task(run(single_connection, "select 'for the cancelled caller', pg_sleep(0.2)"))
    await wait_until_sleeping(admin)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert await run(single_connection, "select 'for the next caller'") == (b"for the next caller",)


async def test_an_idle_connection_that_was_closed_is_replaced(single_connection: Database, admin: Admin) -> None:
    backend = await run(single_connection, BACKEND_PID)
    await admin.execute("select pg_terminate_backend($1, 5000)", int(backend[0] or 0))
    assert await run(single_connection, BACKEND_PID) != backend


async def test_a_connection_closed_during_a_statement_raises_database_unreachable(
    single_connection: Database, admin: Admin
) -> None:
    backend = await run(single_connection, BACKEND_PID)
    slow = asyncio.create_task(run(single_connection, "select pg_sleep(10)"))
    await wait_until_sleeping(admin)
    await admin.execute("select pg_terminate_backend($1)", int(backend[0] or 0))
    with pytest.raises(DatabaseUnreachable):
        await slow
    assert await run(single_connection, "select 1") == (b"1",)


async def test_closing_a_lost_connection_does_not_end_a_new_one_with_the_same_file_descriptor(
    login_url: str, admin: Admin
) -> None:
    closed = asyncio.Event()
    lost = await PipelineConnection.open(login_url, lambda _: closed.set(), timeout_seconds=5)
    [pid] = await lost.execute({"role": "anon"}, BACKEND_PID, [])
    assert pid is not None
    await admin.execute("select pg_terminate_backend($1)", int(pid))
    await asyncio.wait_for(closed.wait(), 5)
    new = await PipelineConnection.open(login_url, lambda _: None, timeout_seconds=5)
    assert new.file_descriptor == lost.file_descriptor, "the operating system uses the lowest number that is free"
    lost.close()
    row = await asyncio.wait_for(new.execute({"role": "anon"}, "select 'still here'", []), 5)
    assert row == (b"still here",)
    new.close()


async def test_a_server_process_that_ends_before_it_reads_the_statement_is_noticed(login_url: str) -> None:
    """The socket then has an error, and uvloop, which the product uses, calls the reader only once."""

    async def send_to_an_ending_process() -> None:
        connection = await PipelineConnection.open(login_url, lambda _: None, timeout_seconds=5)
        [pid_text] = await connection.execute({"role": "anon"}, BACKEND_PID, [])
        pid = int(pid_text or 0)
        os.kill(pid, signal.SIGSTOP)
        statement = asyncio.create_task(connection.execute({"role": "anon"}, "select 1", []))
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGTERM)
        os.kill(pid, signal.SIGCONT)
        # The event loop must see the last message and the end of the connection at the same time.
        time.sleep(0.3)  # noqa: ASYNC251 - it blocks the event loop on purpose
        with pytest.raises(ConnectionLost):
            await asyncio.wait_for(statement, 5)
        connection.close()

    await asyncio.to_thread(uvloop.run, send_to_an_ending_process())


async def test_waiting_too_long_for_a_connection_raises_database_busy(
    single_connection: Database, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline_pool, "POOL_WAIT_SECONDS", 0.05)
    slow = asyncio.create_task(run(single_connection, "select 'in time', pg_sleep(0.5)"))
    await wait_until_sleeping(admin)
    with pytest.raises(DatabaseBusy):
        await run(single_connection, "select 1")
    assert (await slow)[0] == b"in time"
    assert await run(single_connection, "select 1") == (b"1",)


async def test_a_statement_without_a_result_times_out_and_its_connection_is_closed(
    single_connection: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = await run(single_connection, BACKEND_PID)
    monkeypatch.setattr(pipeline_pool, "STATEMENT_TIMEOUT_SECONDS", 0.1)
    with pytest.raises(DatabaseUnreachable):
        await run(single_connection, "select pg_sleep(5)")
    monkeypatch.setattr(pipeline_pool, "STATEMENT_TIMEOUT_SECONDS", 60)
    assert await run(single_connection, BACKEND_PID) != backend


async def test_a_write_uses_the_index_even_if_the_table_is_small(database: Database, admin: Admin) -> None:
    await admin.execute("vacuum analyze auth.refresh_tokens")
    explain_by_key = "explain select session_id from auth.refresh_tokens where token_sha256 = $1::bytea"
    (write_plan,) = await run(database, explain_by_key, b"\x00")
    (read_plan,) = await database.run_statement(SERVICE, {}, explain_by_key, [b"\x00"], read_only=True)
    assert (write_plan or b"").startswith(b"Index Scan using refresh_tokens_token_sha256_key")
    assert (read_plan or b"").startswith(b"Seq Scan"), "a transaction that only reads may scan the whole table"
