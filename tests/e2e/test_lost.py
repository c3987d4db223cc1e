"""The page for addresses that lead nowhere, with the clock held so that every second of its countdown is seen."""

import re
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.e2e.company import enter, open_company
from tests.e2e.conftest import DESKTOP, Place
from tests.e2e.faults import hold_the_clock
from tests.e2e.guest import a_session

SENT = ["Email Sent", "Your email has been sent successfully!", "The waiver is being delivered to the recipient."]


@pytest_asyncio.fixture
async def page(browser: Browser, place: Place) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=place.url, viewport=DESKTOP)
    page = await context.new_page()
    await page.clock.install()
    yield page
    await context.close()


async def counts_down(page: Page, here: str) -> None:
    for seconds in (5, 4, 3, 2, 1):
        await expect(page.get_by_text("Redirecting to")).to_have_text(
            f"Redirecting to sent waivers in {seconds} seconds..."
        )
        assert page.url.endswith(here)
        await page.clock.run_for(1_000)


@pytest.mark.accept("NOTFOUND-01", "NOTFOUND-02", "NOTFOUND-13", "ROUTE-28")
async def test_a_lost_visitor_is_told_so_and_stays(page: Page) -> None:
    await hold_the_clock(page)
    answer = await page.goto("/nope")

    assert answer is not None
    assert answer.status == 404
    await expect(page.get_by_role("heading", name="404", exact=True)).to_be_visible()
    await expect(page.get_by_text("Oops! Page not found", exact=True)).to_be_visible()
    await expect(page.get_by_text("If you have just sent an email, it may still be processing.")).to_be_visible()
    await expect(page.get_by_role("link", name="Return to Home")).to_have_attribute("href", "/")
    await expect(page.get_by_role("link", name="Go to Dashboard")).to_have_attribute("href", "/dashboard")
    await expect(page.get_by_text("Redirecting")).to_have_count(0)
    for _ in range(20):
        await page.clock.run_for(1_000)
    assert page.url.endswith("/nope")


@pytest.mark.accept(
    "NOTFOUND-03", "NOTFOUND-04", "NOTFOUND-05", "NOTFOUND-06", "NOTFOUND-08", "NOTFOUND-09", "NOTFOUND-10",
    "NOTFOUND-11",
)  # fmt: skip
async def test_an_address_that_speaks_of_mail_confirms_it_and_leads_on(place: Place, page: Page) -> None:
    session = await a_session(place)
    with open_company(place.served) as company:
        await enter(page, company, "/dashboard")
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await hold_the_clock(page)
        for address, leads_to in {
            "/some/email/page": "/sent-waivers",
            "/mailbox": "/sent-waivers",
            "/my/sent-waivers": "/sent-waivers",
            "/nope?emailSent=true": "/sent-waivers",
            "/null/emails": "/sent-waivers",
            "/undefined/send-email": "/sent-waivers",
            f"/x/undefined/sign/session/{session}": f"/waivers/sign/session/{session}",
            "/mail/sign/session/null": "/dashboard/waivers",
            "/mail/sign/session/undefined": "/dashboard/waivers",
            "/mail/sign/": "/dashboard/waivers",
        }.items():
            await page.goto(address)
            for words in SENT:
                await expect(page.get_by_text(words, exact=True)).to_be_visible()
            await counts_down(page, address)
            await expect(page).to_have_url(place.url + leads_to)


@pytest.mark.accept("NOTFOUND-07", "NOTFOUND-12")
async def test_an_address_that_tells_of_a_failure_does_not_claim_success_and_can_be_left(page: Page) -> None:
    await hold_the_clock(page)
    for query in ("?emailFailed=true&reason=Mailbox+full", "?emailSent=false&reason=Mailbox+full"):
        await page.goto(f"/dashboard/sent-waivers{query}")
        await expect(page.get_by_role("heading", name="Email Not Sent", exact=True)).to_be_visible()
        await expect(page.get_by_text("Mailbox full", exact=True)).to_be_visible()
        for words in SENT:
            await expect(page.get_by_text(words, exact=True)).to_have_count(0)
        await counts_down(page, query)
        await expect(page).to_have_url(re.compile("/sent-waivers$"))

    await page.goto("/dashboard/sent-waivers")
    await page.clock.run_for(1_000)
    await page.get_by_role("link", name="Go to Dashboard").click()
    await expect(page).to_have_url(re.compile("/(dashboard|signin)$"))
    for _ in range(10):
        await page.clock.run_for(1_000)
    await page.clock.resume()
    await expect(page).to_have_url(re.compile("/signin$"))


@pytest.mark.accept("ROUTE-15", "ROUTE-16", "ROUTE-17", "ROUTE-29", "NOTFOUND-04", "NOTFOUND-07")
async def test_after_a_send_the_page_that_is_no_route_tells_how_it_went(place: Place, page: Page) -> None:
    with open_company(place.served) as company:
        place.office.answer = "550 No such person"
        try:
            await enter(page, company, "/dashboard/waivers")
            await send(page)
            await expect(page.get_by_role("heading", name="Email Not Sent", exact=True)).to_be_visible(timeout=15_000)
        finally:
            place.office.answer = "250 OK"
        reason = "The mail server answered 550: No such person"
        await expect(page.get_by_role("main").get_by_text(reason, exact=True)).to_be_visible()
        await expect(page.get_by_text("Email Sent", exact=True)).to_have_count(0)
        await arrives(page, "The waiver was not sent")
        await expect(page.get_by_text(reason, exact=True).first).to_be_visible()

        await page.get_by_role("link", name="Send a New Waiver").click()
        await send(page)
        await expect(page.get_by_role("heading", name="Email Sent", exact=True)).to_be_visible(timeout=15_000)
        await arrives(page, "Waivers Sent Successfully")
    answer = await page.request.get("/dashboard/sent-waivers")
    assert answer.status == 404


async def send(page: Page) -> None:
    await page.get_by_role("button", name="Send General Liability Waiver").click()
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await dialog.get_by_label("First Name").fill("Gil")
    await dialog.get_by_label("Last Name").fill("Okafor")
    await dialog.get_by_label("Recipient Email").fill(f"gil.{uuid4().hex}@example.com")
    await dialog.get_by_role("button", name="Send Waiver").click()
    await page.wait_for_url("**/dashboard/sent-waivers", timeout=15_000)


async def arrives(page: Page, heading: str) -> None:
    for _ in range(5):
        await page.clock.run_for(1_000)
    await page.wait_for_url(re.compile(r"\d/sent-waivers$"))
    await expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    for name in ("Send a New Waiver", "Return to Waivers"):
        await expect(page.get_by_role("link", name=name)).to_have_attribute("href", "/dashboard/waivers")
