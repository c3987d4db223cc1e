"""A4: the rows of a company cannot fill the memory of the server in one request.

A4 is a finding in docs/security.md.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from uuid import uuid4

import asyncpg
import httpx
import pytest

from cairn.db import Connection, Database
from cairn.rest import RestSettings
from tests.factories import make_session, make_template
from tests.people import Person
from tests.rest.conftest import Callbacks, client_for, rest_app

MIGRATION = files("cairn.waivers").joinpath("migrations/0007_lengths_of_sendings.sql")
MAX_LENGTHS = {
    "template_id": 200,
    "template_name": 400,
    "template_content": 200_000,
    "recipient_name": 400,
    "recipient_email": 320,
}


@pytest.mark.parametrize("column", MAX_LENGTHS)
async def test_a4_a_sending_has_texts_of_limited_length(database: Database, rosa: Person, column: str) -> None:
    session_id = await make_session(database, rosa)
    longest = {name: "é" * length for name, length in MAX_LENGTHS.items()}

    await insert_sending(database, rosa, session_id=session_id, **longest)
    with pytest.raises(asyncpg.CheckViolationError):
        await insert_sending(database, rosa, session_id=session_id, **{**longest, column: longest[column] + "é"})


async def insert_sending(database: Database, company: Person, **row: object) -> None:
    placeholders = ", ".join(f"${number}" for number in range(1, len(row) + 1))
    async with database.acting_as(company.principal) as connection:
        await connection.execute(f"insert into sent_waivers ({', '.join(row)}) values ({placeholders})", *row.values())


async def test_a4_longer_texts_that_were_stored_before_are_cut(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await admin.execute("alter table sent_waivers drop constraint texts_have_a_maximum_length")
    await admin.execute("alter table waivers.sessions drop constraint names_have_a_maximum_length")
    session_id = await make_session(database, rosa)
    too_long = {name: "é" * 2 * length for name, length in MAX_LENGTHS.items()}
    await insert_sending(database, rosa, session_id=session_id, **too_long)
    await admin.execute("update waivers.sessions set template_name = repeat('n', 1000)")

    await admin.execute(MIGRATION.read_text())

    row = await admin.fetchrow("select * from sent_waivers")
    assert row is not None
    assert {name: len(row[name]) for name in MAX_LENGTHS} == MAX_LENGTHS
    assert await admin.fetchval("select length(template_name) from waivers.sessions") == 400


@pytest.mark.parametrize(("template_id", "template_name"), [("t" * 201, "River"), ("t", "n" * 401)])
async def test_a4_a_session_has_names_of_limited_length(
    database: Database, rosa: Person, template_id: str, template_name: str
) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute(
                "insert into waiver_sessions (template_id, template_name, template_content) values ($1, $2, 'I ride.')",
                template_id, template_name,
            )  # fmt: skip


@asynccontextmanager
async def rosa_with_large_templates(
    database: Database, rosa: Person, settings: RestSettings
) -> AsyncIterator[httpx.AsyncClient]:
    """Saves four templates of 8,000 characters each, and yields a client with Rosa's token."""
    for number in range(4):
        await make_template(database, rosa, name=f"River {number}", content="I ride. " * 1000)
    async with rosas_client(database, rosa, settings) as client:
        yield client


@asynccontextmanager
async def rosas_client(database: Database, rosa: Person, settings: RestSettings) -> AsyncIterator[httpx.AsyncClient]:
    callbacks = Callbacks()
    callbacks.tokens["rosa"] = rosa.principal
    async with client_for(rest_app(database, callbacks, settings)) as client:
        client.headers["Authorization"] = "Bearer rosa"
        yield client


async def test_a4_rows_that_are_too_large_together_are_refused_with_advice(database: Database, rosa: Person) -> None:
    query = f"/waiver_templates?company_id=eq.{rosa.company}"

    async with rosa_with_large_templates(database, rosa, RestSettings(max_response_bytes=20_000)) as client:
        refused = await client.get(query)
        refused_with_count = await client.get(query, headers={"Prefer": "count=exact"})
        head = await client.head(query)
        one_row = await client.get(f"{query}&limit=1")
        few_columns = await client.get(f"{query}&select=name")
        no_row = await client.get(f"/waiver_templates?id=eq.{uuid4()}")

    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")
    assert "Please request fewer rows or columns" in refused.json()["message"]
    assert refused_with_count.status_code == 400
    assert [response.status_code for response in (head, one_row, few_columns, no_row)] == [200] * 4
    assert (len(one_row.json()), len(few_columns.json()), no_row.json()) == (1, 4, [])


async def test_a4_an_export_of_all_rows_has_no_maximum_size(database: Database, rosa: Person) -> None:
    settings = RestSettings(max_response_bytes=20_000, max_rows=None)

    async with rosa_with_large_templates(database, rosa, settings) as client:
        export = await client.get("/waiver_templates", headers={"Accept": "text/csv"})

    assert export.status_code == 200
    assert len(export.content) > 4 * 8000
