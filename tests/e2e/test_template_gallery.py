"""A company starts a template from the gallery, on a phone and on a desktop."""

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import PHONE


async def test_a_company_starts_from_a_template_of_the_gallery(company: Company, desktop: Page) -> None:
    await desktop.set_viewport_size(PHONE)
    await open_signed_in(desktop, company, "/dashboard/waivers")
    await desktop.get_by_role("button", name="Create Waiver").click()
    dialog = desktop.get_by_role("dialog", name="Create New Waiver Template")
    await dialog.get_by_role("button", name="Choose a template").click()
    await expect(dialog.get_by_role("status")).to_have_text("14 templates")
    assert await axe_violations_in_both_themes(desktop) == []
    assert await dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")

    await dialog.get_by_label("Search").fill("horse stable")
    await dialog.get_by_role("button", name="Horse riding waiver").press("Enter")
    await expect(dialog.get_by_role("heading", name="Horse riding waiver")).to_be_focused()
    assert await axe_violations_in_both_themes(desktop) == []
    assert await dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    await dialog.get_by_role("button", name="Use this template").click()

    await expect(dialog.get_by_label("Template Name")).to_have_value("Horse riding waiver")
    await expect(dialog.get_by_text("This is a draft.")).to_be_visible()
    await expect(dialog.get_by_text("are not placeholders")).to_contain_text("[DRAFT TO BE REVIEWED BY A LAWYER]")
    assert await axe_violations_in_both_themes(desktop) == []
    await dialog.get_by_role("button", name="Questions").click()
    await expect(dialog.get_by_text("Emergency contact").first).to_be_visible()
    await dialog.get_by_role("button", name="Create Template").click()
    await expect(desktop.get_by_role("button", name="Send Horse riding waiver")).to_be_visible()


@pytest.mark.accept("FORM-45")
def test_the_server_accepts_every_template_of_the_gallery(company: Company, client: httpx.Client) -> None:
    templates = client.get("/starting-templates.json").json()
    assert len(templates) == 14
    for template in templates:
        fields = {name: template[name] for name in ("name", "description", "content", "form")}
        response = company.client.post("/rest/v1/waiver_templates", json=fields, headers=company.headers)
        assert response.status_code == 201, response.text


def test_the_texts_of_the_gallery_are_sent_compressed(client: httpx.Client) -> None:
    response = client.get("/starting-templates.json", headers={"Accept-Encoding": "br"})

    assert response.headers["content-type"] == "application/json"
    assert response.headers["content-encoding"] == "br"
    assert int(response.headers["content-length"]) < 30_000
