"""Another person signs with a link of their own, and the company sees it at once.

The other person is an adult whom a guest adds to their waiver, or the guardian of a minor who came alone.
"""

import json

import pytest
from playwright.async_api import Page, expect

from tests.e2e.company import Company, open_signed_in, wait_for_subscriptions, watch_subscriptions
from tests.e2e.conftest import Deployment
from tests.e2e.form_guest import (
    add_child,
    agree_and_sign,
    answer,
    confirm_guardian,
    draw_signature_of,
    expect_step,
    fill_in_emergency_contact,
    go_on,
)
from tests.e2e.guest import expect_signed, signing_path
from tests.waivers.forms.sample_forms import FAMILY_FORM

COVERS_EVERYONE = {**FAMILY_FORM, "covers": {"signer": True, "minors": {"most": 3}}}


def family_template(company: Company) -> str:
    row = {"name": "River day", "content": "I, [PARTICIPANT NAME], follow the guides.", "form": COVERS_EVERYONE}
    response = company.client.post("/rest/v1/waiver_templates", json=row, headers=company.headers).raise_for_status()
    return str(response.json()[0]["id"])


async def sign_to_the_end(phone: Page, name: str, *children: str) -> None:
    await fill_in_emergency_contact(phone)
    await answer(phone, "Do you have asthma?", "No")
    await go_on(phone)
    for child in children:
        await expect_step(phone, f"Questions about {child}")
        await answer(phone, "Do you have asthma?", "No")
        await go_on(phone)
    await expect_step(phone, "Please read")
    await go_on(phone)
    await draw_signature_of(phone, name)
    await agree_and_sign(phone)
    await expect_signed(phone)


@pytest.mark.accept("FORM-46")
async def test_a_19_year_old_added_by_a_parent_gets_their_own_link(
    deployment: Deployment, company: Company, desktop: Page, phone: Page
) -> None:
    session_id = company.send_to("Ada Okafor", family_template(company))
    subscriptions = watch_subscriptions(desktop)
    await open_signed_in(desktop, company, "/dashboard/waiver-management")
    await wait_for_subscriptions(subscriptions)

    await phone.goto(signing_path(session_id))
    await add_child(phone, "Mia Okafor", 8)
    await add_child(phone, "Nia Okafor", 19)
    await confirm_guardian(phone, "Mother")
    await expect(phone.get_by_text("Nia Okafor is 19 years old and signs on their own")).to_be_visible()
    await phone.get_by_role("button", name="Make their own link").click()
    link = phone.get_by_role("region", name="Link for Nia Okafor")
    await expect(link.get_by_role("heading", name="Nia Okafor signs with their own link")).to_be_focused()
    await expect(link.get_by_role("img")).to_be_visible()
    assert await link.get_by_role("img").evaluate("(code) => code.decode().then(() => code.naturalWidth)") > 0
    await expect_step(phone, "Who takes part?")
    await expect(desktop.get_by_text("Nia Okafor")).to_be_visible()

    email = f"nia.{session_id[:8]}@example.com"
    await link.get_by_label("Email of Nia Okafor").fill(email)
    await link.get_by_role("button", name="Send the link").click()
    await expect(link.get_by_text(f"The link is on its way to {email}.")).to_be_visible()
    await go_on(phone)
    await sign_to_the_end(phone, "Ada Okafor", "Mia Okafor")

    await phone.goto(await deployment.wait_for_signing_link(email))
    await expect(phone.get_by_label("Your Name")).to_have_value("Nia Okafor")
    await go_on(phone)
    await sign_to_the_end(phone, "Nia Okafor")

    await desktop.goto("/dashboard/waiver-management")
    await desktop.get_by_role("link", name="View").first.click()
    await expect(desktop.get_by_text("Adult invited to sign a waiver of their own")).to_be_visible()
    await desktop.get_by_role("link", name="Open the other waiver").click()
    await expect(desktop.get_by_role("heading", name="Ada Okafor")).to_be_visible()
    await expect(desktop.get_by_role("link", name="Open the waiver of the adult")).to_be_visible()


@pytest.mark.accept("FORM-48")
async def test_a_guardian_signs_at_home_for_a_minor_who_came_alone(
    deployment: Deployment, company: Company, desktop: Page, tablet: Page, phone: Page
) -> None:
    template_id = family_template(company)
    await open_signed_in(tablet, company, f"/dashboard/waivers?sign={template_id}")
    subscriptions = watch_subscriptions(desktop)
    await open_signed_in(desktop, company, "/dashboard/waiver-management")
    await wait_for_subscriptions(subscriptions)

    await tablet.get_by_role("button", name="The parent or guardian is not here").click()
    link = tablet.get_by_role("region", name="Link for the parent or guardian")
    await expect(link.get_by_role("heading", name="They sign with their own link")).to_be_focused()
    assert await link.get_by_role("img").evaluate("(code) => code.decode().then(() => code.naturalWidth)") > 0
    email = f"mum.{template_id[-8:]}@example.com"
    await link.get_by_label("Email of the parent or guardian").fill(email)
    await link.get_by_role("button", name="Send the link").click()
    await expect(link.get_by_text(f"The link is on its way to {email}.")).to_be_visible()

    await phone.goto(await deployment.wait_for_signing_link(email))
    await phone.get_by_label("Your Name").fill("Ada Okafor")
    await phone.get_by_label("Your Email").fill(email)
    await add_child(phone, "Mia Okafor", 12)
    await confirm_guardian(phone, "Mother")
    await go_on(phone)
    await sign_to_the_end(phone, "Ada Okafor", "Mia Okafor")

    # Neither page was reloaded.
    await expect(tablet.get_by_text("Your parent or guardian has signed River day.")).to_be_visible()
    await expect(desktop.get_by_text("Ada Okafor").first).to_be_visible()
    # The next guest sees nothing of this one.
    await tablet.get_by_role("button", name="Next guest").click()
    await expect(tablet.get_by_role("button", name="Start signing")).to_be_visible()
    await expect(tablet.get_by_text(email)).to_have_count(0)


@pytest.mark.accept("FORM-46")
async def test_an_adult_can_be_invited_from_the_page_of_a_template(company: Company, phone: Page) -> None:
    """Such a page has no session until the guest signs or invites someone."""
    await phone.goto(f"/waivers/sign/{family_template(company)}")
    await phone.get_by_label("Your Name").fill("Ada Okafor")
    await phone.get_by_label("Your Email").fill("ada@example.com")
    await add_child(phone, "Nia Okafor", 19)
    await phone.get_by_role("button", name="Make their own link").click()
    await expect(phone.get_by_role("region", name="Link for Nia Okafor")).to_be_visible()
    await go_on(phone)
    await sign_to_the_end(phone, "Ada Okafor")

    columns = "select=recipient_name,signer_name,status&order=created_at"
    rows = company.client.get(f"/rest/v1/waiver_sessions?{columns}", headers=company.headers).raise_for_status().json()
    assert json.dumps(rows).count("pending") == 1
    assert [(row["recipient_name"], row["signer_name"]) for row in rows] == [(None, "Ada Okafor"), ("Nia Okafor", None)]
