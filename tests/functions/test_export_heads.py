"""A company exports its signed heads, and compares them later with those that are stored."""

import json

import httpx
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.waivers import Seal, check_exported_heads, seal_new_events
from tests.factories import make_session, sign
from tests.people import Person


async def call(client: httpx.AsyncClient, caller: str) -> httpx.Response:
    return await client.post("/export-heads", headers={"Authorization": f"Bearer {caller}"})


async def exported_findings(database: Database, exported: bytes) -> list[str]:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return [finding async for finding in check_exported_heads(connection, exported)]


async def test_a_company_exports_its_heads_and_notices_later_that_they_were_removed(
    client: httpx.AsyncClient, database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    for _ in range(2):
        await sign(database, await make_session(database, rosa))
        await seal_new_events(database, seal)

    response = await call(client, "rosa")

    heads = json.loads(response.content)["heads"]
    assert [head["text"].splitlines()[2] for head in heads] == ["number 1", "number 2"]
    assert heads[0]["timestamp"] == {"status": "none", "token": None, "at": None}
    assert await exported_findings(database, response.content) == []
    await admin.execute("set session_replication_role = replica")
    for table in ("head_entries where head_id", "chain_heads where id"):
        await admin.execute(f"delete from waivers.{table} = (select max(id) from waivers.chain_heads)")
    assert await exported_findings(database, response.content) == [
        f"Head 2 of company {rosa.company} was exported, but is missing or was replaced."
    ]


async def test_the_heads_of_another_company_are_not_exported(
    client: httpx.AsyncClient, database: Database, seal: Seal, rosa: Person
) -> None:
    await sign(database, await make_session(database, rosa))
    await seal_new_events(database, seal)

    assert json.loads((await call(client, "mallory")).content)["heads"] == []


@pytest.mark.parametrize("caller", ["gil", "anon"])
async def test_only_a_company_exports_heads(client: httpx.AsyncClient, caller: str) -> None:
    response = await call(client, caller)

    assert (response.status_code, response.json()["code"]) == (403, "only_companies_export")


@pytest.mark.parametrize("exported", [b"", b"[]", b"{}", b'{"heads": [{"text": "none"}]}'])
async def test_a_file_without_heads_is_reported(database: Database, exported: bytes) -> None:
    assert await exported_findings(database, exported) == ["The file with exported heads cannot be read."]
