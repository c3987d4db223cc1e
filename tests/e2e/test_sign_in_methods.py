"""Users sign in with Google and with a second factor, and change their password."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from time import time

import pyotp
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.e2e.account_forms import sign_in, sign_up
from tests.e2e.close_context import close_context
from tests.e2e.company import PASSWORD
from tests.e2e.fault_proxy import FaultProxy, running_fault_proxy
from tests.external.openid import CLIENT_ID, CLIENT_SECRET, OpenIdProvider
from tests.external.serving import running_openid_provider
from tests.serving import RunningServer, free_port, serving_in_thread

IS_REDIRECTING_TO_GOOGLE = (
    "() => document.querySelector('[role=region] li')?.innerText.includes('Redirecting to Google')"
)
NEW_PASSWORD = "ten rapids after noon"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def google() -> AsyncIterator[OpenIdProvider]:
    async with running_openid_provider() as provider:
        yield provider


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def proxy() -> AsyncIterator[FaultProxy]:
    """Starts the proxy before the server, because the server's settings contain the URL of the proxy."""
    async with running_fault_proxy(f"http://127.0.0.1:{free_port()}") as proxy:
        yield proxy


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server_with_google(
    proxy: FaultProxy, google: OpenIdProvider, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[RunningServer]:
    settings = {
        "CAIRN_AUTH__SITE_URL": proxy.url,
        "CAIRN_AUTH__GOOGLE__CLIENT_ID": CLIENT_ID,
        "CAIRN_AUTH__GOOGLE__CLIENT_SECRET": CLIENT_SECRET,
        "CAIRN_AUTH__GOOGLE__ISSUER": google.issuer,
    }
    data = tmp_path_factory.mktemp("sign-in")
    async with serving_in_thread(data, port=proxy.server_port, settings=settings) as server:
        yield replace(server, url=proxy.url)


@pytest_asyncio.fixture
async def tab(browser: Browser, server_with_google: RunningServer) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=server_with_google.url, service_workers="block")
    yield await context.new_page()
    await close_context(context)


@pytest.mark.accept("AUTHUI-11", "AUTHUI-12", "ERR-33")
async def test_a_guest_signs_up_with_google_and_edits_the_profile(
    server_with_google: RunningServer, proxy: FaultProxy, tab: Page
) -> None:
    await tab.goto("/signup")
    await tab.get_by_text("Customer", exact=True).click()
    async with proxy.hold_requests("GET /auth/v1/authorize"):
        # Playwright cannot query a page that navigates, so the check runs inside the page. It must start before the
        # click, which ends only with the navigation.
        redirecting = asyncio.ensure_future(tab.wait_for_function(IS_REDIRECTING_TO_GOOGLE))
        click = asyncio.ensure_future(tab.get_by_role("button", name="Continue with Google").click())
        await redirecting
    await click
    await tab.get_by_role("link", name="Continue as gil@example.com").click()

    await expect(tab).to_have_url(f"{server_with_google.url}/guest-dashboard")
    await expect(tab.get_by_text("Signed in as gil@example.com")).to_be_visible()
    remaining_keys = await tab.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('sb-'))")
    assert remaining_keys == [], "the state of the sign-in is removed from the storage"
    await tab.reload()
    await expect(tab.get_by_text("Signed in as gil@example.com")).to_be_visible()

    await tab.goto("/guest-dashboard/profile")
    await tab.get_by_role("button", name="Edit Profile").click()
    await tab.get_by_label("Full Name").fill("Gil Okafor")
    await tab.get_by_role("button", name="Save Changes").click()
    await expect(tab.get_by_text("Profile updated", exact=True)).to_be_visible()
    await expect(tab.get_by_text("Your profile has been successfully updated.", exact=True)).to_be_visible()
    await tab.get_by_role("main").get_by_role("button", name="Sign Out").click()
    await expect(tab.get_by_text("Signed out", exact=True)).to_be_visible()


@pytest.mark.accept("AUTHUI-11", "AUTHUI-12")
async def test_signing_up_with_google_without_choosing_a_role_creates_a_company(
    server_with_google: RunningServer, google: OpenIdProvider, tab: Page
) -> None:
    google.default_email = "rosa.of.rio@example.com"
    await tab.goto("/signin")
    await tab.get_by_role("button", name="Continue with Google").click()
    await tab.get_by_role("link", name="Continue as rosa.of.rio@example.com").click()

    await expect(tab).to_have_url(f"{server_with_google.url}/dashboard")
    await expect(tab.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()


@pytest.mark.accept("ERR-03")
async def test_cancelling_at_google_is_reported_on_the_sign_in_page(
    server_with_google: RunningServer, tab: Page
) -> None:
    await tab.goto("/signin")
    await tab.get_by_role("button", name="Continue with Google").click()
    await tab.get_by_role("link", name="Cancel").click()

    await expect(tab.get_by_text("Google sign in failed", exact=True)).to_be_visible()
    advice = "Google did not sign you in. Please try again, or sign in with your email address."
    await expect(tab.get_by_text(advice, exact=True)).to_be_visible()
    await expect(tab).to_have_url(f"{server_with_google.url}/signin")


@pytest.mark.accept("AUTHUI-10")
async def test_going_back_from_google_leaves_the_button_usable(tab: Page) -> None:
    await tab.goto("/signin")
    await tab.get_by_role("button", name="Continue with Google").click()
    await tab.get_by_role("link", name="Cancel").wait_for()

    await tab.go_back()

    await expect(tab.get_by_role("button", name="Continue with Google")).to_be_enabled()


async def test_a_second_factor_is_set_up_and_then_required(server_with_google: RunningServer, tab: Page) -> None:
    email = "rosa.careful@example.com"
    await sign_up(tab, email)
    authenticator_app, _ = await set_up_second_factor(tab)
    await tab.get_by_role("button", name="Sign out everywhere").click()
    await expect(tab).to_have_url(f"{server_with_google.url}/#signed-out")

    await sign_in(tab, email)
    await expect(tab.get_by_label("Code")).to_be_focused()
    await tab.goto("/dashboard/profile")
    await expect(tab).to_have_url(f"{server_with_google.url}/signin")
    # The current code was already used, and a code is valid only once, so the next one is submitted.
    await submit_code(tab, "Code", authenticator_app.at(int(time()), 1))

    await expect(tab).to_have_url(f"{server_with_google.url}/dashboard/profile")


async def test_a_recovery_code_replaces_a_lost_authenticator(server_with_google: RunningServer, tab: Page) -> None:
    email = "rosa.lost.her.phone@example.com"
    await sign_up(tab, email)
    _, recovery_codes = await set_up_second_factor(tab)
    await tab.evaluate("localStorage.clear()")

    await sign_in(tab, email)
    await tab.get_by_role("button", name="Use a recovery code").click()
    await submit_code(tab, "Recovery code", recovery_codes[0])
    await expect(tab).to_have_url(f"{server_with_google.url}/dashboard")
    await tab.goto("/dashboard/profile?section=security")
    await tab.get_by_role("button", name="Remove Authenticator app").click()
    await tab.get_by_role("button", name="Remove", exact=True).click()

    await expect(tab.get_by_role("button", name="Set up an authenticator app")).to_be_visible()
    await tab.reload()
    await expect(tab.get_by_role("button", name="Set up an authenticator app")).to_be_visible()


@pytest.mark.accept("PROF-04")
async def test_changing_the_password_requires_the_current_one(server_with_google: RunningServer, tab: Page) -> None:
    email = "rosa.changes@example.com"
    await sign_up(tab, email)
    await tab.goto("/dashboard/profile?section=security")

    await tab.get_by_label("New password").fill(NEW_PASSWORD)
    await tab.get_by_label("Current password").fill("not this one")
    await tab.get_by_role("button", name="Change password").click()
    await expect(tab.get_by_text("This is not your current password")).to_be_visible()
    await tab.get_by_label("Current password").fill(PASSWORD)
    await tab.get_by_role("button", name="Change password").click()
    await expect(tab.get_by_text("Every other session was signed out.", exact=True)).to_be_visible()

    await tab.evaluate("localStorage.clear()")
    await sign_in(tab, email, NEW_PASSWORD)
    await expect(tab).to_have_url(f"{server_with_google.url}/dashboard")


async def set_up_second_factor(tab: Page) -> tuple[pyotp.TOTP, list[str]]:
    """Sets up an authenticator app and returns it with the recovery codes."""
    await tab.goto("/dashboard/profile")
    await tab.get_by_role("link", name="Password & Security").click()
    await tab.get_by_role("button", name="Set up an authenticator app").click()
    app = pyotp.TOTP(await tab.locator("code").inner_text())
    qr_code_width = await tab.get_by_role("img", name="QR code").evaluate(
        "(image) => image.decode().then(() => image.naturalWidth)"
    )
    assert qr_code_width > 0
    await tab.get_by_label("Code").fill(app.now())
    await tab.get_by_role("button", name="Turn on").click()
    codes = tab.get_by_role("region", name="Save your recovery codes").get_by_role("listitem")
    await expect(codes).to_have_count(10)
    recovery_codes = await codes.all_inner_texts()
    await tab.get_by_role("button", name="I have saved them").click()
    await expect(tab.get_by_role("button", name="Remove Authenticator app")).to_be_visible()
    return app, recovery_codes


async def submit_code(tab: Page, label: str, code: str) -> None:
    await tab.get_by_label(label).fill(code)
    await tab.get_by_role("button", name="Continue", exact=True).click()
