"""Rosa has one row in every table. Mallory owns another company and gets at none of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Database
from tests.cast import Person
from tests.make import SAMPLE, make_session, make_template, sign
from tests.rest.conftest import Client

Headers = Callable[[Person], dict[str, str]]
BACK = {"Prefer": "return=representation"}


@dataclass(frozen=True)
class Holding:
    """Rosa's row of a table, a change Mallory would like to make and a row she would like to slip in."""

    id: object
    change: dict[str, Any]
    forged: dict[str, Any]


@pytest_asyncio.fixture
async def holdings(database: Database, rosa: Person) -> dict[str, Holding]:
    company = str(rosa.company)
    template = await make_template(database, rosa)
    session = await make_session(database, rosa)
    waiver = (await sign(database, await make_session(database, rosa)))["id"]
    sent, email, notice = await _records(database, company, session)
    mail = {"company_id": company, "recipient": "gil@example.com", "subject": "Hi", "body": "Hi"}
    return {
        "waiver_templates": Holding(template, {"name": "Mine"}, {"name": "Mine", "company_id": company}),
        "waiver_sessions": Holding(
            session, {"recipient_name": "Mallory"}, {"template_id": template, "company_id": company}
        ),
        "signed_waivers": Holding(waiver, {"signer_name": "Mallory"}, {"template_id": template, "company_id": company}),
        "sent_waivers": Holding(
            sent,
            {"recipient_name": "Mallory"},
            {
                "session_id": str(session),
                "template_id": SAMPLE,
                "template_name": "x",
                "template_content": "x",
                "recipient_name": "x",
                "recipient_email": "x@example.com",
            },
        ),
        "emails": Holding(email, {"subject": "Mine"}, mail),
        "notifications": Holding(
            notice, {"read": True}, {"company_id": company, "title": "x", "message": "x", "about": str(session)}
        ),
        "companies": Holding(company, {"name": "Mine"}, {"name": "Mine"}),
        "profiles": Holding(
            rosa.id,
            {"bio": "Mine"},
            {"id": str(rosa.id), "role": "company", "name": "x", "email": "x", "company_id": company},
        ),
    }


async def _records(database: Database, company: str, session: UUID) -> tuple[UUID, UUID, UUID]:
    async with database.acting_as(SERVICE) as connection:
        sent: UUID = await connection.fetchval(
            """
            insert into sent_waivers
                   (company_id, session_id, template_id, template_name, template_content,
                    recipient_name, recipient_email)
            values ($1, $2, 't', 't', 'c', 'Gil', 'gil@example.com') returning id
            """,
            company, session,
        )  # fmt: skip
        email: UUID = await connection.fetchval(
            "insert into emails (company_id, recipient, subject, body) values ($1, 'g@x.org', 'Hi', 'b') returning id",
            company,
        )  # fmt: skip
        notice: UUID = await connection.fetchval(
            "insert into notifications (company_id, title, message, about) values ($1, 't', 'm', $2) returning id",
            company, session,
        )  # fmt: skip
    return sent, email, notice


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
BY_EXACT_ID = {"waiver_templates", "waiver_sessions"}


@pytest.mark.accept("REST-23")
@pytest.mark.parametrize("table", TABLES)
async def test_a_rival_gets_at_nothing(
    client: Client,
    holdings: dict[str, Holding],
    rosa: Person,
    mallory: Person,
    gil: Person,
    calling: Headers,
    table: str,
) -> None:
    held = holdings[table]
    before = await _seen(client, table, calling(rosa))
    assert str(held.id) in {row["id"] for row in before}

    await _tries_everything(client, table, held, calling(mallory))
    assert await _seen(client, table, calling(rosa)) == before
    for guest in (calling(gil), {}):
        await _tries_everything(client, table, held, guest)
    # Guests open sessions for a template whose id they were given; what was there stays as it was.
    after = await _seen(client, table, calling(rosa))
    assert [row for row in after if row in before] == before
    assert len(after) == len(before) or table == "waiver_sessions"


async def _seen(client: Client, table: str, headers: dict[str, str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (await client.get(f"/{table}?order=id", headers=headers)).json()
    return rows


async def _tries_everything(client: Client, table: str, held: Holding, headers: dict[str, str]) -> None:
    await _tries_to_read(client, table, held, headers)
    await _tries_to_write(client, table, held, headers)


async def _tries_to_read(client: Client, table: str, held: Holding, headers: dict[str, str]) -> None:
    for query in ("", f"id=in.({held.id})", "order=id.desc", "or=(id.not.is.null,id.is.null)"):
        answer = await client.get(f"/{table}?select=id&{query}", headers=headers)
        assert answer.status_code in (200, 401, 403)
        assert str(held.id) not in answer.text
    exact = await client.get(f"/{table}?select=id&id=eq.{held.id}", headers=headers)
    assert (str(held.id) in exact.text) == (table in BY_EXACT_ID)
    counted = await client.head(f"/{table}?id=in.({held.id})", headers={**headers, "Prefer": "count=exact"})
    assert counted.status_code in (401, 403) or counted.headers["content-range"] == "*/0"


async def _tries_to_write(client: Client, table: str, held: Holding, headers: dict[str, str]) -> None:
    attempts = [
        await client.patch(f"/{table}?id=eq.{held.id}", json=held.change, headers={**headers, **BACK}),
        await client.delete(f"/{table}?id=eq.{held.id}", headers={**headers, **BACK}),
    ]
    for answer in attempts:
        # Refused, or nothing there to be changed.
        assert answer.status_code >= 400 or answer.json() == [], answer.text
    slipped_in = await client.post(f"/{table}", json=held.forged, headers=headers)
    assert slipped_in.status_code >= 400 or table == "waiver_sessions", slipped_in.text


@pytest.mark.accept("REST-02")
async def test_the_directory_holds_only_ones_own_sessions(
    client: Client, database: Database, rosa: Person, bea: Person, mallory: Person, calling: Headers
) -> None:
    ours = [await make_session(database, rosa, name=name) for name in ("Gil", "Ada")]
    theirs = await make_session(database, mallory)
    address = "/waiver_sessions?select=id&order=created_at.desc"

    assert [row["id"] for row in (await client.get(address, headers=calling(rosa))).json()] == [
        str(i) for i in ours[::-1]
    ]
    assert [row["id"] for row in (await client.get(address, headers=calling(bea))).json()] == [
        str(i) for i in ours[::-1]
    ]
    assert (await client.get(address, headers=calling(mallory))).json() == [{"id": str(theirs)}]
    assert (await client.get(address)).json() == []


@pytest.mark.accept("REST-17")
async def test_the_signed_waivers_are_ones_own(
    client: Client, database: Database, rosa: Person, mallory: Person, calling: Headers
) -> None:
    first = await sign(database, await make_session(database, rosa))
    second = await sign(database, await make_session(database, rosa))
    address = "/signed_waivers?select=id&order=signed_at.desc"

    answer = await client.get(address, headers=calling(rosa))

    assert [row["id"] for row in answer.json()] == [str(second["id"]), str(first["id"])]
    assert (await client.get(address, headers=calling(mallory))).json() == []
    assert (await client.get(address)).json() == []


@pytest.mark.accept("REST-13")
async def test_the_owner_is_whom_the_server_knows(
    client: Client, rosa: Person, mallory: Person, calling: Headers
) -> None:
    headers = {**calling(mallory), **BACK}
    forged = {"template_id": SAMPLE, "template_content": "x", "company_id": str(rosa.company)}

    session = await client.post("/waiver_sessions?select=company_id", json=forged, headers=headers)
    signed = await client.post("/waiver_sessions", json={**forged, "status": "signed"}, headers=headers)
    template = await client.post(
        "/waiver_templates", json={"name": "x", "company_id": str(rosa.company)}, headers=headers
    )
    own = await client.post("/waiver_templates?select=company_id", json={"name": "x"}, headers=headers)

    assert session.json() == [{"company_id": str(mallory.company)}]
    assert signed.status_code == 400
    assert (template.status_code, template.json()["code"]) == (403, "42501")
    assert own.json() == [{"company_id": str(mallory.company)}]
