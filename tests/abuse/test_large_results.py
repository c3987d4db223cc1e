"""A4: neither the result of a call nor returned or embedded rows fill the memory of PostgreSQL.

A4 is a finding in docs/security.md.
"""

import pytest

from bench.memory import megabytes
from cairn.db import Connection, Database
from cairn.rest import RestSettings
from tests.abuse.test_large_rows import rosas_client
from tests.factories import make_template
from tests.people import Person

# Without the limits, these requests need 200 megabytes or more.
MAX_GROWTH_MEGABYTES = 114
LARGE_FUNCTIONS = """
    create function public.many_texts(count int) returns setof text
        language sql begin atomic select repeat('x', 8000) from generate_series(1, count); end;
    create function public.many_rows(count int) returns table (place int, content text)
        language sql begin atomic select n, repeat('x', 8000) from generate_series(1, count) as n; end;
    create function public.one_text(count int) returns text
        language sql begin atomic select repeat('x', 8000 * count); end;
    create function public.write_and_return(count int) returns setof text language plpgsql volatile as $$
        begin
            update public.companies set name = 'Changed by a call';
            return query select repeat('x', 8000) from generate_series(1, count);
        end $$;
"""


@pytest.mark.parametrize("function", ["many_texts", "many_rows", "one_text", "write_and_return"])
@pytest.mark.parametrize("accept", ["application/json", "text/csv", "application/vnd.pgrst.array+json;nulls=stripped"])
async def test_a4_the_result_of_a_call_has_a_maximum_size(
    database: Database, admin: Connection, rosa: Person, function: str, accept: str
) -> None:
    await admin.execute(LARGE_FUNCTIONS)
    async with rosas_client(database, rosa, RestSettings(max_response_bytes=20_000)) as client:
        client.headers["Accept"] = accept
        accepted = await client.post(f"/rpc/{function}", json={"count": 2})
        await admin.execute("update public.companies set name = 'Rio Rafting'")
        refused = await client.post(f"/rpc/{function}", json={"count": 4})

    assert accepted.status_code == 200
    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")
    assert not await admin.fetchval("select exists (select from public.companies where name <> 'Rio Rafting')")


@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_a4_written_rows_that_are_too_large_together_are_neither_returned_nor_written(
    database: Database, admin: Connection, rosa: Person, method: str
) -> None:
    text = "I ride. " * 1000
    for number in range(4):
        await make_template(database, rosa, name=f"River {number}", content=text)
    rows = [{"name": f"Lake {number}", "content": text} for number in range(4)]
    body = rows if method == "POST" else {"description": "Changed"}
    query = f"/waiver_templates?company_id=eq.{rosa.company}" if method != "POST" else "/waiver_templates"
    templates = "select jsonb_agg(to_jsonb(t) order by t.id)::text from public.waiver_templates t"
    before = await admin.fetchval(templates)

    async with rosas_client(database, rosa, RestSettings(max_response_bytes=20_000)) as client:
        refused = await client.request(method, query, json=body, headers={"Prefer": "return=representation"})
        after = await admin.fetchval(templates)
        few_columns = await client.request(
            method, f"{query}{'&' if '?' in query else '?'}select=id", json=body,
            headers={"Prefer": "return=representation"},
        )  # fmt: skip

    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")
    assert after == before
    assert few_columns.status_code == (201 if method == "POST" else 200)
    assert len(few_columns.json()) == 4


async def test_a4_one_inserted_row_is_returned_with_its_location(database: Database, rosa: Person) -> None:
    row = {"name": "River", "content": "I ride. " * 1000}
    async with rosas_client(database, rosa, RestSettings(max_response_bytes=20_000)) as client:
        for body in (row, [row]):
            created = await client.post("/waiver_templates", json=body, headers={"Prefer": "return=representation"})
            with_location = await client.post("/waiver_templates", json=body, headers={"Prefer": "return=headers-only"})
            assert created.status_code == 201
            assert created.json()[0]["content"] == row["content"]
            assert with_location.headers["location"].startswith("/waiver_templates?id=eq.")


@pytest.mark.parametrize("embed", ["waiver_templates(content)", "...waiver_templates(content)"])
async def test_a4_embedded_rows_count_too(database: Database, rosa: Person, embed: str) -> None:
    for number in range(4):
        await make_template(database, rosa, name=f"River {number}", content="I ride. " * 1000)

    async with rosas_client(database, rosa, RestSettings(max_response_bytes=20_000)) as client:
        refused = await client.get(f"/companies?select=id,{embed}")
        accepted = await client.get(f"/companies?select=id,{embed}&waiver_templates.limit=1")

    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")
    assert accepted.status_code == 200


async def test_a4_a_few_rows_count_too_if_they_contain_a_column_twice(database: Database, rosa: Person) -> None:
    """Without repeated columns, a few rows are not counted, because each was written by a request of limited size."""
    await make_template(database, rosa, content="I ride. " * 5000)
    settings = RestSettings(max_response_bytes=50_000, max_account_body_bytes=50_000)
    query = f"/waiver_templates?company_id=eq.{rosa.company}&limit=1&select="

    async with rosas_client(database, rosa, settings) as client:
        refused = await client.get(f"{query}content,again:content")
        accepted = await client.get(f"{query}content,name")

    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")
    assert accepted.status_code == 200


async def test_a4_postgresql_does_not_build_a_body_that_is_too_large(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """Without the limit, the process of PostgreSQL grows by twice the 300 megabytes of these rows or more."""
    await admin.execute(
        """
        create function public.very_many_texts() returns setof text
            language sql rows 1000 begin atomic select repeat('x', 1000000) from generate_series(1, 300); end
        """
    )
    async with rosas_client(database, rosa, RestSettings(max_response_bytes=16_000_000)) as client:
        small = await client.post("/rpc/very_many_texts?limit=1")
        before = await peak_megabytes_of_backends(admin)
        refused = await client.post("/rpc/very_many_texts")
        growth_megabytes = await peak_megabytes_of_backends(admin) - before

    assert small.status_code == 200
    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")
    assert growth_megabytes < MAX_GROWTH_MEGABYTES


async def peak_megabytes_of_backends(admin: Connection) -> float:
    """Returns the peak memory of all PostgreSQL processes that serve a connection, added up."""
    backends = await admin.fetch("select pid from pg_stat_activity where client_port is not null")
    return sum(megabytes(backend["pid"], "VmHWM") for backend in backends)
