"""Who may open what: the same public pages for everybody, and no other screen without an account."""

import asyncio
import re
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.company import PASSWORD
from tests.e2e.conftest import DESKTOP, Place
from tests.e2e.guest import a_session, link
from tests.e2e.public import PLAIN_PAGES

OPEN_TO_ALL = {
    **PLAIN_PAGES,
    "/checkout": "Secure Checkout",
    "/verify": "Verify a document",
    "/sent-waivers": "Waivers Sent Successfully",
    "/waivers/sign/template-general-liability": "General Liability Waiver",
    "/nope": "404",
}
# One of each kind; every room has a story of its own.
FOR_COMPANIES = ["/dashboard", "/dashboard/waivers", "/dashboard/settings/billing", "/dashboard/help/support"]
FOR_GUESTS = ["/guest-dashboard", "/guest-dashboard/profile"]


@pytest_asyncio.fixture
async def page(browser: Browser, place: Place) -> AsyncIterator[Page]:
    # Without the app's worker: what goes by way of it cannot be held back from outside.
    context = await browser.new_context(base_url=place.url, viewport=DESKTOP, service_workers="block")
    yield await context.new_page()
    await context.close()


async def opens_everything_public(place: Place, page: Page) -> None:
    session = link(await a_session(place))
    for path, heading in {**OPEN_TO_ALL, session: "River trip"}.items():
        await page.goto(path)
        await expect(page.get_by_role("heading", name=heading, exact=True).first).to_be_visible()
        assert page.url.endswith(path)


@pytest.mark.accept("ROUTE-10", "ROUTE-13", "ROUTE-14", "ROUTE-28", "ROUTE-36")
async def test_a_visitor_opens_the_public_pages_and_no_other(place: Place, page: Page) -> None:
    await opens_everything_public(place, page)
    for path, heading in {"/signin": "Welcome to Cairn", "/signup": "Get started with Cairn"}.items():
        await page.goto(path)
        await expect(page.get_by_role("heading", name=heading)).to_be_visible()
        await expect(page.get_by_role("button", name="Continue with Google")).to_be_visible()
        await expect(page.get_by_label("Email")).to_be_visible()
        await expect(page.get_by_label("Full Name")).to_be_visible(visible=path == "/signup")
    for path in [*FOR_COMPANIES, *FOR_GUESTS]:
        await page.goto(path)
        await expect(page).to_have_url(re.compile("/signin$"))


@pytest.mark.accept("ROUTE-28", "ROUTE-30", "ROUTE-31", "ROUTE-32", "ROUTE-33", "ROUTE-34", "ROUTE-37")
@pytest.mark.parametrize(
    ("role", "home", "wanted", "not_theirs"),
    [
        ("company", "/dashboard", "/dashboard/waiver-management?status=pending", FOR_GUESTS),
        ("customer", "/guest-dashboard", "/guest-dashboard/profile?section=security", FOR_COMPANIES),
    ],
)
async def test_whoever_is_signed_in_keeps_to_their_own_rooms_and_the_public_pages(
    place: Place, page: Page, role: str, home: str, wanted: str, not_theirs: list[str]
) -> None:
    email = await an_account(place, page, role)
    await comes_for(page, not_theirs[0], email)
    await expect(page).to_have_url(place.url + home)
    await page.evaluate("localStorage.clear()")
    await comes_for(page, wanted, email)
    await expect(page).to_have_url(place.url + wanted)

    await opens_everything_public(place, page)
    # What the browser has written down opens nothing.
    other = "customer" if role == "company" else "company"
    await page.evaluate("role => localStorage.setItem('user', JSON.stringify({ role }))", other)
    for path in [*not_theirs, "/signin", "/signup"]:
        await page.goto(path)
        await expect(page).to_have_url(place.url + home)
    await waits_before_it_decides(page, home)


async def an_account(place: Place, page: Page, role: str) -> str:
    email = f"{role}.{uuid4().hex}@example.com"
    account = {"email": email, "password": PASSWORD, "data": {"name": "Rosa Marín", "role": role}}
    made = await page.request.post("/auth/v1/signup", data=account, headers={"apikey": place.served.anon_key})
    assert made.ok
    return email


async def comes_for(page: Page, wanted: str, email: str) -> None:
    """Is asked who they are, and tells."""
    await page.goto(wanted)
    await page.wait_for_url("**/signin")
    await page.get_by_label("Email").fill(email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()


async def waits_before_it_decides(page: Page, home: str) -> None:
    """While it is not known who is there, neither content nor another page is shown."""
    known = asyncio.Event()

    async def not_yet(route: Route) -> None:
        await known.wait()
        await route.continue_()

    await page.route("**/rest/v1/profiles*", not_yet, times=1)
    await page.goto(home)
    await expect(page.get_by_role("status").filter(has_text="Loading")).to_be_visible()
    await expect(page.get_by_role("heading")).to_have_count(0)
    assert page.url.endswith(home)
    known.set()
    await expect(page.get_by_role("heading", level=1)).to_be_visible()


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
