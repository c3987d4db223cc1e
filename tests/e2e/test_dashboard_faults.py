"""The server stops while people work, and comes back."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.company import Company, enter, open_company
from tests.e2e.conftest import DESKTOP
from tests.e2e.faults import closed_database, hold_the_clock, soon, told
from tests.serving import free_port, serving


@pytest.mark.accept("ERR-07", "ERR-08", "ERR-21", "ERR-22", "ERR-23", "RT-11")
async def test_the_desk_says_what_failed_keeps_what_it_has_and_catches_up(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    context = await browser.new_context(base_url=f"http://127.0.0.1:{port}", viewport=DESKTOP)
    page = await context.new_page()
    # A clock that can be moved on, so that what was just read is asked for again, and nobody waits for the next try.
    await page.clock.install()
    with ExitStack() as stack:
        served = stack.enter_context(serving(tmp_path, port=port))
        company = stack.enter_context(open_company(served))
        company.signs(company.send("Ana Ortiz"), "Ana Ortiz")
        waiting = company.send("Bo Lind")
        await see_every_page(page, company)
        async with closed_database(served):
            guest = await waiver_fails(context, waiting)
        await guest.get_by_role("button", name="Try again").click()
        await expect(guest.get_by_role("heading", name="General Liability Waiver")).to_be_visible()
        await guest.close()

        assert served.interrupt() == 0
        await hold_the_clock(page)
        await view_fails(page)
        await dashboard_fails(page)
        await directory_fails(page)

        stack.enter_context(serving(tmp_path, port=port))
        company.signs(waiting, "Bo Lind")
        await soon(page, row_of(page, "Bo Lind").filter(has_text="Signed"))
    await context.close()


async def see_every_page(page: Page, company: Company) -> None:
    """So that nothing has to be fetched later but data."""
    await enter(page, company, "/dashboard/waiver-management")
    await page.get_by_role("button", name="View waiver of Ana Ortiz").click()
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await page.get_by_role("link", name="Dashboard", exact=True).click()
    await expect(page.get_by_role("table", name="Recent Waivers")).to_contain_text("Ana Ortiz")


async def waiver_fails(context: BrowserContext, session: str) -> Page:
    """The page itself comes, without what it is about."""
    guest = await context.new_page()
    answer = await guest.goto(f"/waivers/sign/session/{session}")
    assert answer is not None
    assert answer.status == 503
    await expect(guest.get_by_role("heading", level=1)).to_have_text("Waiver Not Found")
    await expect(guest.get_by_role("alert")).to_contain_text("Failed to load waiver data.")
    return guest


async def view_fails(page: Page) -> None:
    """First on the dashboard, then in the directory it leads to."""
    await page.get_by_role("button", name="View waiver of Ana Ortiz").click()
    await told(page, "Error", "Failed to load waiver details")
    await page.wait_for_url(re.compile(r"/dashboard/waiver-management\?waiver=[0-9a-f-]{36}$"))
    await page.get_by_role("button", name="Dismiss").click()
    await told(page, "Error", "Failed to load waiver details")


async def dashboard_fails(page: Page) -> None:
    await page.clock.fast_forward("00:20")
    await page.get_by_role("link", name="Dashboard", exact=True).click()
    await told(page, "Failed to fetch data", "Could not retrieve waiver information")
    await expect(page.get_by_role("table", name="Recent Waivers")).to_contain_text("Ana Ortiz")


async def directory_fails(page: Page) -> None:
    await page.clock.fast_forward("00:20")
    await page.get_by_role("link", name="Waiver Management").click()
    await told(page, "Error", "Failed to load waivers")
    await expect(row_of(page, "Bo Lind")).to_contain_text("Pending")


def row_of(page: Page, guest: str) -> Locator:
    return page.get_by_role("table", name="Waivers").get_by_role("row").filter(has_text=guest)
