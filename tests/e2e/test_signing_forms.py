"""Guests fill in the form of a waiver on a phone: a mother with three children, and a father who does not take part."""

import copy
import io
import json
from typing import Any
from uuid import UUID

import pytest
from PIL import Image
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.conftest import Deployment
from tests.e2e.form_guest import (
    add_child,
    agree_and_sign,
    answer,
    birth_date,
    confirm_guardian,
    draw_signature_of,
    expect_step,
    fill_in_emergency_contact,
    go_on,
)
from tests.e2e.guest import create_session, database_connection, expect_signed, signing_path
from tests.waivers.forms.sample_forms import FAMILY_FORM

CONTENT = "# On the river\n\nI, [PARTICIPANT NAME], follow the guides of [COMPANY NAME]. [INITIALS]"


async def participants(deployment: Deployment, session_id: UUID) -> list[dict[str, Any]]:
    async with database_connection(deployment) as connection:
        rows = await connection.fetch(
            """
            select p.name, p.birth_date, p.answers, p.flags from participants p
              join waivers.signed w on w.id = p.waiver_id where w.session_id = $1 order by p.number
            """,
            session_id,
        )
    return [{**row, "answers": json.loads(row["answers"]), "flags": json.loads(row["flags"])} for row in rows]


@pytest.mark.accept("FORM-12")
async def test_a_mother_signs_for_herself_and_three_children_while_the_network_fails(
    deployment: Deployment, phone: Page
) -> None:
    session_id = await create_session(
        deployment, form=json.dumps(FAMILY_FORM), template_content=CONTENT, recipient_name="Ada Okafor"
    )
    await phone.goto(signing_path(session_id))
    await expect_step(phone, "Who takes part?")
    await expect(phone.get_by_label("Your Name")).to_have_value("Ada Okafor")
    await phone.get_by_label("Your Email").fill("ada@example.com")
    for name, age in (("Mia Okafor", 8), ("Noa Okafor", 12), ("Lea Okafor", 17)):
        await add_child(phone, name, age)
    await confirm_guardian(phone, "Mother")
    await expect(phone.get_by_text("17 years old")).to_be_visible()
    await go_on(phone)

    await expect_step(phone, "Questions for you")
    await phone.context.set_offline(True)
    await fill_in_emergency_contact(phone)
    await answer(phone, "Do you have asthma?", "No")
    await go_on(phone)
    for name in ("Mia Okafor", "Noa Okafor", "Lea Okafor"):
        await expect_step(phone, f"Questions about {name}")
        await answer(phone, "Do you have asthma?", "Yes" if name == "Noa Okafor" else "No")
        if name == "Noa Okafor":
            await answer(phone, "Do you carry an inhaler?", "Yes")
        await go_on(phone)

    await expect_step(phone, "Please read")
    await go_on(phone)
    await expect(phone.get_by_label("Your initials, place 1")).to_be_focused()
    await phone.keyboard.type("AO")
    await go_on(phone)

    await expect_step(phone, "Check and sign")
    await phone.set_viewport_size({"width": 844, "height": 390})
    await phone.set_viewport_size({"width": 390, "height": 844})
    await draw_signature_of(phone, "Lea Okafor")
    await draw_signature_of(phone, "Ada Okafor")
    await agree_and_sign(phone)
    await expect(phone.get_by_role("heading", name="No connection")).to_be_visible()
    assert await participants(deployment, session_id) == []

    await phone.context.set_offline(False)
    await expect_signed(phone)
    people = await participants(deployment, session_id)
    assert [person["name"] for person in people] == ["Ada Okafor", "Mia Okafor", "Noa Okafor", "Lea Okafor"]
    assert people[2]["answers"] == {"asthma": True, "inhaler": True}
    assert [flag["text"] for person in people for flag in person["flags"]] == ["Asthma"]
    assert people[1]["birth_date"].isoformat() == birth_date(8)
    async with database_connection(deployment) as connection:
        depth = await connection.fetchval("select scroll_depth from waivers.signed where session_id = $1", session_id)
    assert depth == 100
    stored = await phone.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])")
    assert "asthma" not in stored


@pytest.mark.accept("FORM-13")
async def test_a_father_who_does_not_take_part_signs_for_one_child(deployment: Deployment, phone: Page) -> None:
    form = copy.deepcopy(FAMILY_FORM)
    form["covers"]["signer"] = False
    session_id = await create_session(deployment, form=json.dumps(form), template_content="I agree.")
    await phone.goto(signing_path(session_id))
    await phone.get_by_label("Your Name").fill("Ben Okafor")
    await phone.get_by_label("Your Email").fill("ben@example.com")
    child = phone.get_by_role("group", name="Child 1")
    await child.get_by_label("Full name").fill("Tom Okafor")
    await child.get_by_label("Birth date").fill(birth_date(19))
    await expect(phone.get_by_text("At 18 and older, they sign for themselves.")).to_be_visible()
    await child.get_by_label("Birth date").fill(birth_date(9))
    await confirm_guardian(phone, "Father")
    await go_on(phone)

    await fill_in_emergency_contact(phone)
    await go_on(phone)
    await expect_step(phone, "Questions about Tom Okafor")
    await go_on(phone)
    await expect(phone.get_by_text("Please choose Yes or No.")).to_be_visible()
    await phone.reload()
    await answer(phone, "Do you have asthma?", "No")
    await go_on(phone)
    await go_on(phone)
    await expect_step(phone, "Check and sign")
    await draw_signature_of(phone, "Ben Okafor")
    await agree_and_sign(phone)

    await expect_signed(phone)
    people = await participants(deployment, session_id)
    assert [(person["name"], person["answers"]) for person in people] == [("Tom Okafor", {"asthma": False})]


@pytest.mark.accept("FORM-14")
async def test_a_waiver_with_a_form_is_loaded_with_one_request(deployment: Deployment, phone: Page) -> None:
    requested_urls: list[str] = []
    phone.on("request", lambda request: requested_urls.append(request.url) if request.method == "GET" else None)
    session_id = await create_session(deployment, form=json.dumps(FAMILY_FORM))

    await phone.goto(signing_path(session_id), wait_until="networkidle")

    assert requested_urls == [deployment.url + signing_path(session_id)]


@pytest.mark.accept("FORM-18")
async def test_a_photo_is_made_small_on_the_phone(deployment: Deployment, phone: Page) -> None:
    photo = io.BytesIO()
    Image.effect_noise((2400, 1800), 90).save(photo, "PNG")
    form = {"questions": [{"key": "licence", "kind": "photo", "label": "Your licence", "required": True}]}
    session_id = await create_session(deployment, form=json.dumps(form), template_content="I agree.")
    await phone.goto(signing_path(session_id))
    await phone.get_by_label("Your Name").fill("Ben Okafor")
    await phone.get_by_label("Your Email").fill("ben@example.com")
    await go_on(phone)
    picture = phone.get_by_label("Your licence", exact=True).and_(phone.locator("input"))
    await picture.set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no photo"})
    await expect(phone.get_by_text("This file is not a photo that can be used.")).to_be_visible()
    await picture.set_input_files({"name": "licence.png", "mimeType": "image/png", "buffer": photo.getvalue()})
    await expect(phone.get_by_role("img", name="What you have chosen")).to_be_visible()
    assert await axe_violations_in_both_themes(phone) == []
    await go_on(phone)
    await go_on(phone)
    await draw_signature_of(phone, "Ben Okafor")
    await agree_and_sign(phone)

    await expect_signed(phone)
    [person] = await participants(deployment, session_id)
    stored = person["answers"]["licence"]
    assert stored.startswith("data:image/jpeg;base64,")
    assert len(stored) <= 300_000 < photo.tell()
