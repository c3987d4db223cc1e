"""A guardian who does not take part is no participant, but the guardian's flags are shown wherever flags are shown."""

import json
from typing import Any

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from tests.people import Person
from tests.waivers.forms.sample_forms import GUARDIAN, minor, open_session, sign_form

QUESTIONS: list[dict[str, Any]] = [
    {"key": "photos", "kind": "yes_no", "label": "Photos?", "flag": {"when": "no", "text": "No photos"}},
    {
        "key": "medicine",
        "kind": "yes_no",
        "label": "Is there medicine to be given?",
        "sensitive": True,
        "flag": {"when": "yes", "text": "Needs medicine"},
    },
    {
        "key": "swims",
        "kind": "yes_no",
        "label": "Can you swim?",
        "asked_of": "minor",
        "flag": {"when": "no", "text": "Cannot swim"},
    },
]


async def sign_for_two(database: Database, owner: Person, *, guardian_takes_part: bool) -> asyncpg.Record:
    """Gil signs for Mia, who cannot swim, and Leo, who can. He wants no photos, and there is medicine to be given."""
    form = {"covers": {"signer": guardian_takes_part, "minors": {}}, "questions": QUESTIONS}
    return await sign_form(
        database,
        await open_session(database, owner, form),
        answers={"photos": False, "medicine": True},
        participants=[minor(answers={"swims": False}), minor(name="Leo Okafor", answers={"swims": True})],
        guardian=GUARDIAN,
    )


async def flags_in_view(database: Database, person: Person) -> dict[str, list[str]]:
    """Returns the texts of the flags of each participant."""
    async with database.acting_as(person.principal) as connection:
        rows = await connection.fetch("select name, flags from participants order by number")
    return {row["name"]: [flag["text"] for flag in json.loads(row["flags"])] for row in rows}


@pytest.mark.accept("FORM-43")
async def test_each_minor_has_the_flags_of_a_guardian_who_does_not_take_part(
    database: Database, rosa: Person, mallory: Person
) -> None:
    waiver = await sign_for_two(database, rosa, guardian_takes_part=False)

    in_view = await flags_in_view(database, rosa)
    assert in_view == {
        "Mia Okafor": ["No photos", "Needs medicine", "Cannot swim"],
        "Leo Okafor": ["No photos", "Needs medicine"],
    }
    assert await flags_in_view(database, mallory) == {}
    async with database.acting_as(rosa.principal) as connection:
        rows = await connection.fetch("select name, flags from participants_for_export($1, true)", [waiver["id"]])
        assert {row["name"]: row["flags"] for row in rows} == in_view
    async with database.acting_as(SERVICE) as connection:
        parts = json.loads(await connection.fetchval("select waivers.form_payload($1, true)", waiver["id"]))
    assert {flag["text"] for flag in parts["flags"]} == {text for texts in in_view.values() for text in texts}


@pytest.mark.accept("FORM-43")
async def test_a_guardian_who_takes_part_and_each_minor_have_only_their_own_flags(
    database: Database, rosa: Person
) -> None:
    await sign_for_two(database, rosa, guardian_takes_part=True)

    assert await flags_in_view(database, rosa) == {
        "Gil Okafor": ["No photos", "Needs medicine"],
        "Mia Okafor": ["Cannot swim"],
        "Leo Okafor": [],
    }
