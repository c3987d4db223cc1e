"""The settings page leads to the settings, and a new company gets the time zone of the browser."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.close_context import close_context
from tests.e2e.company import PASSWORD, Company, open_signed_in, registered_company
from tests.e2e.conftest import Deployment


@pytest.fixture
def company(deployment: Deployment) -> Iterator[Company]:
    with registered_company(deployment.server) as company:
        yield company


@pytest.mark.accept("SHELL-09", "APP-33")
async def test_the_account_menu_opens_the_settings_and_an_entry_there_opens_its_field(
    company: Company, desktop: Page
) -> None:
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
async def test_the_settings_page_and_the_page_of_an_entry_fit_the_screen(
    company: Company, desktop: Page, width: int
) -> None:
    await desktop.set_viewport_size({"width": width, "height": 800})
    await open_signed_in(desktop, company, "/dashboard/settings")
    entries = desktop.get_by_role("main").get_by_role("region").get_by_role("link")
    await expect(entries).to_have_count(16)
    assert await desktop.evaluate("document.documentElement.scrollWidth <= innerWidth")

    await desktop.get_by_role("link", name="Email service").click()
    await expect(desktop.get_by_role("heading", level=1, name="Email Service Configuration")).to_be_visible()
    await expect(desktop.get_by_role("button", name="Save Settings")).to_be_visible()
    assert await desktop.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.accept("APP-34")
async def test_a_new_company_has_the_time_zone_of_the_browser(deployment: Deployment, browser: Browser) -> None:
    context = await browser.new_context(base_url=deployment.url, timezone_id="America/Denver")
    page = await context.new_page()
    await page.goto("/signup")
    await page.get_by_label("Full Name").fill("Rosa Marín")
    await page.get_by_label("Email").fill(f"rosa.{uuid4().hex}@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Create account").click()
    await page.get_by_role("heading", level=1, name="Dashboard").wait_for()

    await page.goto("/dashboard/settings")
    await expect(page.get_by_role("region", name="Company", exact=True)).to_contain_text("Denver (Mountain Time)")
    await close_context(context)


@pytest.mark.accept("APP-34")
async def test_a_company_without_a_time_zone_gets_that_of_the_browser_until_it_chooses_one(
    deployment: Deployment, company: Company, browser: Browser
) -> None:
    context = await browser.new_context(base_url=deployment.url, timezone_id="Europe/Zurich")
    page = await context.new_page()
    zone = page.get_by_role("region", name="Company", exact=True).get_by_role("link", name="Time zone")
    await open_signed_in(page, company, "/dashboard/settings")
    await expect(zone).to_contain_text("Zurich (Central European Time)")

    await zone.click()
    await page.get_by_label("Time zone").select_option("UTC")
    await page.get_by_role("button", name="Save Company Settings").click()
    await page.get_by_text("Company settings saved", exact=True).wait_for()

    await page.goto("/dashboard/settings")
    await expect(zone).to_contain_text("UTC")
    await close_context(context)
