"""The directory finds a waiver by the names of the minors for whom it was signed."""

import asyncpg
import pytest

from cairn.db import Connection, Database
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase
from tests.waivers.forms.sample_forms import EMERGENCY, GUARDIAN, minor, open_session, sign_form
from tests.waivers.test_directory import all_pages, directory

ORDERS = ["newest", "oldest", "a-z", "z-a"]


async def sign_for(database: Database, owner: Person, *names: str) -> asyncpg.Record:
    """Gil Okafor signs for minors with these names."""
    return await sign_form(
        database,
        await open_session(database, owner),
        answers={"emergency": EMERGENCY, "asthma": False},
        participants=[minor(name=name) for name in names],
        guardian=GUARDIAN,
    )


async def count(database: Database, person: Person, term: str, state: str = "all") -> int:
    async with database.acting_as(person.principal) as connection:
        row_count: int = await connection.fetchval("select count_waiver_directory($1, $2)", term, state)
    return row_count


@pytest.mark.accept("FORM-40")
@pytest.mark.parametrize("sorted_", ORDERS)
async def test_a_search_finds_any_part_of_the_name_of_a_minor_and_ignores_case(
    database: Database, rosa: Person, sorted_: str
) -> None:
    family = await sign_for(database, rosa, "Mia Lindqvist", "Zoë Ćosić")
    await sign_for(database, rosa, "Ben Okafor")
    await make_session(database, rosa, name="Ana Ortiz")

    for term in ("lindq", "MIA", "zoë", "ćos", " Mia "):
        rows = await directory(database, rosa, term=term, sorted=sorted_)
        assert [(row["id"], row["name"]) for row in rows] == [(family["id"], "Gil Okafor")], term
        assert await count(database, rosa, term) == 1, term
    for term in ("mia zoë", "lindqvist\nzoë", "%"):
        assert await directory(database, rosa, term=term, sorted=sorted_) == [], term
        assert await count(database, rosa, term) == 0, term


@pytest.mark.accept("FORM-40")
@pytest.mark.parametrize("up_to", [1, 2, 1000])
@pytest.mark.parametrize("sorted_", ORDERS)
async def test_waivers_found_by_signer_and_by_minor_are_listed_once_in_one_order(
    database: Database, rosa: Person, sorted_: str, up_to: int
) -> None:
    both = await sign_for(database, rosa, "Mia Okafor", "Ben Okafor")
    by_signer = await sign(database, await make_session(database, rosa), name="Ana Okafor")
    session = await make_session(database, rosa, name="Zoe Okafor")
    by_minor = await sign_for(database, rosa, "Lou Okafor")
    oldest_first = [both["id"], by_signer["id"], session, by_minor["id"]]
    # Gil signed both waivers for minors, so the two are in the order of their ids.
    of_gil = sorted([both["id"], by_minor["id"]])
    by_name = [by_signer["id"], *of_gil, session]
    expected = {"newest": oldest_first[::-1], "oldest": oldest_first, "a-z": by_name, "z-a": by_name[::-1]}[sorted_]

    rows = await all_pages(database, rosa, term="okafor", sorted=sorted_, up_to=up_to)

    assert [row["id"] for row in rows] == expected
    assert await count(database, rosa, "okafor") == 4


@pytest.mark.accept("FORM-40")
async def test_a_minor_is_found_even_if_two_thousand_waivers_are_newer(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """Older waivers are found with the index of the minors, and all waivers are still listed in one order."""
    session = await make_session(database, rosa)
    first = await sign_for(database, rosa, "Mia Needle")
    second = await sign(database, await make_session(database, rosa), name="Ana Needle")
    third = await sign_for(database, rosa, "Lou Needle")
    await admin.execute(
        """
        with hay as (
            insert into waivers.signed (id, session_id, company_id, template_id, template_name, signer_name,
                                        signer_email, signature, content, signed_at, record_sha256)
            select gen_random_uuid(), $1, $2, 't', 'River', 'Hay ' || n, 'hay@example.com', 'data:,', 'I ride.',
                   now() + n * interval '1 second', '\\x00'
              from generate_series(1, 2500) n
            returning id)
        insert into waivers.participants (waiver_id, company_id, number, takes_part, name, kind, answers, flags)
        select id, $2, 1, true, 'Little hay', 'minor', '{}', '[]' from hay
        """,
        session, rosa.company,
    )  # fmt: skip
    await admin.execute("analyze waivers.participants")
    oldest_first = [waiver["id"] for waiver in (first, second, third)]

    assert [row["id"] for row in await directory(database, rosa, term="needle")] == oldest_first[::-1]
    assert [row["id"] for row in await directory(database, rosa, term="needle", up_to=2)] == oldest_first[:0:-1]
    assert [row["id"] for row in await directory(database, rosa, term="lou needle")] == [third["id"]]
    assert await count(database, rosa, "needle") == 3
    assert await count_index_uses(database, admin, rosa, "lou needle") == 1


async def count_index_uses(database: Database, admin: Connection, person: Person, term: str) -> int:
    """Searches once, and returns how often the index of the minors was used for that."""
    query = "select idx_scan from pg_stat_user_indexes where indexrelname = 'participants_search_idx'"
    async with database.acting_as(person.principal) as connection:
        await connection.execute("select pg_stat_force_next_flush()")
    uses_before: int = await admin.fetchval(query)
    async with database.acting_as(person.principal) as connection:
        await connection.fetch("select id from waiver_directory($1)", term)
        await connection.execute("select pg_stat_force_next_flush()")
    uses: int = await admin.fetchval(query)
    return uses - uses_before


@pytest.mark.accept("FORM-40")
async def test_the_status_also_filters_waivers_found_by_the_name_of_a_minor(database: Database, rosa: Person) -> None:
    waiver = await sign_for(database, rosa, "Mia Lindqvist")
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("select revoke_waiver($1, 'Signed by mistake')", waiver["id"])

    for state, rows in {"all": 1, "signed": 0, "revoked": 1, "pending": 0, "cancelled": 0}.items():
        assert len(await directory(database, rosa, term="lindqvist", state=state)) == rows, state
        assert await count(database, rosa, "lindqvist", state) == rows, state


@pytest.mark.accept("FORM-40")
async def test_only_the_company_finds_a_minor_and_no_one_does_after_an_erasure(
    database: Database, rosa: Person, bea: Person, gil: Person, mallory: Person
) -> None:
    waiver = await sign_for(database, rosa, "Mia Lindqvist")

    assert len(await directory(database, bea, term="lindqvist")) == 1
    for stranger in (gil, mallory):
        assert await directory(database, stranger, term="lindqvist") == []
        assert await count(database, stranger, "lindqvist") == 0
        async with database.acting_as(stranger.principal) as connection:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.fetch("select waivers.waivers_with_minor_named($1, 'lindqvist')", rosa.company)
    await erase(database, rosa, waiver["id"])
    assert await directory(database, rosa, term="lindqvist") == []
