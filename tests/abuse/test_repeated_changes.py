"""D4: short requests that change many rows again and again do not fill the disk.

D4 and FL1 are findings in docs/security.md.
"""

import secrets

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.jobs import Position, events_after
from cairn.rest import RestSettings
from tests.people import Person
from tests.rest.conftest import Callbacks, client_for, rest_app

TEMPLATE_COUNT = 10
TEXT_LENGTH = 90_000
MAX_GROWTH_BYTES = 100_000
SIZES = """
    select pg_total_relation_size('jobs.events') as outbox,
           pg_total_relation_size('public.waiver_templates') as templates
"""
INSERT_TEMPLATES = """
    insert into waiver_templates (name, content)
    select 'Trip ' || number, $2 from generate_series(1, $1) as number
"""


async def make_templates(database: Database, owner: Person, count: int, text: str = "I ride.") -> None:
    async with database.acting_as(owner.principal) as connection:
        await connection.execute(INSERT_TEMPLATES, count, text)


@pytest.mark.parametrize("changed", ["archived_at", "name", "content"])
async def test_d4_templates_with_the_same_text_as_before_are_stored_with_few_bytes(
    database: Database, admin: Connection, mallory: Person, changed: str
) -> None:
    # PostgreSQL cannot compress random digits.
    text = secrets.token_hex(TEXT_LENGTH // 2)
    values = {"archived_at": None, "name": "River", "content": text}
    await make_templates(database, mallory, TEMPLATE_COUNT, text)
    before = await admin.fetchrow(SIZES)
    async with database.acting_as(mallory.principal) as connection:
        status = await connection.execute(
            f"update waiver_templates set {changed} = $1 where company_id is not null", values[changed]
        )
    after = await admin.fetchrow(SIZES)

    assert status == f"UPDATE {TEMPLATE_COUNT}"
    assert before is not None
    assert after is not None
    assert after["outbox"] - before["outbox"] < MAX_GROWTH_BYTES
    assert after["templates"] - before["templates"] < MAX_GROWTH_BYTES, "the text is not stored again"


async def test_d4_texts_are_still_cleaned_and_checked_when_they_change(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await make_templates(database, rosa, 1)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            "update waiver_templates set content = $1, description = $1 where company_id is not null", "I ride.\x07"
        )
    template = await admin.fetchrow("select * from waiver_templates where company_id = $1", rosa.company)

    assert template is not None
    assert (template["content"], template["description"], template["version"]) == ("I ride.", "I ride.", 2)
    with pytest.raises(asyncpg.PostgresError, match="can have at most"):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute(
                "update waiver_templates set content = $1 where company_id is not null", "I ride.\n" * 50_000
            )


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
async def test_d4_the_rows_that_an_account_changes_are_limited(
    database: Database, admin: Connection, rosa: Person, mallory: Person, method: str
) -> None:
    callbacks = Callbacks()
    callbacks.tokens |= {"rosa": rosa.principal, "mallory": mallory.principal}
    for owner in (rosa, mallory):
        await admin.execute(
            """
            insert into notifications (company_id, title, message, about)
            select $1, 'Welcome', 'Hello', gen_random_uuid() from generate_series(1, 40)
            """,
            owner.company,
        )
    async with client_for(rest_app(database, callbacks, RestSettings(account_rows=25))) as client:

        async def change(token: str, query: str) -> int:
            headers = {"Authorization": f"Bearer {token}", "Prefer": "return=representation"}
            body = {"read": True} if method == "PATCH" else None
            return (await client.request(method, f"/notifications?{query}", json=body, headers=headers)).status_code

        one_id = await admin.fetchval("select id from notifications where company_id = $1 limit 1", mallory.company)
        # The filter on the embed excludes the changed rows from the response, but they were changed.
        hidden = "company_id=not.is.null&select=id,companies!inner(id)&companies.name=eq.nothing"
        statuses = [await change("mallory", hidden), await change("mallory", "company_id=not.is.null")]
        one_row, other_account = await change("mallory", f"id=eq.{one_id}"), await change("rosa", "read=eq.false")
        service = [await change("service", "company_id=not.is.null") for _ in range(2)]

    assert statuses == [200, 429]
    assert (one_row, other_account, service) == (200, 200, [200, 200])


@pytest.mark.parametrize(
    ("preference", "value"),
    [("handling=strict,max-affected=1", True), ("return=minimal", "a long time ago")],
    ids=["more rows than the client expects", "a value that PostgreSQL refuses"],
)
async def test_fl1_rows_of_changes_that_are_rolled_back_are_counted(
    database: Database, admin: Connection, mallory: Person, preference: str, value: object
) -> None:
    callbacks = Callbacks()
    callbacks.tokens["mallory"] = mallory.principal
    await admin.execute(
        """
        insert into notifications (company_id, title, message, about)
        select $1, 'Welcome', 'Hello', gen_random_uuid() from generate_series(1, 40)
        """,
        mallory.company,
    )
    async with client_for(rest_app(database, callbacks, RestSettings(account_rows=25))) as client:
        headers = {"Authorization": "Bearer mallory", "Prefer": preference}
        path = "/notifications?company_id=not.is.null"
        responses = [await client.patch(path, json={"read": value}, headers=headers) for _ in range(2)]

    assert [response.status_code for response in responses] == [400, 429]
    assert not await admin.fetchval("select exists (select from notifications where read)")


async def test_d4_the_worker_reads_only_the_payloads_that_its_jobs_need(database: Database, rosa: Person) -> None:
    await make_templates(database, rosa, 1)
    async with database.acting_as(SERVICE) as connection:
        without_payload = await events_after(connection, Position(), with_payload={"waiver.signed"})
        with_payload = await events_after(connection, Position(), with_payload={"row.changed"})

    assert [event.payload for event in without_payload if event.name == "row.changed"] == [{}]
    assert [event.payload["table"] for event in with_payload if event.name == "row.changed"] == ["waiver_templates"]
