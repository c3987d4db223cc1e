"""The CSV file of a company can have one row for each participant, with flags and answers."""

import json
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Database
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase
from tests.waivers.forms.sample_forms import EMERGENCY, GUARDIAN, minor, open_session, sign_form

FAMILY_COLUMNS = {
    "answers": {"emergency": EMERGENCY, "asthma": False},
    "participants": [minor(answers={"asthma": True, "inhaler": True, "swims": "badly"})],
    "guardian": GUARDIAN,
}


async def export(
    database: Database, person: Person, *waiver_ids: UUID, sensitive: bool = False
) -> list[dict[str, Any]]:
    async with database.acting_as(person.principal) as connection:
        rows = await connection.fetch("select * from participants_for_export($1, $2)", waiver_ids, sensitive)
    return [{**row, "answers": json.loads(row["answers"])} for row in rows]


def answers_of(row: dict[str, Any]) -> dict[str, Any]:
    return {entry["label"]: entry["answer"] for entry in row["answers"]}


@pytest.mark.accept("FORM-38")
async def test_each_participant_is_a_row_with_the_questions_of_its_form(
    database: Database, rosa: Person, bea: Person
) -> None:
    waiver_id = (await sign_form(database, await open_session(database, rosa), **FAMILY_COLUMNS))["id"]

    gil, mia = await export(database, bea, waiver_id)

    assert (gil["waiver_id"], gil["name"], gil["kind"], gil["flags"]) == (waiver_id, "Gil Okafor", "adult", [])
    assert (mia["name"], mia["kind"], str(mia["birth_date"])) == ("Mia Okafor", "minor", minor()["birth_date"])
    assert mia["flags"] == ["Cannot swim well"]
    assert answers_of(gil) == {"Emergency contact": EMERGENCY}
    assert list(answers_of(mia).items()) == [
        ("Emergency contact", EMERGENCY), ("Do you carry an inhaler?", True), ("How well do you swim?", "badly"),
    ], "the answers of the signer for everyone, and then those of the minor"  # fmt: skip
    swims = mia["answers"][-1]
    assert (swims["kind"], swims["options"][1]) == ("one_of", {"value": "badly", "label": "Not well"})


@pytest.mark.accept("FORM-38")
async def test_sensitive_answers_and_their_flags_are_exported_only_on_request(database: Database, rosa: Person) -> None:
    waiver_id = (await sign_form(database, await open_session(database, rosa), **FAMILY_COLUMNS))["id"]

    without, with_sensitive = [await export(database, rosa, waiver_id, sensitive=chosen) for chosen in (False, True)]

    assert "Do you have asthma?" not in json.dumps([row["answers"] for row in without])
    assert [answers_of(row)["Do you have asthma?"] for row in with_sensitive] == [False, True]
    assert [row["flags"] for row in with_sensitive] == [[], ["Cannot swim well", "Asthma"]]


@pytest.mark.accept("FORM-38")
async def test_a_minor_has_the_answers_and_flags_of_a_guardian_who_does_not_take_part(
    database: Database, rosa: Person
) -> None:
    photo = f"data:image/jpeg;base64,/9j/{'A' * 200}"
    form = {
        "covers": {"signer": False, "minors": {}},
        "questions": [
            {"key": "photos", "kind": "yes_no", "label": "Photos?", "flag": {"when": "no", "text": "No photos"}},
            {"key": "face", "kind": "photo", "label": "A photo"},
        ],
    }
    columns = {**FAMILY_COLUMNS, "answers": {"photos": False, "face": photo}, "participants": [minor(answers={})]}
    waiver_id = (await sign_form(database, await open_session(database, rosa, form), **columns))["id"]

    [mia] = await export(database, rosa, waiver_id)

    assert (mia["name"], mia["flags"]) == ("Mia Okafor", ["No photos"])
    assert answers_of(mia) == {"Photos?": False}, "a picture is not exported as text"


async def test_16l6_the_kind_of_a_question_decides_whether_its_answer_is_a_picture(
    database: Database, rosa: Person
) -> None:
    """16L6 in docs/security.md: a guest hid an answer from webhooks and CSV files by typing `data:image/` before it."""
    picture = f"data:image/jpeg;base64,/9j/{'A' * 200}"
    questions = [
        {"key": "health", "kind": "short_text", "label": "Health"},
        {"key": "typed", "kind": "initials", "label": "Typed"},
        {"key": "drawn", "kind": "initials", "label": "Drawn"},
        {"key": "face", "kind": "photo", "label": "A photo"},
    ]
    answers = {"health": "data:image/ I am epileptic", "typed": "GO", "drawn": picture, "face": picture}
    session_id = await open_session(database, rosa, {"questions": questions})
    waiver_id = (await sign_form(database, session_id, answers=answers))["id"]

    [row] = await export(database, rosa, waiver_id)
    async with database.acting_as(SERVICE) as connection:
        payload = json.loads(await connection.fetchval("select waivers.form_payload($1, true)", waiver_id))

    assert answers_of(row) == {"Health": "data:image/ I am epileptic", "Typed": "GO"}
    assert payload["answers"] == {"health": "data:image/ I am epileptic", "typed": "GO"}


async def test_waivers_without_a_form_and_erased_ones_have_no_rows(database: Database, rosa: Person) -> None:
    plain = (await sign(database, await make_session(database, rosa)))["id"]
    erased = (await sign_form(database, await open_session(database, rosa), **FAMILY_COLUMNS))["id"]
    await erase(database, rosa, erased)

    assert await export(database, rosa, plain, erased, sensitive=True) == []


async def test_no_one_else_exports_the_participants(
    database: Database, rosa: Person, gil: Person, mallory: Person
) -> None:
    waiver_id = (await sign_form(database, await open_session(database, rosa), **FAMILY_COLUMNS))["id"]

    for stranger in (gil, mallory):
        assert await export(database, stranger, waiver_id, sensitive=True) == []
        async with database.acting_as(stranger.principal) as connection:
            assert await connection.fetch("select * from waivers.people($1, true)", waiver_id) == []
    async with database.acting_as(ANON) as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.fetch("select * from participants_for_export($1)", [waiver_id])


async def test_at_most_500_waivers_are_read_at_once(database: Database, rosa: Person) -> None:
    waiver_id = (await sign_form(database, await open_session(database, rosa), **FAMILY_COLUMNS))["id"]
    others = [UUID(int=number) for number in range(500)]

    assert len(await export(database, rosa, *others[:499], waiver_id)) == 2
    assert await export(database, rosa, *others, waiver_id) == []
