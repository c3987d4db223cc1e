import asyncio
from collections.abc import AsyncIterator
from typing import TypeAlias

import asyncpg
import pytest
import pytest_asyncio

from cairn.db import ANON, SERVICE, Database, DatabaseBusy, DatabaseUnreachable, Principal, Value, pipeline_pool
from cairn.db.pipeline import HEAVY_BYTES, PREPARED_STATEMENTS
from tests.cast import Person

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
ME = "select auth.uid()::text, current_user::text"
BACKEND = "select pg_backend_pid()"


@pytest_asyncio.fixture
async def one_seat(login_url: str) -> AsyncIterator[Database]:
    """Whoever asks next gets the connection that was asked before."""
    async with Database(login_url, pool_size=1) as opened:
        yield opened


async def run(database: Database, sql: str, *values: Value, as_: Principal = SERVICE) -> tuple[bytes | None, ...]:
    return await database.run_statement(as_, {}, sql, values)


async def asleep(admin: Admin) -> None:
    """Returns when somebody's statement is under way."""
    while not await admin.fetchval("select exists (select from pg_stat_activity where wait_event = 'PgSleep')"):
        pass


async def test_the_statement_runs_as_its_caller_and_leaves_nothing_of_them_behind(
    one_seat: Database, rosa: Person
) -> None:
    assert await run(one_seat, ME, as_=rosa.principal) == (str(rosa.id).encode(), b"authenticated")
    assert await run(one_seat, ME, as_=ANON) == (None, b"anon")


async def test_facts_reach_the_statement(database: Database) -> None:
    told = await database.run_statement(ANON, {"request.ip": "'; --\\"}, "select current_setting('request.ip')", [])
    assert told == (b"'; --\\",)


async def test_every_kind_of_value_arrives_as_it_is(database: Database) -> None:
    texts = ['a "quoted" \\ one', "", "NULL", "{x,y}", "héllo"]
    sql = "select $1::text, $2::int8, encode($3::bytea, 'escape'), array_to_string($4::text[], '|')"
    told = await run(database, sql, "ça 'va'", -7, b"\x00\xff", texts)
    assert told == ("ça 'va'".encode(), b"-7", rb"\000\377", "|".join(texts).encode())


async def test_a_text_with_nul_is_refused_and_not_cut_short(one_seat: Database) -> None:
    with pytest.raises(asyncpg.CharacterNotInRepertoireError):
        await one_seat.run_statement(SERVICE, {"request.ip": "10.0.0.1"}, "select $1::text", ["before\x00after"])
    told = await run(one_seat, "select $1::text, current_setting('request.ip', true)", "whole")
    assert told == (b"whole", None), "and nothing of it is left for the next"


async def test_reading_writes_nothing(one_seat: Database) -> None:
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        await one_seat.run_statement(SERVICE, {}, "delete from notifications", [], read_only=True)
    assert await run(one_seat, "delete from notifications") == ()


async def test_an_error_undoes_the_statement_and_is_told_as_everywhere(one_seat: Database, rosa: Person) -> None:
    backend = await run(one_seat, BACKEND)
    with pytest.raises(asyncpg.DivisionByZeroError) as told:
        await run(one_seat, "update companies set name = 'Half done ' || (1 / 0)", as_=rosa.principal)
    assert told.value.sqlstate == "22012"
    assert await run(one_seat, "select name from companies", as_=rosa.principal) == (b"Rio Rafting",)
    assert await run(one_seat, BACKEND) == backend


async def test_what_is_only_found_wrong_at_the_end_is_told_too(database: Database, admin: Admin) -> None:
    await admin.execute("""
        create table public.parent (id int primary key);
        create table public.child (parent int references public.parent deferrable initially deferred);
        grant all on public.parent, public.child to service_role;
    """)
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await run(database, "insert into public.child values (7)")
    assert await admin.fetchval("select count(*) from public.child") == 0


async def test_a_statement_that_fails_is_not_prepared_again_each_time(one_seat: Database) -> None:
    for _ in range(5):
        with pytest.raises(asyncpg.DivisionByZeroError):
            await run(one_seat, "select 1 / $1::int8", 0)
    kept = "select count(*) from pg_prepared_statements where statement like 'select 1 / %'"
    assert await run(one_seat, kept) == (b"1",)


async def test_a_statement_that_cannot_be_prepared_can_be_once_it_is_right(one_seat: Database, admin: Admin) -> None:
    with pytest.raises(asyncpg.UndefinedTableError):
        await run(one_seat, "select count(*) from public.later")
    await admin.execute("create table public.later (); grant select on public.later to service_role")
    assert await run(one_seat, "select count(*) from public.later") == (b"0",)


async def test_only_so_many_statements_are_kept(one_seat: Database) -> None:
    for number in range(PREPARED_STATEMENTS + 20):
        assert await run(one_seat, f"select {number}") == (str(number).encode(),)
    kept = await run(one_seat, "select count(*) from pg_prepared_statements")
    assert int(kept[0] or 0) <= PREPARED_STATEMENTS + 1


async def test_a_connection_that_carried_much_is_not_kept(one_seat: Database) -> None:
    backend = await run(one_seat, BACKEND)
    body = b"x" * (9 * HEAVY_BYTES)
    assert await run(one_seat, "select length($1::bytea)", body) == (str(len(body)).encode(),)
    assert await run(one_seat, BACKEND) != backend


async def test_whoever_leaves_early_leaves_no_answer_for_the_next(one_seat: Database, admin: Admin) -> None:
    slow = asyncio.create_task(run(one_seat, "select 'for the one who left', pg_sleep(0.2)"))
    await asleep(admin)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert await run(one_seat, "select 'for the next'") == (b"for the next",)


async def test_a_connection_that_ended_while_it_waited_is_replaced(one_seat: Database, admin: Admin) -> None:
    backend = await run(one_seat, BACKEND)
    await admin.execute("select pg_terminate_backend($1, 5000)", int(backend[0] or 0))
    assert await run(one_seat, BACKEND) != backend


async def test_a_connection_that_ends_in_mid_sentence_is_told_as_a_passing_fault(
    one_seat: Database, admin: Admin
) -> None:
    backend = await run(one_seat, BACKEND)
    slow = asyncio.create_task(run(one_seat, "select pg_sleep(10)"))
    await asleep(admin)
    await admin.execute("select pg_terminate_backend($1)", int(backend[0] or 0))
    with pytest.raises(DatabaseUnreachable):
        await slow
    assert await run(one_seat, "select 1") == (b"1",)


async def test_whoever_waits_too_long_for_a_seat_is_told(
    one_seat: Database, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline_pool, "POOL_WAIT_SECONDS", 0.05)
    slow = asyncio.create_task(run(one_seat, "select 'in time', pg_sleep(0.5)"))
    await asleep(admin)
    with pytest.raises(DatabaseBusy):
        await run(one_seat, "select 1")
    assert (await slow)[0] == b"in time"
    assert await run(one_seat, "select 1") == (b"1",)


async def test_a_database_that_says_nothing_is_given_up_with_its_connection(
    one_seat: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = await run(one_seat, BACKEND)
    monkeypatch.setattr(pipeline_pool, "STATEMENT_SECONDS", 0.1)
    with pytest.raises(DatabaseUnreachable):
        await run(one_seat, "select pg_sleep(5)")
    monkeypatch.setattr(pipeline_pool, "STATEMENT_SECONDS", 60)
    assert await run(one_seat, BACKEND) != backend


async def test_a_write_finds_its_rows_by_their_key_however_short_the_table_is(database: Database, admin: Admin) -> None:
    await admin.execute("vacuum analyze auth.refresh_tokens")
    by_key = "explain select session_id from auth.refresh_tokens where token_sha256 = $1::bytea"
    (written,) = await run(database, by_key, b"\x00")
    (read,) = await database.run_statement(SERVICE, {}, by_key, [b"\x00"], read_only=True)
    assert (written or b"").startswith(b"Index Scan using refresh_tokens_token_sha256_key")
    assert (read or b"").startswith(b"Seq Scan"), "whoever reads everything is not kept from reading it in one go"
