"""The owner finds each setting from the settings page."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from tests.e2e.company import Company, open_signed_in, registered_company
from tests.e2e.conftest import Deployment


@pytest.fixture
def company(deployment: Deployment) -> Iterator[Company]:
    with registered_company(deployment.server) as company:
        yield company


@pytest.mark.accept("SHELL-09", "APP-33")
async def test_the_account_menu_leads_to_the_settings_and_these_to_a_field(company: Company, desktop: Page) -> None:
    await open_signed_in(desktop, company, "/dashboard")
    await desktop.get_by_role("button", name="Account menu").click()
    await desktop.get_by_role("menuitem", name="Settings").click()
    await expect(desktop.get_by_role("heading", level=1, name="Settings")).to_be_visible()

    await desktop.get_by_role("link", name="Expiry of links").click()
    days = desktop.get_by_label("Days until a link expires")
    await expect(days).to_be_focused()
    await expect(days).to_be_in_viewport()
    await days.fill("12")
    await desktop.get_by_role("button", name="Save Company Settings").click()
    await desktop.get_by_text("Company settings saved", exact=True).wait_for()

    await desktop.go_back()
    await expect(desktop.get_by_role("region", name="Sending")).to_contain_text("A link works for 12 days.")


@pytest.mark.accept("APP-33")
@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1280])
async def test_every_entry_of_the_settings_opens_its_page(company: Company, desktop: Page, width: int) -> None:
    await desktop.set_viewport_size({"width": width, "height": 800})
    await open_signed_in(desktop, company, "/dashboard/settings")
    entries = desktop.get_by_role("main").get_by_role("region").get_by_role("link")
    await expect(entries).to_have_count(16)
    assert await desktop.evaluate("document.documentElement.scrollWidth <= innerWidth")

    await desktop.get_by_role("link", name="Email service").click()
    await expect(desktop.get_by_role("heading", level=1, name="Email Service Configuration")).to_be_visible()
    await expect(desktop.get_by_role("button", name="Save Settings")).to_be_visible()
    assert await desktop.evaluate("document.documentElement.scrollWidth <= innerWidth")
