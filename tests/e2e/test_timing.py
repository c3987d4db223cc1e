"""Tests how long a toast stays, how often a request is retried and how long data is cached, with a paused clock."""

import asyncio

import pytest
from playwright.async_api import Locator, Page, Request, expect

from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import Deployment
from tests.e2e.faults import expect_visible_for, pause_clock, revoked_privilege
from tests.e2e.guest import database_connection
from tests.waiting import PATIENCE_SECONDS

DIRECTORY_FUNCTION = "function public.waiver_directory"
PENDING_PATH = "/dashboard/waiver-management?status=pending"


@pytest.mark.accept("UX-02")
async def test_toasts_about_the_trial_stay_for_ten_seconds(
    deployment: Deployment, company: Company, desktop: Page
) -> None:
    page = desktop
    await page.clock.install()
    await page.goto("/signin")
    await pause_clock(page)
    await open_signed_in(page, company, "/dashboard")
    await expect_visible_for(page, toast(page, "Welcome to Your 7-Day Free Trial!"), 10_000)

    await set_trial_start(deployment, company, days_ago=5)
    await page.reload()
    await expect_visible_for(page, toast(page, "Trial Period: 2 days remaining"), 10_000)


def toast(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name="Notification").get_by_text(title, exact=True)


async def set_trial_start(deployment: Deployment, company: Company, days_ago: int) -> None:
    async with database_connection(deployment) as connection:
        await connection.execute(
            """
            update billing.trials
               set start_date = now() - make_interval(days => $2, mins => 1), last_notified_on = current_date - 1
             where user_id = $1
            """,
            company.session["user"]["id"], days_ago,
        )  # fmt: skip


@pytest.mark.accept("UX-05")
async def test_a_failed_request_is_retried_three_times(deployment: Deployment, company: Company, desktop: Page) -> None:
    page, request_counter = desktop, RequestCounter(desktop)
    await page.clock.install()
    await open_signed_in(page, company, "/dashboard/waiver-management")
    await expect(page.get_by_role("heading", name="No waivers found.")).to_be_visible()
    await pause_clock(page)
    async with revoked_privilege(deployment.server, "execute", DIRECTORY_FUNCTION):
        await page.get_by_label("Status").select_option("Pending")
        await request_counter.wait_for(1)
        for delay_milliseconds, attempts in {1_000: 2, 2_000: 3, 4_000: 4}.items():
            await page.clock.run_for(delay_milliseconds - 1)
            await request_counter.expect(attempts - 1)
            await page.clock.run_for(1)
            await request_counter.wait_for(attempts)
        await page.clock.run_for(16_000)
        await request_counter.expect(4)
        await expect(page.get_by_role("alert").get_by_text("Failed to load waivers")).to_be_visible()


class RequestCounter:
    """Counts the requests for the list of pending waivers, and their responses."""

    def __init__(self, page: Page) -> None:
        self._page, self._started, self._finished = page, 0, 0
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_finished)
        self._changed = asyncio.Event()

    def _on_request(self, request: Request) -> None:
        self._started += is_for_pending_waivers(request)

    def _on_finished(self, request: Request) -> None:
        self._finished += is_for_pending_waivers(request)
        self._changed.set()

    async def wait_for(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self._finished < count:
                self._changed.clear()
                await self._changed.wait()
        await self.expect(count)

    async def expect(self, count: int) -> None:
        # After this request, the events of all earlier requests have been handled.
        await self._page.evaluate("fetch('/robots.txt').then((response) => response.text())")
        assert (self._started, self._finished) == (count, count)


def is_for_pending_waivers(request: Request) -> bool:
    return "/rpc/waiver_directory" in request.url and '"pending"' in (request.post_data or "")


@pytest.mark.accept("UX-06")
async def test_unused_data_is_cached_for_five_minutes(deployment: Deployment, company: Company, desktop: Page) -> None:
    page = desktop
    company.send_to("Ana Ortiz")
    row = page.get_by_role("link", name="View waiver of Ana Ortiz")
    await page.clock.install()
    await open_signed_in(page, company, PENDING_PATH)
    await expect(row).to_be_visible()

    async with revoked_privilege(deployment.server, "execute", DIRECTORY_FUNCTION):
        await leave_and_return(page, "05:01")
        await expect(page.locator("table[aria-busy=true] .skeleton").first).to_be_visible()
        await expect(row).to_have_count(0)
    await page.clock.resume()
    await page.reload()
    await expect(row).to_be_visible()
    async with revoked_privilege(deployment.server, "execute", DIRECTORY_FUNCTION):
        await leave_and_return(page, "04:59")
        await expect(row).to_be_visible()


async def leave_and_return(page: Page, duration: str) -> None:
    """Opens another page, advances the clock by a duration such as `05:01`, and goes back."""
    await pause_clock(page)
    await page.get_by_role("link", name="Add/Edit Waivers").click()
    await expect(page.get_by_role("heading", name="Waiver Management", level=1)).to_have_count(0)
    await page.clock.fast_forward(duration)
    await page.go_back()
    await expect(page.get_by_role("heading", name="Waiver Management", level=1)).to_be_visible()
