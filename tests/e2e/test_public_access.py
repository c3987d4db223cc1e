"""Who may open what: the same public pages for everybody, and no other screen without an account."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.e2e.conftest import DESK, Place
from tests.e2e.public import PLAIN_PAGES

OPEN_TO_ALL = {
    **PLAIN_PAGES,
    "/checkout": "Secure Checkout",
    "/verify": "Verify a document",
    "/sent-waivers": "Waivers Sent Successfully",
    "/waivers/sign/template-general-liability": "General Liability Waiver",
    "/nope": "404",
}
CLOSED = [
    "/dashboard",
    "/dashboard/waivers",
    "/dashboard/waiver-management",
    "/dashboard/profile",
    "/guest-dashboard",
    "/guest-dashboard/profile",
]


@pytest_asyncio.fixture
async def page(browser: Browser, place: Place) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=place.url, viewport=DESK)
    yield await context.new_page()
    await context.close()


async def opens_everything_public(page: Page) -> None:
    for path, heading in OPEN_TO_ALL.items():
        await page.goto(path)
        await expect(page.get_by_role("heading", name=heading, exact=True).first).to_be_visible()
        assert page.url.endswith(path)


@pytest.mark.accept("ROUTE-10", "ROUTE-36", "ROUTE-28")
async def test_a_visitor_opens_the_public_pages_and_no_other(page: Page) -> None:
    await opens_everything_public(page)
    for path, heading in {"/signin": "Welcome to Cairn", "/signup": "Get started with Cairn"}.items():
        await page.goto(path)
        await expect(page.get_by_role("heading", name=heading)).to_be_visible()
        await expect(page.get_by_role("button", name="Continue with Google")).to_be_visible()
        await expect(page.get_by_label("Email")).to_be_visible()
        await expect(page.get_by_label("Full Name")).to_be_visible(visible=path == "/signup")
    for path in CLOSED:
        await page.goto(path)
        await page.wait_for_url("**/signin*")


@pytest.mark.accept("ROUTE-31", "ROUTE-28")
@pytest.mark.parametrize(("role", "home"), [("Company", "/dashboard"), ("Customer", "/guest-dashboard")])
async def test_public_pages_stay_open_to_whoever_is_signed_in(page: Page, role: str, home: str) -> None:
    await page.goto("/signup")
    await page.get_by_label("Full Name").fill("Rosa Marín")
    await page.get_by_text(role, exact=True).click()
    await page.get_by_label("Email").fill(f"rosa.{uuid4().hex}@example.com")
    await page.get_by_label("Password").fill("a long walk by the river")
    await page.get_by_role("button", name="Create account").click()
    await page.wait_for_url(f"**{home}")

    await opens_everything_public(page)

    await page.goto("/signin")
    await page.wait_for_url(f"**{home}")


@pytest.mark.accept("ROUTE-12", "CHECK-01", "CHECK-02", "CHECK-03", "CHECK-07")
async def test_checkout_shows_what_the_address_asks_for(page: Page) -> None:
    await page.goto("/pricing")
    await page.get_by_role("link", name="Get Started: Basic").click()
    await expect(page.get_by_role("heading", name="Secure Checkout")).to_be_visible()
    await expect(page.get_by_text("Basic Plan Subscription")).to_be_visible()
    await expect(page.get_by_text("$20.00")).to_be_visible()

    await page.get_by_role("button", name="Proceed to Payment").click()
    await expect(page.get_by_role("button", name="Pay $20.00")).to_be_visible()
    await page.get_by_role("link", name="Cancel").click()
    await page.get_by_role("button", name="Cancel").click()
    await page.wait_for_url("**/pricing")
    await page.get_by_role("link", name="Get Started: Basic").click()
    await page.get_by_role("button", name="Cancel").click()
    await page.wait_for_url("**/pricing")

    for query in ("", "?amount=-5", "?amount=9.99", "?amount=0", "?amount=ten&description="):
        await page.goto(f"/checkout{query}")
        await expect(page.get_by_text("$9.99")).to_be_visible()
        await expect(page.get_by_text("Waiver Service")).to_be_visible()
    await page.goto("/checkout?amount=1&description=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    await expect(page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
    await expect(page.get_by_text("$0.01")).to_be_visible()


@pytest.mark.accept("NOTFOUND-08", "NOTFOUND-11", "NOTFOUND-13", "ROUTE-28")
async def test_a_lost_visitor_is_told_so_and_a_sender_is_led_on(page: Page) -> None:
    """With the clock held, so that every second of the countdown is seen."""
    await page.clock.install()
    answer = await page.goto("/nope")
    assert answer is not None
    assert answer.status == 404
    await expect(page.get_by_text("Oops! Page not found")).to_be_visible()
    await page.clock.run_for(20_000)
    assert page.url.endswith("/nope")

    await page.goto("/some/email/page")
    for seconds in (5, 4, 3, 2, 1):
        await expect(page.get_by_text(f"Redirecting to sent waivers in {seconds} seconds...")).to_be_visible()
        assert page.url.endswith("/some/email/page")
        await page.clock.run_for(1_000)
    await page.wait_for_url("**/sent-waivers")


@pytest.mark.accept("ROUTE-29")
async def test_the_page_after_sending_is_not_a_route(page: Page) -> None:
    await page.clock.install()
    answer = await page.goto("/dashboard/sent-waivers")
    assert answer is not None
    assert answer.status == 404
    await expect(page.get_by_text("Email Sent", exact=True)).to_be_visible()
    for _ in range(5):
        await page.clock.run_for(1_000)
    await page.wait_for_url("**/sent-waivers")
    await expect(page.get_by_role("heading", name="Waivers Sent Successfully")).to_be_visible()
