"""Answers and participants are shown, exported and erased like all other personal data.

14L2 to 14L5 are findings in docs/security.md.
"""

import json
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from tests.people import Person
from tests.waivers.acts import erase
from tests.waivers.forms.sample_forms import EMERGENCY, GUARDIAN, minor, open_session, sign_form

SECRET = "a secret that only the browser of Gil has"
CONTENT = "I, [PARTICIPANT NAME], ride. [INITIALS]"
FORM_COLUMNS = ("answers", "participants", "initials", "guardian")


async def sign_for_mia(database: Database, session_id: UUID, **columns: object) -> asyncpg.Record:
    return await sign_form(
        database,
        session_id,
        answers={"emergency": EMERGENCY, "asthma": True, "inhaler": False},
        participants=[minor(answers={"asthma": False, "swims": "badly"})],
        guardian=GUARDIAN,
        initials=["GO"],
        **columns,
    )


@pytest.mark.parametrize("secret", [None, "another secret, which Mallory has guessed"])
async def test_14l2_resending_a_signing_request_without_its_secret_returns_no_answers(
    database: Database, rosa: Person, secret: str | None
) -> None:
    session_id, waiver_id = await open_session(database, rosa, content=CONTENT), uuid4()
    first = await sign_for_mia(database, session_id, id=waiver_id, document_secret=SECRET)
    with_secret = await sign_for_mia(database, session_id, id=waiver_id, document_secret=SECRET)
    without_secret = await sign_for_mia(database, session_id, id=waiver_id, document_secret=secret)

    assert all(first[column] is not None for column in FORM_COLUMNS)
    assert [with_secret[column] for column in FORM_COLUMNS] == [first[column] for column in FORM_COLUMNS]
    assert without_secret["id"] == waiver_id
    assert [without_secret[column] for column in FORM_COLUMNS] == [None] * 4


async def test_14l2_a_signing_request_without_a_secret_can_be_resent_but_then_returns_no_answers(
    database: Database, rosa: Person
) -> None:
    session_id, waiver_id = await open_session(database, rosa, content=CONTENT), uuid4()
    assert (await sign_for_mia(database, session_id, id=waiver_id))["answers"] is not None

    assert (await sign_for_mia(database, session_id, id=waiver_id))["answers"] is None


async def test_14l3_a_reason_for_an_erasure_that_names_a_minor_is_refused(database: Database, rosa: Person) -> None:
    waiver = await sign_for_mia(database, await open_session(database, rosa, content=CONTENT))

    with pytest.raises(asyncpg.PostgresError, match="please do not name the person"):
        await erase(database, rosa, waiver["id"], "The parents of mia okafor asked for it")


async def test_14l4_the_export_of_a_person_contains_what_they_entered_about_minors(
    database: Database, rosa: Person
) -> None:
    waiver = await sign_for_mia(database, await open_session(database, rosa, content=CONTENT))

    async with database.acting_as(SERVICE) as connection:
        query = "select waivers.signed_waiver_data($1, $2)"
        exported = json.loads(await connection.fetchval(query, waiver["id"], "gil@example.com"))
        assert await connection.fetchval(query, waiver["id"], "mallory@example.com") is None

    gil, mia = exported["participants"]
    assert answers_of(gil)["Do you have asthma?"] is True, "the export contains sensitive answers too"
    assert answers_of(gil)["Emergency contact"] == EMERGENCY
    assert (mia["name"], mia["kind"], mia["birth_date"]) == ("Mia Okafor", "minor", minor()["birth_date"])
    assert answers_of(mia) == {"Do you have asthma?": False, "How well do you swim?": "badly"}
    assert "Cannot swim well" not in json.dumps(exported), "the texts of flags are written for staff and not exported"


async def test_14l5_after_the_deletion_of_a_company_its_forms_are_gone(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await sign_for_mia(database, await open_session(database, rosa, content=CONTENT))
    await open_session(database, rosa, content=CONTENT)
    async with database.acting_as(SERVICE) as connection:
        while await connection.fetchval("select waivers.erase_company_waivers($1, 10)", rosa.company):
            pass

    sessions = await admin.fetch(
        "select template_content, form from waivers.sessions where company_id = $1", rosa.company
    )
    assert [tuple(session) for session in sessions] == [("", None)] * 2
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


def answers_of(participant: dict[str, Any]) -> dict[str, Any]:
    return {entry["question"]: entry["answer"] for entry in participant["answers"]}
