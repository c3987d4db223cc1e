"""On a phone, a company sees live for whom a waiver was signed, and filters the list by flag and by answer."""

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.company import Company, open_signed_in, wait_for_subscriptions, watch_subscriptions
from tests.e2e.conftest import PHONE
from tests.e2e.test_dashboard import waiver_rows
from tests.e2e.test_participants import sign_for_mia

FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.mark.accept("FORM-41", "FORM-42", "FORM-44")
async def test_staff_see_a_family_live_and_filter_by_its_flags_and_answers(company: Company, desktop: Page) -> None:
    company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz")
    await desktop.set_viewport_size(PHONE)
    subscriptions = watch_subscriptions(desktop)
    await open_signed_in(desktop, company, "/dashboard/waiver-management")
    rows = waiver_rows(desktop)
    await expect(rows).to_have_count(1)
    [plain_height] = await heights(rows)

    await wait_for_subscriptions(subscriptions)
    sign_for_mia(company)
    await expect(rows).to_have_count(2)
    family = rows.filter(has_text="Gil Okafor")
    await expect(family).to_contain_text("with Mia")
    await expect(family).to_contain_text("Flags: Asthma, Cannot swim well")
    assert await heights(rows) == [plain_height + 44, plain_height]
    assert await axe_violations_in_both_themes(desktop) == []

    await desktop.get_by_role("button", name="Filters").focus()
    await desktop.keyboard.press("Enter")
    await desktop.get_by_label("Flag").select_option("Asthma")
    await expect(rows).to_have_count(1)
    await expect(family).to_be_visible()
    await expect(desktop.get_by_text("1 waiver", exact=True)).to_be_visible()
    await desktop.get_by_label("Template").select_option("River trip")
    await desktop.get_by_label("Question").select_option("How well do you swim?")
    await desktop.get_by_label("Answer", exact=True).select_option("Not well")
    await expect(family).to_be_visible()
    assert await desktop.evaluate(FITS)
    assert await axe_violations_in_both_themes(desktop) == []

    await desktop.get_by_label("Answer", exact=True).select_option("Well")
    await expect(desktop.get_by_text("\u201cHow well do you swim?\u201d is Well.")).to_be_visible()
    await desktop.reload()
    await expect(desktop.get_by_label("Flag")).to_have_value("Asthma")
    await desktop.get_by_role("button", name="Show all waivers").click()
    await expect(rows).to_have_count(2)


async def heights(rows: Locator) -> list[int]:
    sizes: list[int] = await rows.evaluate_all("(rows) => rows.map((row) => row.offsetHeight)")
    return sizes
