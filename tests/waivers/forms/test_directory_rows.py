"""A row of the directory names the minors for whom a waiver was signed, and its flags."""

import pytest

from cairn.db import Database
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase
from tests.waivers.forms.sample_forms import EMERGENCY, GUARDIAN, minor, open_session, sign_form
from tests.waivers.forms.test_guardian_flags import sign_for_two
from tests.waivers.test_directory import directory


@pytest.mark.accept("FORM-41")
@pytest.mark.parametrize("sorted_", ["newest", "oldest", "a-z", "z-a"])
async def test_a_row_has_the_minors_in_their_order_and_each_flag_once(
    database: Database, rosa: Person, bea: Person, sorted_: str
) -> None:
    """The question about asthma is sensitive, and everyone who works for the company may read the answers to it."""
    family = await sign_form(
        database,
        await open_session(database, rosa),
        answers={"emergency": EMERGENCY, "asthma": True},
        participants=[
            minor(name="Zoë Okafor", answers={"asthma": True, "swims": "badly"}),
            minor(name="Ana Okafor", answers={"asthma": False, "swims": "badly"}),
        ],
        guardian=GUARDIAN,
    )

    for person in (rosa, bea):
        [row] = await directory(database, person, sorted=sorted_)
        assert (row["id"], row["name"]) == (family["id"], "Gil Okafor")
        assert row["minors"] == ["Zoë Okafor", "Ana Okafor"]
        assert row["flags"] == ["Asthma", "Cannot swim well"]


@pytest.mark.accept("FORM-41")
async def test_a_row_has_the_flags_of_a_guardian_who_does_not_take_part(database: Database, rosa: Person) -> None:
    await sign_for_two(database, rosa, guardian_takes_part=False)

    [row] = await directory(database, rosa)

    assert row["minors"] == ["Mia Okafor", "Leo Okafor"]
    assert row["flags"] == ["Cannot swim", "Needs medicine", "No photos"]


@pytest.mark.accept("FORM-41")
async def test_other_rows_have_neither(database: Database, rosa: Person, gil: Person, mallory: Person) -> None:
    """A waiver without a form, one without minors and flags, an unsigned session, and an erased waiver."""
    await sign(database, await make_session(database, rosa))
    form = {"questions": [{"key": "swims", "kind": "yes_no", "label": "Can you swim?"}]}
    await sign_form(database, await open_session(database, rosa, form), answers={"swims": True})
    erased = await sign_for_two(database, rosa, guardian_takes_part=True)
    await erase(database, rosa, erased["id"])

    rows = await directory(database, rosa)

    assert [(row["status"], row["minors"], row["flags"]) for row in rows] == [
        ("erased", [], []), ("signed", [], []), ("signed", [], []),
    ]  # fmt: skip
    for stranger in (gil, mallory):
        assert await directory(database, stranger) == []
