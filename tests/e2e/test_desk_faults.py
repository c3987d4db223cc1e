"""The server stops while people work, and comes back."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.company import Company, enter, open_company
from tests.e2e.conftest import DESK
from tests.serving import free_port, serving

# Three more tries, after one, two and four seconds, come before the word that it failed; a lost line waits up to ten.
LONGEST_WAIT = 30


@pytest.mark.accept("ERR-07", "ERR-08", "ERR-22", "ERR-23", "RT-11")
async def test_the_desk_says_what_failed_keeps_what_it_has_and_catches_up(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    context = await browser.new_context(base_url=f"http://127.0.0.1:{port}", viewport=DESK)
    page = await context.new_page()
    # A clock that can be moved on, so that what was just read is asked for again, and nobody waits for the next try.
    await page.clock.install()
    with ExitStack() as stack:
        served = stack.enter_context(serving(tmp_path, port=port))
        company = stack.enter_context(open_company(served))
        company.signs(company.send("Ana Ortiz"), "Ana Ortiz")
        waiting = company.send("Bo Lind")
        await see_every_page(page, company)

        assert served.interrupt() == 0
        await view_fails(page)
        await dashboard_fails(page)
        await directory_fails(page)

        stack.enter_context(serving(tmp_path, port=port))
        company.signs(waiting, "Bo Lind")
        await soon(page, row_of(page, "Bo Lind"), "Signed")
    await context.close()


async def see_every_page(page: Page, company: Company) -> None:
    """So that nothing has to be fetched later but data."""
    await enter(page, company, "/dashboard/waiver-management")
    await page.get_by_role("button", name="View waiver of Ana Ortiz").click()
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await page.get_by_role("link", name="Dashboard", exact=True).click()
    await expect(page.get_by_role("table", name="Recent Waivers")).to_contain_text("Ana Ortiz")


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


async def told(page: Page, title: str, description: str) -> None:
    toast = page.get_by_role("region", name="Notification").get_by_role("listitem")
    await soon(page, toast, title)
    await expect(toast).to_contain_text(description)


async def soon(page: Page, place: Locator, text: str) -> None:
    for _ in range(LONGEST_WAIT):
        try:
            await expect(place).to_contain_text(text, timeout=300)
        except AssertionError:
            await page.clock.fast_forward("00:01")
        else:
            return
    raise AssertionError(f"{text} was not shown")


def row_of(page: Page, guest: str) -> Locator:
    return page.get_by_role("table", name="Waivers").get_by_role("row").filter(has_text=guest)
