"""Signing a form stores its answers and participants. If one does not fit the form, the refusal names it."""

import json
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from tests.factories import make_session, sign, signature_data_url
from tests.people import Person
from tests.refusals import listed_refusals
from tests.waivers.forms.sample_forms import EMERGENCY, FAMILY_FORM, GUARDIAN, minor, open_session, sign_form


async def test_a_signature_stores_the_signer_and_the_minors(database: Database, rosa: Person) -> None:
    session_id = await open_session(database, rosa)
    waiver = await sign_form(
        database,
        session_id,
        answers={"emergency": EMERGENCY, "asthma": False},
        participants=[
            minor(),
            minor(12, name=" Noa\tOkafor ", answers={"asthma": True, "inhaler": True, "swims": "badly"}),
        ],
        guardian=GUARDIAN,
    )

    async with database.acting_as(rosa.principal) as connection:
        rows = await connection.fetch("select * from participants where waiver_id = $1 order by number", waiver["id"])
    assert [(row["name"], row["kind"]) for row in rows] == [
        ("Gil Okafor", "adult"),
        ("Mia Okafor", "minor"),
        ("Noa Okafor", "minor"),
    ]
    assert json.loads(rows[0]["answers"]) == {"emergency": EMERGENCY, "asthma": False}
    assert json.loads(rows[2]["answers"]) == {"asthma": True, "inhaler": True, "swims": "badly"}
    assert json.loads(rows[2]["flags"]) == [
        {"question": "swims", "text": "Cannot swim well"},
        {"question": "asthma", "text": "Asthma"},
    ]


async def test_a_waiver_without_a_form_has_its_signer_as_the_only_participant(database: Database, rosa: Person) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    async with database.acting_as(rosa.principal) as connection:
        rows = await connection.fetch("select name, kind, answers from participants where waiver_id = $1", waiver["id"])
    assert [tuple(row) for row in rows] == [(waiver["signer_name"], "adult", "{}")]


ANSWERS = {"emergency": EMERGENCY, "asthma": False}


@pytest.mark.parametrize(
    ("columns", "code", "details"),
    [
        ({}, "answer_required", {"question": "emergency"}),
        ({"answers": []}, "answers_invalid", {}),
        ({"answers": {"emergency": EMERGENCY}}, "answer_required", {"question": "asthma"}),
        ({"answers": {**ANSWERS, "emergency": {"name": "Ana"}}}, "answer_invalid", {"question": "emergency"}),
        (
            {"answers": {**ANSWERS, "emergency": {**EMERGENCY, "phone": "none"}}},
            "answer_invalid",
            {"question": "emergency"},
        ),
        ({"answers": {**ANSWERS, "emergency": {**EMERGENCY, "age": "3"}}}, "answer_invalid", {"question": "emergency"}),
        ({"answers": {**ANSWERS, "asthma": "yes"}}, "answer_invalid", {"question": "asthma"}),
        ({"answers": {**ANSWERS, "inhaler": True}}, "answer_not_asked", {"question": "inhaler"}),
        ({"answers": {**ANSWERS, "swims": "well"}}, "answer_not_asked", {"question": "swims"}),
        ({"answers": {**ANSWERS, "shoe_size": 42}}, "question_unknown", {"question": "shoe_size"}),
        ({"answers": {f"q{n}": 1 for n in range(101)}}, "answers_invalid", {}),
        ({"participants": {}}, "participants_invalid", {}),
        ({"participants": [minor(signature=[7])]}, "participants_invalid", {"participant": 0}),
        ({"participants": ["Mia"]}, "participants_invalid", {"participant": 0}),
        ({"participants": [minor(age=8, note="x")]}, "participants_invalid", {"participant": 0}),
        ({"participants": [minor(), minor(name=" ")]}, "participant_name_required", {"participant": 1}),
        ({"participants": [minor(name=7)]}, "participant_name_required", {"participant": 0}),
        ({"participants": [minor(birth_date="2017-02-30")]}, "participant_birth_date_required", {"participant": 0}),
        ({"participants": [minor(birth_date="2999-01-01")]}, "participant_birth_date_required", {"participant": 0}),
        ({"participants": [minor(birth_date=None)]}, "participant_birth_date_required", {"participant": 0}),
        ({"participants": [minor(), minor(19)]}, "participant_is_adult", {"participant": 1}),
        ({"participants": [minor(kind="adult")]}, "participant_is_adult", {"participant": 0}),
        ({"participants": [minor(answers={})]}, "answer_required", {"question": "asthma", "participant": 0}),
        (
            {"participants": [minor(answers={"asthma": False, "emergency": EMERGENCY})]},
            "answer_not_asked",
            {"question": "emergency", "participant": 0},
        ),
        (
            {"participants": [minor(answers={"asthma": False, "swims": "like a fish"})]},
            "answer_invalid",
            {"question": "swims", "participant": 0},
        ),
        (
            {"participants": [minor(answers={"asthma": False, "inhaler": False})]},
            "answer_not_asked",
            {"question": "inhaler", "participant": 0},
        ),
        ({"participants": [minor()] * 4}, "too_many_participants", {"most": 3}),
        ({"participants": [minor(17)]}, "participant_signature_required", {"participant": 0}),
        (
            {"participants": [minor(8, signature=signature_data_url())]},
            "participant_signature_not_asked",
            {"participant": 0},
        ),
        ({"participants": [minor()], "guardian": None}, "guardian_required", {}),
        ({"participants": [minor()], "guardian": {"relationship": "mother"}}, "guardian_required", {}),
        ({"participants": [minor()], "guardian": {**GUARDIAN, "has_authority": False}}, "guardian_required", {}),
        ({"participants": [], "guardian": GUARDIAN}, "guardian_not_asked", {}),
        ({"initials": ["GO"]}, "initials_not_asked", {"places": 0}),
    ],
)
async def test_what_does_not_fit_the_form_is_refused_and_nothing_is_stored(
    database: Database, admin: Connection, rosa: Person, columns: dict[str, Any], code: str, details: object
) -> None:
    session_id = await open_session(database, rosa)
    default_answers = None if columns == {} else ANSWERS
    default_guardian = GUARDIAN if columns.get("participants") else None
    with pytest.raises(asyncpg.PostgresError) as refusal:
        await sign_form(database, session_id, **{"answers": default_answers, "guardian": default_guardian, **columns})

    error = json.loads(str(refusal.value.args[0]))
    assert (error["code"], error["details"]) == (code, details)
    counts = "select (select count(*) from waivers.signed), (select count(*) from waivers.participants)"
    assert tuple(await admin.fetchrow(counts) or ()) == (0, 0)


async def test_answers_have_a_maximum_length(database: Database, rosa: Person) -> None:
    """With their keys, six answers of 3,320 characters are just below the limit of 20,000."""
    questions = [{"key": f"note{number}", "kind": "long_text", "label": "Notes"} for number in range(6)]
    session_id = await open_session(database, rosa, {"questions": questions})
    with pytest.raises(asyncpg.PostgresError, match="answers_too_long"):
        await sign_form(database, session_id, answers={f"note{number}": "n" * 3321 for number in range(6)})
    await sign_form(database, session_id, answers={f"note{number}": "n" * 3320 for number in range(6)})


PHOTO_FORM = {"questions": [{"key": f"photo{n}", "kind": "photo", "label": "Photo"} for n in range(20)]}
PHOTO = "data:image/jpeg;base64,/9j/" + "A" * 299_000


async def test_one_waiver_has_a_maximum_size(database: Database, rosa: Person) -> None:
    session_id = await open_session(database, rosa, PHOTO_FORM)
    with pytest.raises(asyncpg.PostgresError, match='"waiver_too_large"'):
        await sign_form(database, session_id, answers={f"photo{n}": PHOTO for n in range(17)})
    await sign_form(database, session_id, answers={f"photo{n}": PHOTO for n in range(16)})


async def test_answers_and_forms_count_towards_the_storage_quota(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await open_session(database, rosa, PHOTO_FORM)
    await sign_form(database, session_id, answers={"photo0": PHOTO})

    assert await admin.fetchval("select waivers.bytes_of_signature(w) from waivers.signed w") > len(PHOTO)
    assert (
        await admin.fetchval("select waivers.bytes_of_session(s) - pg_column_size(s.form) from waivers.sessions s") > 0
    )
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select waivers.measure_storage(100000)")
    with pytest.raises(asyncpg.PostgresError, match="Too many waivers were signed here today"):
        await sign_form(database, session_id, answers={"photo0": PHOTO})


async def test_a_form_without_minors_covers_only_the_signer(database: Database, rosa: Person) -> None:
    session_id = await open_session(database, rosa, {"questions": []})
    with pytest.raises(asyncpg.PostgresError, match="participants_not_covered"):
        await sign_form(database, session_id, participants=[minor(answers={})], guardian=GUARDIAN)


def test_every_refusal_of_forms_is_tested() -> None:
    sources = "".join(file.read_text("utf-8") for file in Path(__file__).parent.glob("test_*.py"))

    codes = [r.code for r in listed_refusals() if (r.package, r.sqlstate) == ("waivers", "PGRST")]
    assert [code for code in codes if f'"{code}"' not in sources] == []


async def test_a_waiver_without_a_form_takes_no_answers(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    with pytest.raises(asyncpg.PostgresError, match="form_missing"):
        await sign_form(database, session_id, answers={"asthma": True})
    await sign_form(database, session_id, answers={}, participants=[], initials=[], guardian=None)


async def test_each_place_for_initials_in_the_text_must_be_initialed(database: Database, rosa: Person) -> None:
    content = "I swim. [INITIALS]\n\nI, [PARTICIPANT NAME], follow the guide. [INITIALS]"
    session_id = await open_session(database, rosa, {"questions": []}, content)
    for initials in (None, ["GO"], ["GO", " "], ["GO", 7]):
        with pytest.raises(asyncpg.PostgresError, match="initials_required"):
            await sign_form(database, session_id, initials=initials)
    with pytest.raises(asyncpg.PostgresError, match="initials_not_asked"):
        await sign_form(database, session_id, initials=["GO"] * 3)

    waiver = await sign_form(database, session_id, initials=["GO", signature_data_url()])
    assert json.loads(waiver["initials"]) == ["GO", signature_data_url()]


async def test_a_guardian_who_does_not_take_part_signs_for_minors_only(database: Database, rosa: Person) -> None:
    form = {"covers": {"signer": False, "minors": {"most": 2}}, "questions": FAMILY_FORM["questions"][:2]}
    session_id = await open_session(database, rosa, form)
    with pytest.raises(asyncpg.PostgresError, match="participant_required"):
        await sign_form(database, session_id, answers={"emergency": EMERGENCY})

    waiver = await sign_form(
        database,
        session_id,
        answers={"emergency": EMERGENCY},
        participants=[minor(answers={"asthma": False})],
        guardian=GUARDIAN,
    )
    async with database.acting_as(rosa.principal) as connection:
        names = await connection.fetch("select name from participants where waiver_id = $1", waiver["id"])
    assert [row["name"] for row in names] == ["Mia Okafor"]


@pytest.mark.parametrize(
    ("birth_date", "code"), [("2999", "answer_invalid"), (minor(15)["birth_date"], "signer_is_minor")]
)
async def test_a_minor_cannot_sign(database: Database, rosa: Person, birth_date: str, code: str) -> None:
    form = {"questions": [{"key": "born", "kind": "birth_date", "label": "Birth date", "required": True}]}
    session_id = await open_session(database, rosa, form)
    with pytest.raises(asyncpg.PostgresError, match=code):
        await sign_form(database, session_id, answers={"born": birth_date})
    await sign_form(database, session_id, answers={"born": "1980-02-29"})


async def test_ages_have_limits(database: Database, rosa: Person) -> None:
    form = {"covers": {"minors": {}, "minimum_age": 8, "maximum_age": 12}, "questions": []}
    session_id = await open_session(database, rosa, form)
    for age, code in ((7, "participant_too_young"), (13, "participant_too_old")):
        with pytest.raises(asyncpg.PostgresError, match=code):
            await sign_form(database, session_id, participants=[minor(age, answers={})], guardian=GUARDIAN)
    await sign_form(database, session_id, participants=[minor(8, answers={}), minor(12, answers={})], guardian=GUARDIAN)


async def test_strangers_and_rivals_see_no_participant(
    database: Database, rosa: Person, mallory: Person, gil: Person
) -> None:
    session_id = await open_session(database, rosa)
    await sign_form(database, session_id, answers={**ANSWERS, "asthma": True})
    for principal in (mallory.principal, gil.principal):
        async with database.acting_as(principal) as connection:
            for table in ("participants", "waivers.participants", "waivers.sensitive_answers"):
                assert await connection.fetchval(f"select count(*) from {table}") == 0
    for table in ("participants", "waivers.participants", "waivers.sensitive_answers"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(ANON) as connection:
                await connection.fetchval(f"select count(*) from {table}")


async def test_an_erased_waiver_keeps_no_participant_data(database: Database, admin: Connection, rosa: Person) -> None:
    session_id = await open_session(database, rosa)
    waiver = await sign_form(
        database, session_id, answers={**ANSWERS, "asthma": True}, participants=[minor()], guardian=GUARDIAN
    )
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("select erase_waiver($1, 'On request')", waiver["id"])
    assert await admin.fetchval("select count(*) from waivers.sensitive_answers") == 0
    rows = await admin.fetch("select name, birth_date, answers, flags, signature from waivers.participants")
    assert {tuple(row) for row in rows} == {("(erased)", None, "{}", "[]", None)}
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select guardian from waivers.signed") is None
