"""The directory lists signed records and unsigned sessions together, searched, filtered, sorted and paged."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest

from cairn.db import ANON, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, sign
from tests.people import Person

Row = dict[str, Any]


async def directory(database: Database, person: Person, **parameters: object) -> list[Row]:
    arguments = ", ".join(f"{name} => ${place}" for place, name in enumerate(parameters, 1))
    async with database.acting_as(person.principal) as connection:
        return [
            dict(row)
            for row in await connection.fetch(f"select * from waiver_directory({arguments})", *parameters.values())
        ]


async def all_pages(database: Database, person: Person, **parameters: object) -> list[Row]:
    """Returns the rows of all pages. Each page has at most `up_to` rows."""
    listed_rows: list[Row] = []
    while rows := await directory(database, person, **parameters):
        listed_rows += rows
        parameters |= {"after_place": rows[-1]["place"], "after_id": rows[-1]["id"]}
    return listed_rows


async def names(database: Database, person: Person, **parameters: object) -> list[str]:
    return [row["name"] for row in await directory(database, person, **parameters)]


async def expire(admin: "asyncpg.Connection[asyncpg.Record]", session_id: UUID) -> None:
    await admin.execute("update waivers.sessions set expires_at = now() - interval '1 day' where id = $1", session_id)


@pytest.mark.accept("MGMT-06", "ENT-15")
async def test_signed_records_and_pending_sessions_are_listed_together_newest_first(
    database: Database, rosa: Person
) -> None:
    ana = await make_session(database, rosa, name="Ana", email="ana@example.com")
    bo = await make_session(database, rosa, name="Bo", email="bo@example.com")
    waiver = await sign(database, await make_session(database, rosa, name="Gil"), name="Gil Okafor")

    rows = await directory(database, rosa)

    assert [(row["type"], row["id"]) for row in rows] == [("signed", waiver["id"]), ("pending", bo), ("pending", ana)]
    first_row = {name: value for name, value in rows[0].items() if name != "place"}
    assert first_row == {
        "id": waiver["id"], "type": "signed", "session_id": waiver["session_id"], "template_id": SAMPLE_TEMPLATE_ID,
        "template_name": "General Liability Waiver", "name": "Gil Okafor", "email": "gil@example.com",
        "status": "signed", "at": waiver["signed_at"], "signature": waiver["signature"], "content": waiver["content"],
        "minors": [], "flags": [],
    }  # fmt: skip
    assert (rows[1]["email"], rows[1]["status"], rows[1]["signature"]) == ("bo@example.com", "pending", None)


async def test_a_session_that_was_signed_twice_is_listed_once_for_each_record(database: Database, rosa: Person) -> None:
    session = await make_session(database, rosa)
    first, second = [await sign(database, session, name=name) for name in ("Gil", "Gilda")]

    assert [row["id"] for row in await directory(database, rosa)] == [second["id"], first["id"]]


@pytest.mark.accept("MGMT-07")
async def test_a_pending_session_past_its_expiry_is_listed_as_expired_and_stored_as_pending(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]", rosa: Person
) -> None:
    await make_session(database, rosa, name="Ana")
    expired = await make_session(database, rosa, name="Bo")
    await expire(admin, expired)
    await sign(database, await make_session(database, rosa), name="Gil")

    assert {row["name"]: row["status"] for row in await directory(database, rosa)} == {
        "Gil": "signed", "Bo": "expired", "Ana": "pending",
    }  # fmt: skip
    for state, expected in {"signed": ["Gil"], "pending": ["Ana"], "expired": ["Bo"]}.items():
        assert await names(database, rosa, state=state) == expected
    assert await admin.fetchval("select status from waivers.sessions where id = $1", expired) == "pending"


@pytest.mark.parametrize(("sorted_", "expected"), [
    ("newest", ["zoë", "Ćosić", "Cora", "Anonymous", "ana"]),
    ("oldest", ["ana", "Anonymous", "Cora", "Ćosić", "zoë"]),
    ("a-z", ["ana", "Anonymous", "Cora", "Ćosić", "zoë"]),
    ("z-a", ["zoë", "Ćosić", "Cora", "Anonymous", "ana"]),
])  # fmt: skip
@pytest.mark.parametrize("up_to", [1, 2, 3, 1000])
async def test_pages_of_any_size_give_every_row_once_in_order(
    database: Database, rosa: Person, sorted_: str, expected: list[str], up_to: int
) -> None:
    for name in ("ana", "", "Cora", "Ćosić", "zoë"):
        session = await make_session(database, rosa, name=name)
        if name in {"Cora", "zoë"}:
            await sign(database, session, name=name)

    rows = await all_pages(database, rosa, sorted=sorted_, up_to=up_to)

    assert [row["name"] for row in rows] == expected


@pytest.mark.accept("MGMT-01")
@pytest.mark.parametrize("sorted_", ["newest", "oldest", "a-z", "z-a"])
async def test_a_search_finds_any_part_of_a_name_an_address_or_a_template_and_ignores_case(
    database: Database, rosa: Person, sorted_: str
) -> None:
    night = await make_template(database, rosa, name="Night ride")
    await make_session(database, rosa, SAMPLE_TEMPLATE_ID, name="Ana Ćosić", email="ana@example.com")
    session_id = await make_session(database, rosa, night, name="recipient")
    await sign(database, session_id, name="Bo Lindqvist", signer_email="bo@mountains.example")

    for term in ("lindq", "LINDQVIST", "mountains", "night R", "bo@", "  Bo "):
        assert await names(database, rosa, term=term, sorted=sorted_) == ["Bo Lindqvist"], term
    for term in ("ćos", "Ć", "a@ex", "Liability"):
        assert await names(database, rosa, term=term, sorted=sorted_) == ["Ana Ćosić"], term
    for term in ("%", "_", "no match", "recipient", "bo\nbo"):
        assert await names(database, rosa, term=term, sorted=sorted_) == [], term


async def test_a_search_continues_after_the_newest_two_thousand_rows(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]", rosa: Person
) -> None:
    """Matches on both sides of that limit are returned once each, in order."""
    await admin.execute(
        """
        insert into waivers.sessions
               (company_id, template_id, template_name, template_content, recipient_name, status, created_at)
        select $1, 't', 'River', '', case when n % 700 = 0 then 'Needle ' || n else 'Hay' end, 'pending',
               timestamptz '2026-01-01' - n * interval '1 minute'
          from generate_series(1, 5000) n
        """,
        rosa.company,
    )
    needles = [f"Needle {number}" for number in range(700, 5000, 700)]

    assert await names(database, rosa, term="needle") == needles
    assert await names(database, rosa, term="needle", up_to=4) == needles[:4]
    assert await names(database, rosa, term="needle", sorted="oldest") == needles[::-1]


async def test_matching_rows_can_be_counted(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]", rosa: Person, mallory: Person
) -> None:
    await expire(admin, await make_session(database, rosa, name="Bo"))
    await make_session(database, rosa, name="Ana")
    await sign(database, await make_session(database, rosa), name="Gil")

    async def count(person: Person, *arguments: object) -> int:
        async with database.acting_as(person.principal) as connection:
            placeholders = ", ".join(f"${place}" for place in range(1, len(arguments) + 1))
            row_count: int = await connection.fetchval(f"select count_waiver_directory({placeholders})", *arguments)
        return row_count

    assert [await count(rosa, "", state) for state in ("all", "signed", "pending", "expired")] == [3, 1, 1, 1]
    assert await count(rosa, "ana", "all") == 1
    assert await count(rosa, "", "all", 2) == 2
    assert await count(mallory) == 0


async def test_only_the_company_sees_its_directory(
    database: Database, rosa: Person, bea: Person, mallory: Person, gil: Person
) -> None:
    await sign(database, await make_session(database, rosa))
    await make_session(database, rosa, name="Gil again")

    assert len(await directory(database, bea)) == 2
    for stranger in (mallory, gil):
        assert await directory(database, stranger) == []
        assert await directory(database, stranger, term="gil") == []
    async with database.acting_as(ANON) as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.fetch("select * from waiver_directory()")


async def test_rows_of_other_companies_take_no_place_on_a_page(
    database: Database, rosa: Person, mallory: Person
) -> None:
    await make_session(database, rosa, name="Gil")
    for _ in range(2):
        await make_session(database, mallory, name="Gil")

    assert len(await directory(database, rosa, up_to=1)) == 1
    assert len(await directory(database, rosa, up_to=1, term="gil")) == 1


@pytest.mark.parametrize("parameters", [{"sorted": "by mood"}, {"state": "lost"}])
async def test_an_unknown_order_or_state_is_refused(
    database: Database, rosa: Person, parameters: dict[str, str]
) -> None:
    with pytest.raises(asyncpg.PostgresError, match="no such order or filter"):
        await directory(database, rosa, **parameters)


@pytest.mark.accept("DASH-13")
async def test_a_template_is_listed_by_name_and_an_unknown_template_by_its_id(database: Database, rosa: Person) -> None:
    """The dashboard and the directory show this name or id in the column Template."""
    own = await make_template(database, rosa, name="Night ride")
    samples = ("general-liability", "photography-release", "medical-emergency-authorization")
    for template in (*(f"template-{sample}" for sample in samples), own, "kayak-2019"):
        await make_session(database, rosa, template)

    async with database.acting_as(rosa.principal) as connection:
        rows = await connection.fetch("select template_name from waiver_sessions order by created_at")

    expected = [
        "General Liability Waiver", "Photography Release", "Medical Emergency Authorization", "Night ride",
        "kayak-2019",
    ]  # fmt: skip
    assert [row["template_name"] for row in rows] == expected
    assert [row["template_name"] for row in await directory(database, rosa, sorted="oldest")] == expected
