"""A webhook about a waiver with a form contains its participants, with their answers and flags."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest

from cairn.db import ANON, Database
from cairn.integrations.flat_form import flat_form
from tests.integrations.conftest import FunctionsClient, read_endpoint, wait_for_delivery
from tests.integrations.receiver import WebhookReceiver
from tests.people import Person
from tests.waivers.acts import erase
from tests.waivers.forms.sample_forms import EMERGENCY, FAMILY_FORM, GUARDIAN, minor, open_session, sign_form

PHOTO = f"data:image/jpeg;base64,/9j/{'A' * 200}"
FORM = {
    **FAMILY_FORM,
    "questions": [
        *FAMILY_FORM["questions"],
        {"key": "face", "kind": "photo", "label": "A photo", "asked_of": "minor"},
        {"key": "initials", "kind": "initials", "label": "Initials", "asked_of": "minor"},
    ],
}


async def sign_for_mia(database: Database, owner: Person, form: object = FORM) -> UUID:
    answers = {"asthma": True, "inhaler": False, "swims": "badly", "face": PHOTO, "initials": "MO"}
    waiver = await sign_form(
        database,
        await open_session(database, owner, form),
        answers={"emergency": EMERGENCY, "asthma": False},
        participants=[minor(answers=answers)],
        guardian=GUARDIAN,
    )
    waiver_id: UUID = waiver["id"]
    return waiver_id


async def receive_one(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, owner: Person, **parameters: Any
) -> dict[str, Any]:
    """Connects the receiver, signs for a minor, and returns the payload that arrives."""
    await functions.connect(receiver.url_of("/hooks/catch/1/a/"), **parameters)
    await sign_for_mia(database, owner)
    [post] = await receiver.wait_for_webhooks(1)
    assert b"data:image" not in post.body
    return post.payload


@pytest.mark.accept("FORM-36")
@pytest.mark.usefixtures("worker")
async def test_a_webhook_has_the_participants_with_answers_and_flags_but_nothing_sensitive(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    payload = await receive_one(functions, receiver, database, rosa)

    assert payload["version"] == 2
    data = payload["data"]
    assert data["signer_name"] == "Gil Okafor"
    assert data["answers"] == {"emergency": EMERGENCY}
    assert data["guardian"] == GUARDIAN
    flag = {"question": "swims", "text": "Cannot swim well"}
    gil, mia = data["participants"]
    assert {**gil, "id": None} == {
        "id": None, "name": "Gil Okafor", "birth_date": None, "kind": "adult", "answers": {"emergency": EMERGENCY},
        "flags": [],
    }  # fmt: skip
    assert {**mia, "id": None} == {
        "id": None, "name": "Mia Okafor", "birth_date": minor()["birth_date"], "kind": "minor",
        "answers": {"inhaler": False, "swims": "badly", "initials": "MO"}, "flags": [flag],
    }  # fmt: skip
    assert data["flags"] == [{"name": "Mia Okafor", **flag}]
    async with database.acting_as(rosa.principal) as connection:
        ids = await connection.fetch("select id from participants order by number")
    assert [str(row["id"]) for row in ids] == [gil["id"], mia["id"]], "the ids of the table participants"


@pytest.mark.accept("FORM-36")
@pytest.mark.usefixtures("worker")
async def test_sensitive_answers_are_sent_to_an_endpoint_for_which_the_company_chose_that(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    data = (await receive_one(functions, receiver, database, rosa, send_sensitive=True))["data"]

    gil, mia = data["participants"]
    assert (data["answers"]["asthma"], gil["answers"]["asthma"], mia["answers"]["asthma"]) == (False, False, True)
    texts = ["Cannot swim well", "Asthma"]
    assert [flag["text"] for flag in mia["flags"]] == [flag["text"] for flag in data["flags"]] == texts


@pytest.mark.accept("FORM-37")
@pytest.mark.usefixtures("worker")
async def test_zapier_gets_a_field_for_each_answer_of_each_participant(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    payload = await receive_one(functions, receiver, database, rosa, kind="zapier")

    assert [value for value in payload.values() if isinstance(value, (dict, list))] == []
    expected = {
        "version": 2,
        "participant_count": 2,
        "participant_names": "Gil Okafor, Mia Okafor",
        "flags": "Mia Okafor: Cannot swim well",
        "guardian_relationship": "mother",
        "answer_emergency": "Ana Okafor, sister, +1 555 0100",
        "participant_1_name": "Gil Okafor",
        "participant_1_flags": "",
        "participant_2_name": "Mia Okafor",
        "participant_2_birth_date": minor()["birth_date"],
        "participant_2_kind": "minor",
        "participant_2_flags": "Cannot swim well",
        "participant_2_answer_swims": "badly",
    }
    assert {name: payload.get(name) for name in expected} == expected
    assert not any("asthma" in name for name in payload), "no one has chosen to send what is sensitive"


@pytest.mark.accept("FORM-36")
@pytest.mark.usefixtures("worker")
async def test_a_guardian_who_does_not_take_part_is_no_participant_but_their_answers_and_flags_are_sent(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    flag = {"when": "no", "text": "No photos"}
    question = {"key": "photos", "kind": "yes_no", "label": "May we take photos?", "flag": flag}
    form = {"covers": {"signer": False, "minors": {"most": 3}}, "questions": [question]}
    await functions.connect(receiver.url)
    await sign_form(
        database, await open_session(database, rosa, form), answers={"photos": False},
        participants=[minor(answers={})], guardian=GUARDIAN,
    )  # fmt: skip

    [post] = await receiver.wait_for_webhooks(1)

    data = post.payload["data"]
    assert [participant["name"] for participant in data["participants"]] == ["Mia Okafor"]
    assert data["answers"] == {"photos": False}
    assert data["flags"] == [{"name": "Gil Okafor", "question": "photos", "text": "No photos"}]


@pytest.mark.usefixtures("worker")
async def test_only_the_company_of_a_waiver_gets_its_participants_and_not_after_an_erasure(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    await functions.connect(receiver.url_of("/mallory"), caller="mallory", send_sensitive=True)
    await functions.connect(receiver.url_of("/rosa"), send_sensitive=True)
    receiver.responses.append(500)
    waiver_id = await sign_for_mia(database, rosa)
    delivery = await wait_for_delivery(database, rosa, attempts=1, answer=500)
    await erase(database, rosa, waiver_id)

    await functions("resend-webhook", delivery=str(delivery["id"]))

    await wait_for_delivery(database, rosa, attempts=2, status="failed")
    assert [post.path for post in receiver.webhooks] == ["/rosa"]


@pytest.mark.parametrize("function", ["form_payload($1, true)", "has_forms($1)"])
async def test_no_one_but_the_server_calls_the_functions_behind_webhooks(
    database: Database, rosa: Person, gil: Person, mallory: Person, function: str
) -> None:
    waiver_id = await sign_for_mia(database, rosa)
    for principal in (ANON, gil.principal, mallory.principal):
        async with database.acting_as(principal) as connection:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.fetchval(f"select waivers.{function}", waiver_id)


@pytest.mark.accept("FORM-36")
@pytest.mark.usefixtures("worker")
async def test_a_test_event_has_the_fields_of_a_form_if_a_template_of_the_company_asks_questions(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person, mallory: Person
) -> None:
    await open_session(database, mallory)
    endpoint = await functions.connect(receiver.url)
    await functions("try-webhook", id=endpoint["id"])
    await sign_for_mia(database, rosa)
    await functions("try-webhook", id=endpoint["id"])

    posts = await receiver.wait_for_webhooks(3)
    first_test = posts[0].payload
    real, test = sorted((post.payload for post in posts[1:]), key=lambda payload: payload["type"])
    assert "version" not in first_test, "only a rival asks questions"
    assert "participants" not in first_test["data"]
    assert (test["type"], test["version"]) == ("webhook.test", real["version"])
    assert test["data"].keys() == real["data"].keys()
    for field in ("participants", "flags"):
        assert test["data"][field][0].keys() == real["data"][field][0].keys()


async def test_the_choice_to_send_sensitive_answers_can_be_changed_and_is_otherwise_kept(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    endpoint_id = (await functions.connect(receiver.url))["id"]

    async def save(caller: str = "rosa", **parameters: object) -> bool:
        await functions("save-webhook", caller, id=endpoint_id, url=receiver.url, **parameters)
        chosen: bool = (await read_endpoint(database, rosa, endpoint_id))["send_sensitive"]
        return chosen

    assert not (await read_endpoint(database, rosa, endpoint_id))["send_sensitive"]
    assert not await save("mallory", send_sensitive=True)
    assert await save(send_sensitive=True)
    assert await save(name="Booking system")
    assert not await save(send_sensitive=False)


def test_an_address_and_several_options_become_one_text_for_zapier() -> None:
    address = {"city": "Bend", "country": "USA", "street": "1 Main St", "postal_code": "97701"}

    fields = flat_form(answers={"home": address, "boats": ["raft", "kayak"]}, guardian=None, participants=[], flags=[])

    assert (fields["answer_home"], fields["answer_boats"]) == ("1 Main St, 97701, Bend, USA", "raft, kayak")
