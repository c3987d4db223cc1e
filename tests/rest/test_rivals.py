"""Rosa has a row in each of these tables. Mallory owns another company and can neither read nor change the rows."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, sign
from tests.people import Person
from tests.rest.conftest import Client, HeadersFor

RETURN_ROWS = {"Prefer": "return=representation"}


@dataclass(frozen=True)
class RosasRow:
    """Holds the id of Rosa's row in a table, and the change and the row with which Mallory attacks the table."""

    id: object
    change: dict[str, Any]
    forged_row: dict[str, Any]


@pytest_asyncio.fixture
async def rosas_rows(database: Database, rosa: Person) -> dict[str, RosasRow]:
    company = str(rosa.company)
    template = await make_template(database, rosa)
    session = await make_session(database, rosa)
    waiver = (await sign(database, await make_session(database, rosa)))["id"]
    sent_waiver_id, email_id, notification_id = await _add_records(database, company, session)
    forged_email = {"company_id": company, "recipient": "gil@example.com", "subject": "Hi", "body": "Hi"}
    return {
        "waiver_templates": RosasRow(template, {"name": "Mine"}, {"name": "Mine", "company_id": company}),
        "waiver_sessions": RosasRow(
            session, {"recipient_name": "Mallory"}, {"template_id": template, "company_id": company}
        ),
        "signed_waivers": RosasRow(
            waiver, {"signer_name": "Mallory"}, {"template_id": template, "company_id": company}
        ),
        "sent_waivers": RosasRow(
            sent_waiver_id,
            {"recipient_name": "Mallory"},
            {
                "session_id": str(session),
                "template_id": SAMPLE_TEMPLATE_ID,
                "template_name": "x",
                "template_content": "x",
                "recipient_name": "x",
                "recipient_email": "x@example.com",
            },
        ),
        "emails": RosasRow(email_id, {"subject": "Mine"}, forged_email),
        "notifications": RosasRow(
            notification_id,
            {"read": True},
            {"company_id": company, "title": "x", "message": "x", "about": str(session)},
        ),
        "companies": RosasRow(company, {"name": "Mine"}, {"name": "Mine"}),
        "profiles": RosasRow(
            rosa.id,
            {"bio": "Mine"},
            {"id": str(rosa.id), "role": "company", "name": "x", "email": "x", "company_id": company},
        ),
    }


async def _add_records(database: Database, company: str, session: UUID) -> tuple[UUID, UUID, UUID]:
    async with database.acting_as(SERVICE) as connection:
        sent_waiver_id: UUID = await connection.fetchval(
            """
            insert into sent_waivers
                   (company_id, session_id, template_id, template_name, template_content,
                    recipient_name, recipient_email)
            values ($1, $2, 't', 't', 'c', 'Gil', 'gil@example.com') returning id
            """,
            company, session,
        )  # fmt: skip
        email_id: UUID = await connection.fetchval(
            "insert into emails (company_id, recipient, subject, body) values ($1, 'g@x.org', 'Hi', 'b') returning id",
            company,
        )  # fmt: skip
        notification_id: UUID = await connection.fetchval(
            "insert into notifications (company_id, title, message, about) values ($1, 't', 'm', $2) returning id",
            company, session,
        )  # fmt: skip
    return sent_waiver_id, email_id, notification_id


TABLES = [
    "waiver_templates",
    "waiver_sessions",
    "signed_waivers",
    "sent_waivers",
    "emails",
    "notifications",
    "companies",
    "profiles",
]
READABLE_BY_EXACT_ID = {"waiver_templates", "waiver_sessions"}


@pytest.mark.accept("REST-23")
@pytest.mark.parametrize("table", TABLES)
async def test_another_company_and_guests_can_neither_read_nor_write_a_row(
    client: Client,
    rosas_rows: dict[str, RosasRow],
    rosa: Person,
    mallory: Person,
    gil: Person,
    headers_for: HeadersFor,
    table: str,
) -> None:
    row = rosas_rows[table]
    rows_before = await _visible_rows(client, table, headers_for(rosa))
    assert str(row.id) in {visible_row["id"] for visible_row in rows_before}

    await _attempt_everything(client, table, row, headers_for(mallory))
    assert await _visible_rows(client, table, headers_for(rosa)) == rows_before
    for guest_headers in (headers_for(gil), {}):
        await _attempt_everything(client, table, row, guest_headers)
    # Guests may open sessions for a template if they know its id. Existing rows are never changed.
    rows_after = await _visible_rows(client, table, headers_for(rosa))
    assert [visible_row for visible_row in rows_after if visible_row in rows_before] == rows_before
    assert len(rows_after) == len(rows_before) or table == "waiver_sessions"


async def _visible_rows(client: Client, table: str, headers: dict[str, str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (await client.get(f"/{table}?order=id", headers=headers)).json()
    return rows


async def _attempt_everything(client: Client, table: str, row: RosasRow, headers: dict[str, str]) -> None:
    await _attempt_reads(client, table, row, headers)
    await _attempt_writes(client, table, row, headers)


async def _attempt_reads(client: Client, table: str, row: RosasRow, headers: dict[str, str]) -> None:
    for query in ("", f"id=in.({row.id})", "order=id.desc", "or=(id.not.is.null,id.is.null)"):
        response = await client.get(f"/{table}?select=id&{query}", headers=headers)
        assert response.status_code in (200, 401, 403)
        assert str(row.id) not in response.text
    exact_response = await client.get(f"/{table}?select=id&id=eq.{row.id}", headers=headers)
    assert (str(row.id) in exact_response.text) == (table in READABLE_BY_EXACT_ID)
    head = await client.head(f"/{table}?id=in.({row.id})", headers={**headers, "Prefer": "count=exact"})
    assert head.status_code in (401, 403) or head.headers["content-range"] == "*/0"


async def _attempt_writes(client: Client, table: str, row: RosasRow, headers: dict[str, str]) -> None:
    responses = [
        await client.patch(f"/{table}?id=eq.{row.id}", json=row.change, headers={**headers, **RETURN_ROWS}),
        await client.delete(f"/{table}?id=eq.{row.id}", headers={**headers, **RETURN_ROWS}),
    ]
    for response in responses:
        # The write is either rejected or finds no row.
        assert response.status_code >= 400 or response.json() == [], response.text
    # Without a filter and without returned rows, only the policy for the write protects the rows of others. The
    # request may succeed, because it changes the caller's own rows.
    await client.patch(f"/{table}", json=row.change, headers=headers)
    await client.delete(f"/{table}", headers=headers)
    insert_response = await client.post(f"/{table}", json=row.forged_row, headers=headers)
    assert insert_response.status_code >= 400 or table == "waiver_sessions", insert_response.text


@pytest.mark.accept("REST-02")
async def test_a_company_lists_only_its_own_sessions(
    client: Client, database: Database, rosa: Person, bea: Person, mallory: Person, headers_for: HeadersFor
) -> None:
    rosas_sessions = [await make_session(database, rosa, name=name) for name in ("Gil", "Ada")]
    mallorys_session = await make_session(database, mallory)
    url = "/waiver_sessions?select=id&order=created_at.desc"

    assert [row["id"] for row in (await client.get(url, headers=headers_for(rosa))).json()] == [
        str(session) for session in rosas_sessions[::-1]
    ]
    assert [row["id"] for row in (await client.get(url, headers=headers_for(bea))).json()] == [
        str(session) for session in rosas_sessions[::-1]
    ]
    assert (await client.get(url, headers=headers_for(mallory))).json() == [{"id": str(mallorys_session)}]
    assert (await client.get(url)).json() == []


@pytest.mark.accept("REST-17")
async def test_a_company_lists_only_its_own_waivers(
    client: Client, database: Database, rosa: Person, mallory: Person, headers_for: HeadersFor
) -> None:
    first_waiver = await sign(database, await make_session(database, rosa))
    second_waiver = await sign(database, await make_session(database, rosa))
    url = "/signed_waivers?select=id&order=signed_at.desc"

    response = await client.get(url, headers=headers_for(rosa))

    assert [row["id"] for row in response.json()] == [str(second_waiver["id"]), str(first_waiver["id"])]
    assert (await client.get(url, headers=headers_for(mallory))).json() == []
    assert (await client.get(url)).json() == []


@pytest.mark.accept("REST-13")
async def test_the_owner_is_taken_from_the_token_and_not_from_the_body(
    client: Client, rosa: Person, mallory: Person, headers_for: HeadersFor
) -> None:
    headers = {**headers_for(mallory), **RETURN_ROWS}
    forged_session = {"template_id": SAMPLE_TEMPLATE_ID, "template_content": "x", "company_id": str(rosa.company)}

    session = await client.post("/waiver_sessions?select=company_id", json=forged_session, headers=headers)
    signed_session = await client.post("/waiver_sessions", json={**forged_session, "status": "signed"}, headers=headers)
    template = await client.post(
        "/waiver_templates", json={"name": "x", "company_id": str(rosa.company)}, headers=headers
    )
    own_template = await client.post("/waiver_templates?select=company_id", json={"name": "x"}, headers=headers)

    assert session.json() == [{"company_id": str(mallory.company)}]
    assert signed_session.status_code == 400
    assert (template.status_code, template.json()["code"]) == (403, "42501")
    assert own_template.json() == [{"company_id": str(mallory.company)}]
