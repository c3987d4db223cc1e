"""The directory is filtered by template, by flag, and by the answer to a question."""

from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase, revoke
from tests.waivers.forms.sample_forms import EMERGENCY, FAMILY_FORM, GUARDIAN, make_template, minor, sign_form
from tests.waivers.forms.test_guardian_flags import sign_for_two
from tests.waivers.test_directory import all_pages, directory

ORDERS = ["newest", "oldest", "a-z", "z-a"]
SENSITIVE = {"flag": "Asthma"}
NOT_SENSITIVE = {"flag": "Cannot swim well"}
ASTHMA = {"question": "asthma", "answer": "true"}
SWIMS_BADLY = {"question": "swims", "answer": "badly"}


async def count(database: Database, person: Person, **filters: object) -> int:
    arguments = ", ".join(f"{name} => ${place}" for place, name in enumerate(filters, 1))
    async with database.acting_as(person.principal) as connection:
        row_count: int = await connection.fetchval(f"select count_waiver_directory({arguments})", *filters.values())
    return row_count


async def found(database: Database, person: Person, **filters: object) -> list[Any]:
    """Returns the ids of the rows, after comparing their number with the count."""
    rows = await directory(database, person, **filters)
    counted = {name: value for name, value in filters.items() if name not in ("sorted", "up_to")}
    assert await count(database, person, **counted) == len(rows)
    return [row["id"] for row in rows]


async def sign_for(database: Database, owner: Person, template: str, **answers: object) -> asyncpg.Record:
    """Gil signs for Mia, who gives these answers. He has no asthma himself."""
    return await sign_form(
        database,
        await make_session(database, owner, template),
        answers={"emergency": EMERGENCY, "asthma": False},
        participants=[minor(answers={"asthma": False, "swims": "well", **answers})],
        guardian=GUARDIAN,
    )


@pytest_asyncio.fixture
async def template(database: Database, rosa: Person) -> str:
    return await make_template(database, rosa, FAMILY_FORM)


@pytest.mark.accept("FORM-42")
@pytest.mark.parametrize("sorted_", ORDERS)
async def test_waivers_are_found_by_flag_and_by_answer(
    database: Database, rosa: Person, template: str, sorted_: str
) -> None:
    """A flag and an answer may belong to different people of the waiver. Unsigned sessions have neither."""
    asthma = (await sign_for(database, rosa, template, asthma=True))["id"]
    badly = (await sign_for(database, rosa, template, swims="badly"))["id"]
    neither = (await sign_for(database, rosa, template))["id"]
    await sign(database, await make_session(database, rosa))
    await make_session(database, rosa, template)

    async def ids(**filters: object) -> set[Any]:
        return set(await found(database, rosa, sorted=sorted_, **filters))

    assert await ids(flag="") == {asthma, badly}
    assert await ids(**SENSITIVE) == await ids(**ASTHMA) == {asthma}
    assert await ids(**NOT_SENSITIVE) == await ids(**SWIMS_BADLY) == {badly}
    assert await ids(question="asthma", answer="false") == {asthma, badly, neither}
    assert await ids(**NOT_SENSITIVE, question="swims", answer="well") == set()
    assert await ids(flag="", question="asthma", answer="false") == {asthma, badly}
    assert await ids(**SENSITIVE, term="mia ok") == {asthma}
    for nothing in ({"flag": "asthma"}, {"flag": "Asthm"}, {"question": "swims", "answer": "true"}):
        assert await ids(**nothing) == set(), nothing


@pytest.mark.accept("FORM-42")
async def test_each_chosen_option_is_found_and_a_photo_is_not_compared(database: Database, rosa: Person) -> None:
    photo = f"data:image/jpeg;base64,/9j/{'A' * 2000}"
    options = [{"value": value, "label": value} for value in ("web", "friend", "poster")]
    form = {
        "questions": [
            {"key": "heard", "kind": "several_of", "label": "How did you hear of us?", "options": options},
            {"key": "face", "kind": "photo", "label": "A photo"},
        ]
    }
    session = await make_session(database, rosa, await make_template(database, rosa, form))
    waiver = await sign_form(database, session, answers={"heard": ["web", "poster"], "face": photo})

    for option, ids in {"web": [waiver["id"]], "poster": [waiver["id"]], "friend": []}.items():
        assert await found(database, rosa, question="heard", answer=option) == ids, option
    assert await found(database, rosa, question="face", answer=photo) == []


@pytest.mark.accept("FORM-42")
async def test_the_flags_of_a_guardian_who_does_not_take_part_are_found(database: Database, rosa: Person) -> None:
    waiver = await sign_for_two(database, rosa, guardian_takes_part=False)

    for flag in ("No photos", "Needs medicine", "Cannot swim", ""):
        assert await found(database, rosa, flag=flag) == [waiver["id"]], flag


@pytest.mark.accept("FORM-42")
async def test_a_template_is_a_filter_for_signed_and_unsigned_waivers(
    database: Database, rosa: Person, template: str
) -> None:
    other = await make_template(database, rosa, FAMILY_FORM)
    signed = (await sign_for(database, rosa, template, asthma=True))["id"]
    pending = await make_session(database, rosa, template)
    await sign_for(database, rosa, other, asthma=True)
    await make_session(database, rosa, other)

    assert await found(database, rosa, template=template) == [pending, signed]
    assert await found(database, rosa, template=template, state="pending") == [pending]
    assert await found(database, rosa, template=template, **ASTHMA) == [signed]
    assert await found(database, rosa, template="none") == []


@pytest.mark.accept("FORM-42")
@pytest.mark.parametrize("up_to", [1, 2, 1000])
@pytest.mark.parametrize("sorted_", ORDERS)
async def test_pages_of_a_filtered_list_give_every_row_once_also_behind_the_newest_two_thousand(
    database: Database, admin: Connection, rosa: Person, template: str, sorted_: str, up_to: int
) -> None:
    waivers = [(await sign_for(database, rosa, template, asthma=True))["id"] for _ in range(3)]
    await add_older_and_newer_waivers(admin, rosa)
    expected = waivers if sorted_ == "oldest" else waivers[::-1] if sorted_ == "newest" else sorted(waivers)
    expected = expected[::-1] if sorted_ == "z-a" else expected

    rows = await all_pages(database, rosa, sorted=sorted_, up_to=up_to, **SENSITIVE)

    assert [row["id"] for row in rows] == expected
    assert await count(database, rosa, **SENSITIVE) == 3


async def add_older_and_newer_waivers(admin: Connection, owner: Person) -> None:
    """Adds waivers without flags, so many on each side that a search in sort order does not reach the others."""
    await admin.execute(
        """
        insert into waivers.signed (session_id, company_id, template_id, template_name, signer_name, signer_email,
                                    signature, content, signed_at, record_sha256)
        select s.id, s.company_id, 't', 'River', case when n > 0 then 'Zz' else 'Aa' end, 'hay@example.com', 'data:,',
               'I ride.', now() + n * interval '1 hour', '\\x00'
          from (select id, company_id from waivers.sessions where company_id = $1 limit 1) s,
               generate_series(-2100, 2100) n
        """,
        owner.company,
    )


@pytest.mark.accept("FORM-42")
async def test_the_status_also_filters_and_after_an_erasure_nothing_is_found(
    database: Database, admin: Connection, rosa: Person, template: str
) -> None:
    waiver = (await sign_for(database, rosa, template, asthma=True, swims="badly"))["id"]
    await revoke(database, rosa, waiver)

    for filters in (SENSITIVE, NOT_SENSITIVE, ASTHMA, SWIMS_BADLY):
        for state, ids in {"all": [waiver], "signed": [], "revoked": [waiver], "pending": []}.items():
            assert await found(database, rosa, state=state, **filters) == ids, (filters, state)
    with pytest.raises(asyncpg.PostgresError, match="no such order or filter"):
        await directory(database, rosa, state="lost", **SENSITIVE)
    await erase(database, rosa, waiver)
    for filters in (SENSITIVE, NOT_SENSITIVE, ASTHMA, SWIMS_BADLY):
        assert await found(database, rosa, **filters) == [], filters
    assert await admin.fetch("select from waivers.participants where filter_keys <> '{}'") == []


@pytest.mark.accept("FORM-42")
@pytest.mark.parametrize("filters", [{"question": "asthma"}, {"answer": "true"}])
async def test_a_question_without_an_answer_is_refused_because_the_list_would_not_be_filtered(
    database: Database, rosa: Person, filters: dict[str, str]
) -> None:
    for refused in (directory, count):
        with pytest.raises(asyncpg.PostgresError, match="no such order or filter"):
            await refused(database, rosa, **filters)


@pytest.mark.accept("FORM-42")
async def test_a_rival_and_a_guest_find_nothing(
    database: Database, rosa: Person, gil: Person, mallory: Person, template: str
) -> None:
    await sign_for(database, rosa, template, asthma=True, swims="badly")

    for stranger in (gil, mallory):
        for filters in (SENSITIVE, NOT_SENSITIVE, ASTHMA, SWIMS_BADLY, {"flag": ""}, {"template": template}):
            assert await found(database, stranger, **filters) == [], filters
        async with database.acting_as(stranger.principal) as connection:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.fetch("select * from waivers.directory_people")


@pytest.mark.accept("FORM-41", "FORM-42")
async def test_without_the_right_to_sensitive_answers_they_are_neither_shown_nor_found(
    database: Database, admin: Connection, rosa: Person, bea: Person, template: str
) -> None:
    """One function decides who may read them."""
    waiver = await sign_for(database, rosa, template, asthma=True, swims="badly")
    await admin.execute(
        f"""
        create or replace function waivers.may_read_sensitive_answers() returns boolean
            language sql stable return (select auth.uid()) = '{rosa.id}'
        """
    )

    for filters in (SENSITIVE, ASTHMA):
        assert await found(database, rosa, **filters) == [waiver["id"]], filters
        assert await found(database, bea, **filters) == [], filters
    for filters in (NOT_SENSITIVE, SWIMS_BADLY, {"flag": ""}):
        assert await found(database, bea, **filters) == [waiver["id"]], filters
    [row] = await directory(database, bea)
    assert row["flags"] == ["Cannot swim well"]
    async with database.acting_as(bea.principal) as connection:
        for query in (
            "select answers, flags from participants",
            "select flags, answers from participants_for_export($1, true)",
            "select answers, participants from signed_waivers",
        ):
            shown = str(await connection.fetch(query, *([[waiver["id"]]] if "$1" in query else [])))
            assert "asthma" not in shown.lower(), query
