"""A company builds a form for its template, saves it, opens it again and puts its questions in another order."""

from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.accessibility import axe_violations, axe_violations_in_both_themes
from tests.e2e.company import Company, open_signed_in
from tests.e2e.form_guest import (
    agree_and_sign,
    answer,
    draw_signature_of,
    expect_step,
    fill_in_emergency_contact,
    go_on,
)
from tests.e2e.guest import expect_signed, signing_path

TEMPLATE = {"name": "Gorge trip", "description": "", "content": "I, [PARTICIPANT NAME], ride."}


@pytest.mark.accept("FORM-21", "FORM-22", "FORM-23", "FORM-30", "FORM-33")
async def test_a_company_builds_a_form_and_changes_the_order_with_the_keyboard(company: Company, desktop: Page) -> None:
    save_template(company, TEMPLATE)
    editor = await open_questions(desktop, company, "Edit")
    await editor.get_by_role("button", name="Emergency contact", exact=True).click()
    await add_asthma_question(editor)
    await add_follow_up(editor)
    assert await axe_violations_in_both_themes(desktop) == []
    await save(desktop)

    contact, asthma, medication = saved_questions(company)
    assert (contact["key"], contact["kind"], contact["required"]) == ("emergency_contact", "emergency_contact", True)
    assert (asthma["key"], asthma["asked_of"], asthma["required"]) == ("do_you_have_asthma", "participant", True)
    assert asthma["flag"] == {"when": "yes", "text": "Asthma"}
    assert medication["show_if"] == {"question": "do_you_have_asthma", "is": True}
    await move_with_keyboard(desktop, company)


async def open_questions(page: Page, company: Company, edit_button: str) -> Locator:
    await open_signed_in(page, company, "/dashboard/waivers")
    await page.get_by_role("button", name="View Gorge trip").click()
    dialog = page.get_by_role("dialog", name="Waiver Template Details")
    await dialog.get_by_role("button", name=edit_button).click()
    await dialog.get_by_role("group", name="Editor").get_by_role("button", name="Questions").click()
    await expect(dialog.get_by_role("region", name="Questions", exact=True)).to_be_visible()
    return dialog


async def add_asthma_question(editor: Locator) -> None:
    await editor.get_by_label("Kind of question").select_option("Yes or no")
    await editor.get_by_role("button", name="Add question").click()
    await expect(editor.get_by_label("Question", exact=True)).to_be_focused()
    await editor.get_by_label("Question", exact=True).fill("Do you have asthma?")
    await editor.get_by_label("Who is asked").select_option("Everyone who takes part")
    await editor.get_by_label("An answer is required").check()
    await editor.get_by_label("Flag an answer for staff").check()
    await editor.get_by_label("What staff see").fill("Asthma")
    await expect(editor.get_by_text("Show staff 'Asthma' when the answer is Yes")).to_be_visible()


async def add_follow_up(editor: Locator) -> None:
    await editor.get_by_label("Kind of question").select_option("Short answer")
    await editor.get_by_role("button", name="Add question").click()
    await editor.get_by_label("Question", exact=True).fill("Which medication?")
    await editor.get_by_label("Who is asked").select_option("Everyone who takes part")
    await editor.get_by_label("Show only after a certain answer").check()
    await expect(editor.get_by_text("Show only if 'Do you have asthma?' is Yes")).to_be_visible()


async def save(page: Page) -> None:
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Save Changes").click()
    await expect(dialog).to_be_hidden()


async def move_with_keyboard(page: Page, company: Company) -> None:
    editor = await open_questions(page, company, "Edit")
    await expect(editor.get_by_text("Show only if 'Do you have asthma?' is Yes")).to_be_visible()
    move_down = editor.get_by_role("button", name="Move down: Emergency contact")
    await move_down.focus()
    await page.keyboard.press("Enter")
    await expect(move_down).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(move_down).to_be_focused()
    await expect(editor.get_by_text("'Emergency contact' is now question 3 of 3.")).to_be_attached()
    await save(page)
    keys = [question["key"] for question in saved_questions(company)]
    assert keys == ["do_you_have_asthma", "which_medication", "emergency_contact"]


@pytest.mark.accept("FORM-35")
async def test_a_guest_answers_the_questions_that_the_company_has_built(
    company: Company, desktop: Page, phone: Page
) -> None:
    template_id = save_template(company, TEMPLATE)
    editor = await open_questions(desktop, company, "Edit")
    await editor.get_by_role("button", name="Emergency contact", exact=True).click()
    await add_asthma_question(editor)
    await add_follow_up(editor)
    await save(desktop)

    await phone.goto(signing_path(UUID(company.send_to("Gil Okafor", template_id))))
    await expect_step(phone, "Who takes part?")
    await go_on(phone)
    await fill_in_emergency_contact(phone)
    await expect(phone.get_by_label("Which medication?")).to_be_hidden()
    await answer(phone, "Do you have asthma?", "Yes")
    await phone.get_by_label("Which medication?").fill("Salbutamol")
    await go_on(phone)
    await expect_step(phone, "Please read")
    await go_on(phone)
    await draw_signature_of(phone, "Gil Okafor")
    await agree_and_sign(phone)
    await expect_signed(phone)
    response = company.client.get("/rest/v1/participants", params={"select": "answers,flags"}, headers=company.headers)
    [participant] = response.raise_for_status().json()
    assert participant["answers"]["which_medication"] == "Salbutamol"
    assert [flag["text"] for flag in participant["flags"]] == ["Asthma"]


@pytest.mark.accept("FORM-27")
async def test_the_server_accepts_all_ready_made_questions_together(company: Company, phone: Page) -> None:
    save_template(company, TEMPLATE)
    editor = await open_questions(phone, company, "Edit")
    blocks = editor.get_by_role("group", name="Ready-made questions").get_by_role("button")
    for number in range(await blocks.count()):
        await blocks.nth(number).click()
    await editor.get_by_label("The signer and minors").check()
    assert await axe_violations(phone) == []
    await save(phone)

    kinds = {question["kind"] for question in saved_questions(company)}
    assert kinds == {"emergency_contact", "heading", "yes_no", "long_text", "one_of", "birth_date", "address"}


@pytest.mark.accept("FORM-30")
async def test_a_question_is_moved_by_dragging(company: Company, desktop: Page) -> None:
    questions = [{"key": key, "kind": "yes_no", "label": key} for key in ("first", "second", "third")]
    save_template(company, {**TEMPLATE, "form": {"questions": questions}})
    editor = await open_questions(desktop, company, "Edit")
    cards = editor.get_by_role("region", name="Questions", exact=True).get_by_role("listitem")
    await cards.nth(2).locator("[draggable=true]").drag_to(cards.nth(0))
    await save(desktop)

    assert [question["key"] for question in saved_questions(company)] == ["third", "first", "second"]


@pytest.mark.accept("FORM-26")
async def test_a_refused_form_names_the_invalid_question(company: Company) -> None:
    form = {"questions": [{"key": "swims", "kind": "yes_no", "label": ""}]}
    response = company.client.post(
        "/rest/v1/waiver_templates", json={**TEMPLATE, "form": form}, headers=company.headers
    )

    error = response.json()
    assert (response.status_code, error["code"]) == (400, "form_invalid")
    assert error["details"] == {"place": "questions[0].label", "problem": "it must be a text of 1 to 500 characters"}


def save_template(company: Company, row: dict[str, Any]) -> str:
    response = company.client.post("/rest/v1/waiver_templates", json=row, headers=company.headers)
    return str(response.raise_for_status().json()[0]["id"])


def saved_questions(company: Company) -> list[dict[str, Any]]:
    query = {"name": "eq.Gorge trip", "select": "form"}
    response = company.client.get("/rest/v1/waiver_templates", params=query, headers=company.headers)
    [row] = response.raise_for_status().json()
    questions: list[dict[str, Any]] = row["form"]["questions"]
    return questions
