"""A template accepts only a form that follows cairn/waivers/form.schema.json and whose questions fit together.

15A2 is a finding in docs/security.md.
"""

import json
from typing import Any

import asyncpg
import pytest

from cairn.db import Connection, Database
from tests.people import Person
from tests.waivers.forms.sample_forms import FAMILY_FORM, make_template

QUESTION = {"key": "size", "kind": "number", "label": "Shoe size"}
CHOICE = {
    "key": "swims",
    "kind": "one_of",
    "label": "How well do you swim?",
    "options": [{"value": "well", "label": "Well"}],
}
ASTHMA = {"key": "asthma", "kind": "yes_no", "label": "Asthma?", "asked_of": "participant"}


def with_question(**changes: object) -> dict[str, Any]:
    return {"questions": [{**QUESTION, **changes}]}


def after_asthma(**changes: object) -> dict[str, Any]:
    """Returns a form with the question about asthma, followed by another one."""
    return {"questions": [ASTHMA, {**QUESTION, **changes}]}


VALID_FORMS = {
    "no questions": {"questions": []},
    "a family": FAMILY_FORM,
    "minors only": {"covers": {"signer": False, "minors": {}}, "questions": []},
    "a heading": with_question(kind="heading"),
    "limits of a number": with_question(min=20, max=50.5),
    "every condition": {
        "questions": [
            CHOICE,
            {**QUESTION, "key": "d", "show_if": {"question": "swims", "is": "well"}},
            {**QUESTION, "show_if": {"question": "swims", "is_one_of": ["well"]}},
            {**QUESTION, "key": "b", "show_if": {"question": "size", "is_filled": True}},
            {**QUESTION, "key": "c", "show_if": {"question": "swims", "is_not": "well"}},
        ]
    },
    "a flag by age": with_question(kind="birth_date", flag={"when": {"age_below": 12}, "text": "Child"}),
    "a flag by choice": {"questions": [{**CHOICE, "flag": {"when": {"one_of": ["well"]}, "text": "Swims"}}]},
}

INVALID_FORMS = {
    "not an object": [],
    "no questions": {},
    "an unknown field": {"questions": [], "color": "red"},
    "too many questions": {"questions": [{**QUESTION, "key": f"q{number}"} for number in range(101)]},
    "two equal keys": {"questions": [QUESTION, QUESTION]},
    "a question without a label": {"questions": [{"key": "a", "kind": "number"}]},
    "an unknown field of a question": with_question(color="red"),
    "an empty label": with_question(label="  "),
    "a label with a control character": with_question(label="a\u0007"),
    "a key with spaces": with_question(key="shoe size"),
    "a key that is a number": with_question(key=7),
    "an unknown kind": with_question(kind="slider"),
    "asked of an unknown group": with_question(asked_of="dog"),
    "required as text": with_question(required="yes"),
    "a heading that is required": with_question(kind="heading", required=True),
    "a choice without options": with_question(kind="one_of"),
    "options without a choice": with_question(options=CHOICE["options"]),
    "no options": with_question(kind="one_of", options=[]),
    "two equal options": with_question(kind="one_of", options=[{"value": "a", "label": "A"}] * 2),
    "an option without a label": with_question(kind="one_of", options=[{"value": "a"}]),
    "a limit of a text": with_question(kind="short_text", min=1),
    "a limit that is a text": with_question(min="1"),
    "limits the wrong way round": with_question(min=2, max=1),
    "a condition on a later question": {
        "questions": [{**QUESTION, "show_if": {"question": "asthma", "is": True}}, ASTHMA]
    },
    "a condition on itself": with_question(show_if={"question": "size", "is": 1}),
    "a condition without a comparison": after_asthma(asked_of="participant", show_if={"question": "asthma"}),
    "a condition with two comparisons": after_asthma(
        asked_of="participant", show_if={"question": "asthma", "is": True, "is_not": False}
    ),
    "a condition without values": after_asthma(asked_of="participant", show_if={"question": "asthma", "is_one_of": []}),
    "a condition with is_filled false": after_asthma(
        asked_of="participant", show_if={"question": "asthma", "is_filled": False}
    ),
    "a condition on the answer of minors": {
        "questions": [{**ASTHMA, "asked_of": "minor"}, {**QUESTION, "show_if": {"question": "asthma", "is": True}}]
    },
    "a limit with many digits": with_question(max=10**13),
    "a limit with many decimals": with_question(min=0.00000000000000001),
    "a condition with a list": after_asthma(asked_of="participant", show_if={"question": "asthma", "is": [[True]]}),
    "a condition with a long text": after_asthma(
        asked_of="participant", show_if={"question": "asthma", "is_not": "a" * 501}
    ),
    "a condition with many values": after_asthma(
        asked_of="participant", show_if={"question": "asthma", "is_one_of": [*range(51)]}
    ),
    "a flag with an object": with_question(flag={"when": {"one_of": [{}]}, "text": "Hm"}),
    "a flag without a text": with_question(flag={"when": "yes"}),
    "an unknown flag": with_question(flag={"when": "maybe", "text": "Hm"}),
    "a flag with two rules": with_question(flag={"when": {"one_of": [1], "age_below": 3}, "text": "Hm"}),
    "a flag below an age of 0": with_question(flag={"when": {"age_below": 0}, "text": "Hm"}),
    "covers as a list": {"covers": [], "questions": []},
    "covers no one": {"covers": {"signer": False}, "questions": []},
    "the signer as text": {"covers": {"signer": "yes"}, "questions": []},
    "31 minors": {"covers": {"minors": {"most": 31}}, "questions": []},
    "one and a half minors": {"covers": {"minors": {"most": 1.5}}, "questions": []},
    "an unknown rule for minors": {"covers": {"minors": {"least": 1}}, "questions": []},
    "an age of majority of 3": {"covers": {"age_of_majority": 3}, "questions": []},
    "ages the wrong way round": {"covers": {"minimum_age": 12, "maximum_age": 8}, "questions": []},
}


@pytest.mark.parametrize("name", VALID_FORMS)
async def test_a_valid_form_is_saved_with_its_version(
    database: Database, admin: Connection, rosa: Person, name: str
) -> None:
    await make_template(database, rosa, VALID_FORMS[name])

    stored = await admin.fetchval("select form from waiver_template_versions where company_id = $1", rosa.company)
    assert json.loads(stored) == VALID_FORMS[name]


@pytest.mark.parametrize("name", INVALID_FORMS)
async def test_an_invalid_form_is_refused(database: Database, rosa: Person, name: str) -> None:
    with pytest.raises(asyncpg.PostgresError) as refusal:
        await make_template(database, rosa, INVALID_FORMS[name])

    error = json.loads(str(refusal.value.args[0]))
    assert error["code"] == "form_invalid"
    assert {*error["details"]} == {"place", "problem"}


async def test_a_text_with_a_form_has_at_most_fifty_places_for_initials(database: Database, rosa: Person) -> None:
    await make_template(database, rosa, {"questions": []}, "[INITIALS] " * 50)
    with pytest.raises(asyncpg.PostgresError, match="form_invalid"):
        await make_template(database, rosa, {"questions": []}, "[INITIALS] " * 51)


async def test_15a2_a_text_for_one_session_has_at_most_fifty_places_for_initials_too(
    database: Database, rosa: Person
) -> None:
    with_form = await make_template(database, rosa, {"questions": []})
    without_form = await make_template(database, rosa, None)

    async def send(template_id: str, places: int) -> None:
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute(
                "insert into waiver_sessions (template_id, template_content) values ($1, $2)",
                template_id,
                "[INITIALS] " * places,
            )

    await send(with_form, 50)
    await send(without_form, 51)
    with pytest.raises(asyncpg.PostgresError, match="form_invalid"):
        await send(with_form, 51)


async def test_a_changed_form_is_a_new_version(database: Database, admin: Connection, rosa: Person) -> None:
    template_id = await make_template(database, rosa, FAMILY_FORM)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update waiver_templates set form = $1", json.dumps(VALID_FORMS["minors only"]))
        await connection.execute("update waiver_templates set form = null")

    rows = await admin.fetch(
        "select version, form from waiver_template_versions where template_id = $1 order by version", template_id
    )
    assert [json.loads(row["form"] or "null") for row in rows] == [FAMILY_FORM, VALID_FORMS["minors only"], None]
