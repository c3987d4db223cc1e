"""The server stops and starts again while a company uses the dashboard."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.close_context import close_context
from tests.e2e.company import Company, open_signed_in, registered_company
from tests.e2e.conftest import DESKTOP
from tests.e2e.faults import expect_soon, expect_toast, pause_clock, unreachable_database
from tests.serving import free_port, serving


@pytest.mark.accept("ERR-07", "ERR-08", "ERR-21", "ERR-22", "ERR-23", "RT-11")
async def test_the_dashboard_reports_an_outage_keeps_its_data_and_updates_afterwards(
    browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    context = await browser.new_context(base_url=f"http://127.0.0.1:{port}", viewport=DESKTOP)
    page = await context.new_page()
    # The test advances this clock, so that cached data expires and retries happen without waiting.
    await page.clock.install()
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, port=port))
        company = stack.enter_context(registered_company(server))
        company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz")
        pending_session = company.send_to("Bo Lind")
        await load_every_page(page, company)
        async with unreachable_database(server):
            guest = await expect_waiver_error(context, pending_session)
        await guest.get_by_role("button", name="Try again").click()
        await expect(guest.get_by_role("heading", name="General Liability Waiver")).to_be_visible()
        await guest.close()

        assert server.interrupt() == 0
        await pause_clock(page)
        await expect_view_error(page)
        await expect_dashboard_error(page)
        await expect_directory_error(page)

        stack.enter_context(serving(tmp_path, port=port))
        company.sign_as_guest(pending_session, "Bo Lind")
        await expect_soon(page, waiver_row(page, "Bo Lind").filter(has_text="Signed"))
    await close_context(context)


async def load_every_page(page: Page, company: Company) -> None:
    """Loads all scripts, so that only data is requested later."""
    await open_signed_in(page, company, "/dashboard/waiver-management")
    await page.get_by_role("link", name="View waiver of Ana Ortiz").click()
    await expect(page.get_by_role("button", name="Download PDF")).to_be_visible()
    await page.get_by_role("link", name="Dashboard", exact=True).click()
    await expect(page.get_by_role("table", name="Recent Waivers")).to_contain_text("Ana Ortiz")


async def expect_waiver_error(context: BrowserContext, session_id: str) -> Page:
    """Opens the signing page and expects an error in place of the waiver."""
    guest = await context.new_page()
    response = await guest.goto(f"/waivers/sign/session/{session_id}")
    assert response is not None
    assert response.status == 503
    await expect(guest.get_by_role("heading", level=1)).to_have_text("Waiver Not Found")
    await expect(guest.get_by_role("alert")).to_contain_text("Failed to load waiver data.")
    return guest


async def expect_view_error(page: Page) -> None:
    """Expects an error on the dashboard, and again on the page it redirects to."""
    await page.get_by_role("button", name="View waiver of Ana Ortiz").click()
    await expect_toast(page, "Error", "Failed to load waiver details")
    await page.wait_for_url(re.compile(r"/dashboard/waiver-management/[0-9a-f-]{36}$"))
    await page.get_by_role("button", name="Dismiss").click()
    await expect_toast(page, "Error", "Failed to load waiver details")


async def expect_dashboard_error(page: Page) -> None:
    await page.clock.fast_forward("00:20")
    await page.get_by_role("link", name="Dashboard", exact=True).click()
    await expect_toast(page, "Failed to fetch data", "Could not retrieve waiver information")
    await expect(page.get_by_role("table", name="Recent Waivers")).to_contain_text("Ana Ortiz")


async def expect_directory_error(page: Page) -> None:
    await page.clock.fast_forward("00:20")
    await page.get_by_role("link", name="Waiver Management").click()
    await expect_toast(page, "Error", "Failed to load waivers")
    await expect(waiver_row(page, "Bo Lind")).to_contain_text("Pending")


def waiver_row(page: Page, guest: str) -> Locator:
    return page.get_by_role("table", name="Waivers").get_by_role("row").filter(has_text=guest)
