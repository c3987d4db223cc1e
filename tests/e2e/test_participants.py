"""A company finds a waiver by the name of a child, and exports a CSV file with one row for each participant."""

import asyncio
import csv
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import PHONE
from tests.e2e.test_dashboard import waiver_rows
from tests.factories import signature_data_url
from tests.waivers.forms.sample_forms import EMERGENCY, FAMILY_FORM, GUARDIAN, minor


def sign_for_mia(company: Company) -> None:
    """Gil signs for himself and for Mia, who has asthma. The form marks the question about asthma as sensitive."""
    template = {"name": "River trip", "content": "I, [PARTICIPANT NAME], ride.", "form": FAMILY_FORM}
    [saved] = post(company, "waiver_templates", template)
    signature = {
        "session_id": company.send_to("Gil Okafor", saved["id"]),
        "signer_name": "Gil Okafor",
        "signer_email": "gil@example.com",
        "signature": signature_data_url(),
        "answers": {"emergency": EMERGENCY, "asthma": False},
        "participants": [minor(answers={"asthma": True, "swims": "badly"})],
        "guardian": GUARDIAN,
    }
    post(company, "signed_waivers", signature)


def post(company: Company, table: str, row: dict[str, Any]) -> Any:
    return company.client.post(f"/rest/v1/{table}", json=row, headers=company.headers).raise_for_status().json()


@pytest.mark.accept("FORM-38", "FORM-40")
async def test_a_company_finds_a_child_and_exports_the_participants(company: Company, desktop: Page) -> None:
    sign_for_mia(company)
    company.send_to("Ana Ortiz")
    await open_signed_in(desktop, company, "/dashboard/waiver-management")
    await expect(waiver_rows(desktop)).to_have_count(2)
    await desktop.get_by_label("Search waivers").fill("mia ok")
    await expect(waiver_rows(desktop)).to_have_count(1)
    await expect(waiver_rows(desktop)).to_contain_text("Gil Okafor")

    await desktop.get_by_role("button", name="Export CSV").click()
    dialog = desktop.get_by_role("dialog", name="Export CSV")
    await expect(dialog.get_by_role("radio", name="One row for each participant")).to_be_checked()
    assert await axe_violations_in_both_themes(desktop) == []
    await desktop.set_viewport_size(PHONE)
    assert await dialog.evaluate("(element) => element.scrollWidth <= innerWidth")
    async with desktop.expect_download() as download_info:
        await dialog.get_by_role("button", name="Export").click()
    download = await download_info.value

    assert download.suggested_filename == "participants.csv"
    text = await asyncio.to_thread(Path(await download.path()).read_text, "utf-8-sig")
    gil, mia = csv.DictReader(text.splitlines())
    assert (gil["Participant"], gil["Kind"], gil["Flags"]) == ("Gil Okafor", "Adult", "")
    assert (mia["Participant"], mia["Kind"], mia["Flags"]) == ("Mia Okafor", "Minor", "Cannot swim well")
    assert (mia["Birth date"], mia["How well do you swim?"]) == (minor()["birth_date"], "Not well")
    assert mia["Emergency contact"] == gil["Emergency contact"] == "Ana Okafor, sister, +1 555 0100"
    assert "Do you have asthma?" not in mia
