"""F5: long statements of clients do not stay in the memory of PostgreSQL as prepared statements.

F5 is a finding in docs/security.md.
"""

from cairn.db import SERVICE, Database
from cairn.db.database import MAX_CACHED_SQL_LENGTH
from cairn.db.pipeline import MAX_PREPARED_SQL_LENGTH, MAX_PREPARED_TOTAL_LENGTH
from tests.db.test_pipeline import run, single_connection
from tests.people import Person
from tests.rest.conftest import Callbacks, client_for, rest_app

__all__ = ["single_connection"]

PREPARED_LENGTHS = (
    "select coalesce(sum(length(statement)), 0)::text, max(length(statement))::text from pg_prepared_statements"
)


async def prepared_lengths(database: Database) -> tuple[int, int]:
    """Returns the number of characters of all prepared statements together, and of the longest."""
    total, longest = await run(database, PREPARED_LENGTHS)
    return int(total or 0), int(longest or 0)


async def test_f5_a_long_statement_is_not_kept_but_returns_its_result(single_connection: Database) -> None:
    comment = "/*" + "x" * MAX_PREPARED_SQL_LENGTH + "*/"
    for number in range(3):
        row = await run(single_connection, f"select $1::text || {number} {comment}", "river ")
        assert row == (f"river {number}".encode(),)

    _, longest = await prepared_lengths(single_connection)
    assert longest < MAX_PREPARED_SQL_LENGTH


async def test_f5_all_prepared_statements_of_a_connection_have_a_limited_length(single_connection: Database) -> None:
    comment = "/*" + "x" * (MAX_PREPARED_SQL_LENGTH - 200) + "*/"
    for number in range(2 * MAX_PREPARED_TOTAL_LENGTH // MAX_PREPARED_SQL_LENGTH):
        assert await run(single_connection, f"select {number} {comment}") == (str(number).encode(),)

    total, _ = await prepared_lengths(single_connection)
    assert MAX_PREPARED_TOTAL_LENGTH / 2 < total < MAX_PREPARED_TOTAL_LENGTH + 2 * MAX_PREPARED_SQL_LENGTH


async def test_f5_no_transaction_keeps_a_long_statement(
    single_connection: Database,
) -> None:
    async with single_connection.acting_as(SERVICE) as connection:
        for length in (MAX_CACHED_SQL_LENGTH // 2, 2 * MAX_CACHED_SQL_LENGTH):
            assert await connection.fetchval(f"select $1::int /*{'x' * length}*/", 7) == 7
        longest = await connection.fetchval("select max(length(statement)) from pg_prepared_statements")

    assert MAX_CACHED_SQL_LENGTH / 2 < longest < MAX_CACHED_SQL_LENGTH


async def test_f5_the_statement_of_a_list_is_kept_and_one_with_many_embeds_is_not(
    single_connection: Database, rosa: Person
) -> None:
    callbacks = Callbacks()
    callbacks.tokens["rosa"] = rosa.principal
    embeds = ",".join(f"sessions{number}:waiver_sessions(id)" for number in range(8))
    async with client_for(rest_app(single_connection, callbacks)) as client:
        client.headers["Authorization"] = "Bearer rosa"
        listed = await client.get("/waiver_sessions?select=*&order=created_at.desc")
        embedded = await client.get(f"/companies?select=id,{embeds}")

    assert (listed.status_code, embedded.status_code) == (200, 200)
    kept = "select count(*)::text from pg_prepared_statements where statement !~ 'pg_prepared' and statement ~ $1"
    assert await run(single_connection, kept, "waiver_sessions.* order by") == (b"1",)
    assert await run(single_connection, kept, "sessions7") == (b"0",)
