"""What people are told when something goes wrong, each fault really made: in the database, at the mail server, in the
browser."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.company import PASSWORD, Company, enter, open_company
from tests.e2e.conftest import DESKTOP, Place
from tests.e2e.faults import broken, hold_the_clock, lasts, out_of_ink, refusing, told
from tests.e2e.guest import a_session, draw_with_mouse, fill_in, link, press_sign, see_it_stored, stored, wave
from tests.e2e.test_mailed_links import sign_in


@pytest.fixture
def company(place: Place) -> Iterator[Company]:
    with open_company(place.served) as opened:
        yield opened


@pytest_asyncio.fixture
async def held(browser: Browser, place: Place) -> AsyncIterator[Page]:
    """A page whose clock is moved by hand, and without the app's worker: what goes by way of a worker cannot be
    blocked from outside."""
    context = await browser.new_context(base_url=place.url, viewport=DESKTOP, service_workers="block")
    page = await context.new_page()
    await page.clock.install()
    yield page
    await context.close()


@pytest.mark.accept("ERR-01", "ERR-02", "ERR-04", "ERR-05", "ERR-06", "ERR-31", "ERR-32")
async def test_what_goes_wrong_with_an_account_is_told(place: Place, company: Company, held: Page) -> None:
    await sign_up(held, company.email)
    await told(held, "Sign up failed", "User already registered")
    await sign_up(held, f"new.{company.email}")
    await told(held, "Account created!", "Your company account has been successfully created.", alarming=False)
    await held.evaluate("localStorage.clear()")
    await sign_in(held, company.email, "not her password")
    await told(held, "Sign in failed", "Invalid login credentials")
    await sign_in(held, company.email, PASSWORD)
    await told(held, "Welcome back!", "You've been successfully signed in.", alarming=False)

    await held.goto("/dashboard/profile")
    await held.get_by_role("button", name="Edit Profile").click()
    await held.get_by_label("Bio").fill("Guide since 1998")
    async with refusing(place.served, "update (bio)", "public.profiles"):
        await held.get_by_role("button", name="Save Changes").click()
        await told(held, "Update failed", "permission denied for table profiles")
    async with out_of_ink(place.served, "public.profiles", "update", words=""):
        await held.get_by_role("button", name="Save Changes").click()
        await told(held, "Update failed", "Failed to update profile")
    await expect(held.get_by_label("Bio")).to_have_value("Guide since 1998")
    session = await held.evaluate("localStorage.getItem('sb-cairn-auth-token')")
    await held.evaluate("localStorage.removeItem('sb-cairn-auth-token')")
    await held.get_by_role("button", name="Save Changes").click()
    await told(held, "Update failed", "Not authenticated")

    await held.evaluate("session => localStorage.setItem('sb-cairn-auth-token', session)", session)
    await held.goto("/dashboard/profile")
    async with out_of_ink(place.served, "auth.sessions", "delete"):
        await held.get_by_role("button", name="Sign Out").click()
        await told(held, "Sign out failed", "Something went wrong.")
    await held.wait_for_url("**/signin")
    assert await held.evaluate("localStorage.getItem('sb-cairn-auth-token')") is None


async def sign_up(page: Page, email: str) -> None:
    await page.goto("/signup")
    await page.get_by_label("Full Name").fill("Rosa Marín")
    await page.get_by_label("Email").fill(email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Create account").click()


@pytest.mark.accept("ERR-07", "ERR-11", "ERR-14", "ERR-22", "ERR-27")
async def test_what_cannot_be_loaded_at_the_desk_is_told(place: Place, company: Company, held: Page) -> None:
    """From an empty page, where there is nothing old to show."""
    pending = company.send("Ana Ortiz")
    async with refusing(place.served, "select", "public.waiver_sessions"):
        await enter(held, company, "/dashboard")
        await told(held, "Failed to fetch data", "Could not retrieve waiver information")
        await expect(held.get_by_role("alert").get_by_role("button", name="Try again")).to_be_visible()
        await held.goto(f"/dashboard/waivers?sign={pending}")
        await told(held, "Error", "An error occurred while loading the waiver session.")
        await told(held, "Error", "Failed to prepare waiver templates.")
    function = "function public.waiver_directory"
    async with refusing(place.served, "execute", function):
        await held.goto("/dashboard/waiver-management")
        await told(held, "Error", "Failed to load waivers")
    await held.get_by_role("button", name="Try again").click()
    await held.get_by_role("button", name="View waiver of Ana Ortiz").click()
    await told(held, "Waiver Pending", "This waiver has not been signed yet.", alarming=False)


@pytest.mark.accept("ERR-28", "MAIL-21", "TPL-21")
async def test_a_send_that_fails_says_why_and_only_a_blocked_one_names_the_browser(
    place: Place, company: Company, held: Page
) -> None:
    await enter(held, company, "/dashboard/waivers")
    place.office.answer = "550 No such person"
    try:
        await send(held)
        await told(held, "Failed to Send Waiver", "Error: The mail server answered 550: No such person")
    finally:
        place.office.answer = "250 OK"
    await held.wait_for_url("**/dashboard/sent-waivers")
    await expect(held.get_by_text("Email Not Sent")).to_be_visible()

    await held.goto("/dashboard/waivers")
    await send(held)
    await told(held, "Waiver Sent Successfully", alarming=False)
    await held.wait_for_url("**/dashboard/sent-waivers")

    await held.goto("/dashboard/waivers")
    # As an extension does it.
    await held.route("**/functions/v1/send-email", lambda route: route.abort("blockedbyclient"))
    dialog = await address(held)
    await hold_the_clock(held)
    await dialog.get_by_role("button", name="Send Waiver").click()
    await lasts(held, held.get_by_text("CORS Limitation", exact=True), 8_000)
    await told(held, "Failed to Send Waiver", "Error: The browser blocked the request.")


async def send(page: Page) -> None:
    dialog = await address(page)
    await dialog.get_by_role("button", name="Send Waiver").click()


async def address(page: Page) -> Locator:
    await page.get_by_role("button", name="Send General Liability Waiver").click()
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await dialog.get_by_label("First Name").fill("Noor")
    await dialog.get_by_label("Last Name").fill("Haddad")
    await dialog.get_by_label("Recipient Email").fill("noor@example.com")
    return dialog


@pytest.mark.accept("ERR-26")
async def test_a_session_that_stays_open_after_signing_is_told(place: Place, desktop: Page) -> None:
    session = await a_session(place)
    how = f"""
        create function public.forget_it() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger forget_it before update on waivers.sessions
            for each row when (new.id = '{session}') execute function public.forget_it();
    """
    mended = "drop trigger forget_it on waivers.sessions; drop function public.forget_it()"
    async with broken(place.served, how, mended):
        await desktop.goto(link(session))
        await fill_in(desktop)
        await draw_with_mouse(desktop, wave(0.1, 0.9))
        await press_sign(desktop)
        warning = "Warning: Waiver was signed but we couldn't update the session record."
        await expect(desktop.get_by_role("alert")).to_have_text(warning)
        await see_it_stored(desktop)
    assert len(await stored(place, session)) == 1
