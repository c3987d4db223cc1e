"""How long a message stays, how often the app asks again, and how long it remembers, on a clock that stands."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import Locator, Page, Request, expect

from tests.e2e.company import Company, enter, open_company
from tests.e2e.conftest import Place
from tests.e2e.faults import hold_the_clock, lasts, refusing
from tests.e2e.guest import records

DIRECTORY = "function public.waiver_directory"
PENDING = "/dashboard/waiver-management?status=pending"


@pytest.fixture
def company(place: Place) -> Iterator[Company]:
    with open_company(place.served) as opened:
        yield opened


@pytest.mark.accept("UX-02")
async def test_what_is_said_of_the_trial_stays_for_ten_seconds(
    place: Place, company: Company, desktop_without_worker: Page
) -> None:
    page = desktop_without_worker
    await page.clock.install()
    await page.goto("/signin")
    await hold_the_clock(page)
    await enter(page, company, "/dashboard")
    await lasts(page, toast(page, "Welcome to Your 7-Day Free Trial!"), 10_000)

    await a_later_day(place, company, days=5)
    await page.reload()
    await lasts(page, toast(page, "Trial Period: 2 days remaining"), 10_000)


def toast(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name="Notification").get_by_text(title, exact=True)


async def a_later_day(place: Place, company: Company, days: int) -> None:
    async with records(place) as connection:
        await connection.execute(
            """
            update billing.trials
               set start_date = now() - make_interval(days => $2, mins => 1), last_notified_on = current_date - 1
             where user_id = $1
            """,
            company.session["user"]["id"], days,
        )  # fmt: skip


@pytest.mark.accept("UX-05")
async def test_a_question_that_fails_is_asked_three_times_more(
    place: Place, company: Company, desktop_without_worker: Page
) -> None:
    page, asked = desktop_without_worker, Asked(desktop_without_worker)
    await page.clock.install()
    await enter(page, company, "/dashboard/waiver-management")
    await expect(page.get_by_role("heading", name="No waivers found.")).to_be_visible()
    await hold_the_clock(page)
    async with refusing(place.served, "execute", DIRECTORY):
        await page.get_by_label("Status").select_option("Pending")
        await asked.become(1)
        for wait, tries in {1_000: 2, 2_000: 3, 4_000: 4}.items():
            await page.clock.run_for(wait - 1)
            await asked.remain(tries - 1)
            await page.clock.run_for(1)
            await asked.become(tries)
        await page.clock.run_for(16_000)
        await asked.remain(4)
        await expect(page.get_by_role("alert").get_by_text("Failed to load waivers")).to_be_visible()


class Asked:
    """How often the server has answered the question for the list of those who have not signed."""

    def __init__(self, page: Page) -> None:
        self._page, self._begun, self._answered = page, 0, 0
        page.on("request", self._begin)
        page.on("requestfinished", self._answer)
        self._news = asyncio.Event()

    def _begin(self, request: Request) -> None:
        self._begun += is_for_the_list(request)

    def _answer(self, request: Request) -> None:
        self._answered += is_for_the_list(request)
        self._news.set()

    async def become(self, times: int) -> None:
        async with asyncio.timeout(15):
            while self._answered < times:
                self._news.clear()
                await self._news.wait()
        await self.remain(times)

    async def remain(self, times: int) -> None:
        # Whatever was asked or answered before this has been dealt with after it.
        await self._page.evaluate("fetch('/robots.txt').then((answer) => answer.text())")
        assert (self._begun, self._answered) == (times, times)


def is_for_the_list(request: Request) -> bool:
    return "/rpc/waiver_directory" in request.url and '"pending"' in (request.post_data or "")


@pytest.mark.accept("UX-06")
async def test_what_nobody_looks_at_is_remembered_for_five_minutes(
    place: Place, company: Company, desktop_without_worker: Page
) -> None:
    page = desktop_without_worker
    company.send("Ana Ortiz")
    row = page.get_by_role("button", name="View waiver of Ana Ortiz")
    await page.clock.install()
    await enter(page, company, PENDING)
    await expect(row).to_be_visible()

    async with refusing(place.served, "execute", DIRECTORY):
        await leave_for(page, "05:01")
        await expect(page.locator("table[aria-busy=true] .skeleton").first).to_be_visible()
        await expect(row).to_have_count(0)
    await page.clock.resume()
    await page.reload()
    await expect(row).to_be_visible()
    async with refusing(place.served, "execute", DIRECTORY):
        await leave_for(page, "04:59")
        await expect(row).to_be_visible()


async def leave_for(page: Page, minutes: str) -> None:
    """To another room, and back."""
    await hold_the_clock(page)
    await page.get_by_role("link", name="Add/Edit Waivers").click()
    await expect(page.get_by_role("heading", name="Waiver Management", level=1)).to_have_count(0)
    await page.clock.fast_forward(minutes)
    await page.go_back()
    await expect(page.get_by_role("heading", name="Waiver Management", level=1)).to_be_visible()
