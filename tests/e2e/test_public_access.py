"""The public pages are open to everyone; all other pages require an account."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.account_forms import create_account, open_and_sign_in
from tests.e2e.close_context import close_context
from tests.e2e.conftest import DESKTOP, Deployment
from tests.e2e.guest import create_session, signing_path
from tests.e2e.public_pages import PLAIN_PAGES

PUBLIC_PAGES = {
    **PLAIN_PAGES,
    "/checkout": "Secure Checkout",
    "/verify": "Verify a document",
    "/sent-waivers": "Waivers Sent Successfully",
    "/waivers/sign/template-general-liability": "General Liability Waiver",
    "/nope": "404",
}
# These are some of the pages that require an account. Other tests check the remaining ones.
COMPANY_PAGES = ["/dashboard", "/dashboard/waivers", "/dashboard/settings/billing", "/dashboard/help/support"]
GUEST_PAGES = ["/guest-dashboard", "/guest-dashboard/profile"]


@pytest_asyncio.fixture
async def page(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    # Playwright cannot hold requests that pass through the service worker.
    context = await browser.new_context(base_url=deployment.url, viewport=DESKTOP, service_workers="block")
    yield await context.new_page()
    await close_context(context)


async def expect_public_pages_open(deployment: Deployment, page: Page) -> None:
    session_path = signing_path(await create_session(deployment))
    for path, heading in {**PUBLIC_PAGES, session_path: "River trip"}.items():
        await page.goto(path)
        await expect(page.get_by_role("heading", name=heading, exact=True).first).to_be_visible()
        assert page.url.endswith(path)


@pytest.mark.accept("ROUTE-10", "ROUTE-13", "ROUTE-14", "ROUTE-28", "ROUTE-36")
async def test_a_visitor_can_open_only_the_public_pages(deployment: Deployment, page: Page) -> None:
    await expect_public_pages_open(deployment, page)
    for path, heading in {"/signin": "Welcome to Cairn", "/signup": "Get started with Cairn"}.items():
        await page.goto(path)
        await expect(page.get_by_role("heading", name=heading)).to_be_visible()
        await expect(page.get_by_role("button", name="Continue with Google")).to_be_visible()
        await expect(page.get_by_label("Email")).to_be_visible()
        await expect(page.get_by_label("Full Name")).to_be_visible(visible=path == "/signup")
    for path in [*COMPANY_PAGES, *GUEST_PAGES]:
        await page.goto(path)
        await expect(page).to_have_url(re.compile("/signin$"))


@pytest.mark.accept("ROUTE-28", "ROUTE-30", "ROUTE-31", "ROUTE-32", "ROUTE-33", "ROUTE-34", "ROUTE-37")
@pytest.mark.parametrize(
    ("role", "home", "own_page", "forbidden_pages"),
    [
        ("company", "/dashboard", "/dashboard/waiver-management?status=pending", GUEST_PAGES),
        ("customer", "/guest-dashboard", "/guest-dashboard/profile?section=security", COMPANY_PAGES),
    ],
)
async def test_a_signed_in_user_can_open_only_pages_of_their_role_and_the_public_pages(
    deployment: Deployment, page: Page, role: str, home: str, own_page: str, forbidden_pages: list[str]
) -> None:
    email = await create_account(deployment, page, role)
    await open_and_sign_in(page, forbidden_pages[0], email)
    await expect(page).to_have_url(deployment.url + home)
    await page.evaluate("localStorage.clear()")
    await open_and_sign_in(page, own_page, email)
    await expect(page).to_have_url(deployment.url + own_page)

    await expect_public_pages_open(deployment, page)
    # The role in the browser's storage gives no access.
    other_role = "customer" if role == "company" else "company"
    await page.evaluate("role => localStorage.setItem('user', JSON.stringify({ role }))", other_role)
    for path in [*forbidden_pages, "/signin", "/signup"]:
        await page.goto(path)
        await expect(page).to_have_url(deployment.url + home)
    await expect_no_content_before_role_is_known(page, home)


async def expect_no_content_before_role_is_known(page: Page, home: str) -> None:
    released = asyncio.Event()

    async def hold(route: Route) -> None:
        await released.wait()
        await route.continue_()

    await page.route("**/rest/v1/profiles*", hold, times=1)
    await page.goto(home)
    await expect(page.get_by_role("status").filter(has_text="Loading")).to_be_visible()
    await expect(page.get_by_role("heading")).to_have_count(0)
    assert page.url.endswith(home)
    released.set()
    await expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.accept("ROUTE-12", "CHECK-01", "CHECK-02", "CHECK-03", "CHECK-07")
async def test_checkout_shows_the_amount_and_description_from_its_url(page: Page) -> None:
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


async def test_the_buttons_of_checkout_wait_for_the_scripts(page_without_scripts: Page) -> None:
    await page_without_scripts.goto("/checkout?amount=2000")
    for name in ("Cancel", "Proceed to Payment"):
        await expect(page_without_scripts.get_by_role("button", name=name)).to_be_disabled()
