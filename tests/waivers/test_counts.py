"""The dashboard counts the rows that Waiver Management lists for each status, and only those of the company."""

import pytest

from cairn.db import Connection, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, sign
from tests.people import Person
from tests.waivers.acts import call, cancel, expire, revoke
from tests.waivers.test_directory import directory, names


async def counts(database: Database, person: Person) -> dict[str, int]:
    async with database.acting_as(person.principal) as connection:
        row = await connection.fetchrow("select * from waiver_counts()")
    assert row is not None
    return dict(row)


async def make_one_of_each(database: Database, admin: Connection, rosa: Person) -> None:
    await make_session(database, rosa, name="Ana")
    await expire(admin, await make_session(database, rosa, name="Bo"))
    await cancel(database, rosa, await make_session(database, rosa, name="Cora"))
    await sign(database, await make_session(database, rosa), name="Dan")
    old = await sign(database, await make_session(database, rosa), name="Eva")
    await revoke(database, rosa, old["id"])
    replaced = await sign(database, await make_session(database, rosa), name="Finn")
    new = await sign(database, await make_session(database, rosa), name="Finn II")
    await revoke(database, rosa, replaced["id"], "Signed again", new["id"])


@pytest.mark.accept("DASH-05", "DASH-06", "DASH-07", "DASH-09")
async def test_expired_cancelled_and_revoked_waivers_are_not_counted_as_pending_or_signed(
    database: Database, admin: Connection, rosa: Person, mallory: Person, gil: Person
) -> None:
    await make_one_of_each(database, admin, rosa)
    await call(
        database, rosa.principal,
        "insert into waiver_sessions (template_id, status) values ($1, 'template_default')", SAMPLE_TEMPLATE_ID,
    )  # fmt: skip

    assert await counts(database, rosa) == {
        "total": 7, "signed": 2, "pending": 1, "expired": 1, "cancelled": 1, "revoked": 2,
    }  # fmt: skip
    assert set((await counts(database, mallory)).values()) == {0}
    assert set((await counts(database, gil)).values()) == {0}


@pytest.mark.accept("DASH-06", "DASH-09", "APP-13")
async def test_each_count_equals_the_number_of_rows_that_its_link_opens(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await make_one_of_each(database, admin, rosa)
    signed_twice = await make_session(database, rosa)
    first = await sign(database, signed_twice, name="Gia")
    await sign(database, signed_twice, name="Gia again")
    await revoke(database, rosa, first["id"])

    numbers = await counts(database, rosa)

    assert numbers == {"total": 9, "signed": 3, "pending": 1, "expired": 1, "cancelled": 1, "revoked": 3}
    for state, number in numbers.items():
        rows = await directory(database, rosa, state="all" if state == "total" else state)
        assert len(rows) == number, state


@pytest.mark.accept("DASH-06", "MGMT-07")
async def test_the_directory_shows_and_filters_cancelled_and_revoked_waivers(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    await make_one_of_each(database, admin, rosa)

    assert {row["name"]: (row["type"], row["status"]) for row in await directory(database, rosa)} == {
        "Ana": ("pending", "pending"), "Bo": ("pending", "expired"), "Cora": ("pending", "cancelled"),
        "Dan": ("signed", "signed"), "Eva": ("signed", "revoked"), "Finn": ("signed", "superseded"),
        "Finn II": ("signed", "signed"),
    }  # fmt: skip
    filters = {
        "pending": ["Ana"], "expired": ["Bo"], "cancelled": ["Cora"], "signed": ["Finn II", "Dan"],
        "revoked": ["Finn", "Eva"],
    }  # fmt: skip
    for state, expected in filters.items():
        assert await names(database, rosa, state=state) == expected
        for term in ("", "example.com"):
            count = await call(database, rosa.principal, "select count_waiver_directory($1, $2)", term, state)
            assert count == len(expected)
    assert await call(database, rosa.principal, "select count_waiver_directory()") == 7
    assert await names(database, rosa, term="cora", sorted="a-z") == ["Cora"]
    assert await directory(database, mallory) == []
