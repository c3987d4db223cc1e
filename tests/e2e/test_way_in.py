"""The one form behind sign-in and sign-up, and the way out again."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.e2e.company import PASSWORD, enter, open_company
from tests.e2e.conftest import Place
from tests.e2e.faults import broken, hold_the_clock, lasts, soon


@pytest.mark.accept(
    "ROUTE-10", "AUTHUI-01", "AUTHUI-02", "AUTHUI-03", "AUTHUI-04", "AUTHUI-05", "AUTHUI-06", "AUTHUI-07", "AUTHUI-08",
    "AUTHUI-13", "AUTHUI-14",
)  # fmt: skip
async def test_one_form_in_two_modes_asks_for_one_thing_at_a_time(desktop: Page) -> None:
    await desktop.goto("/signin")
    await stands(desktop, "Welcome to Cairn", "Sign in to your account or create a new one")
    await expect(desktop.get_by_role("link", name="Forgot password?")).to_have_attribute("href", "/forgot-password")
    await expect(desktop.get_by_label("Full Name")).to_be_hidden()
    await in_this_order(desktop, "Continue with Google", "OR", "Email", "Password", "Sign in")
    await expect(desktop.get_by_label("Email")).to_have_attribute("type", "email")
    await desktop.get_by_role("button", name="Sign in", exact=True).click()
    await only_says(desktop, "Please enter your email")
    await desktop.get_by_label("Email").fill("rosa@example.com")
    await desktop.get_by_role("button", name="Sign in", exact=True).click()
    await only_says(desktop, "Please enter your password")

    await desktop.get_by_role("button", name="Create an account").click()
    await expect(desktop.get_by_role("alert")).to_have_count(0)
    await expect(desktop.get_by_label("Full Name")).to_be_visible()
    await expect(desktop.get_by_role("link", name="Forgot password?")).to_be_hidden()

    await desktop.goto("/signup")
    await stands(desktop, "Get started with Cairn", "Create your account and start managing waivers today")
    await expect(desktop.get_by_text("Free 7-day trial • No credit card required")).to_be_visible()
    await in_this_order(desktop, "Continue with Google", "OR", "Full Name", "Email", "Password", "Create account")
    role = desktop.get_by_role("group", name="I am a:")
    await expect(role.get_by_role("radio")).to_have_count(2)
    await expect(role.get_by_role("radio", name="Company")).to_be_checked()
    await expect(role.get_by_role("radio", name="Customer")).not_to_be_checked()
    for field, problem in {"Full Name": "name", "Email": "email", "Password": "password"}.items():
        await desktop.get_by_role("button", name="Create account").click()
        await only_says(desktop, f"Please enter your {problem}")
        await expect(desktop.get_by_label(field)).to_be_focused()
        await desktop.get_by_label(field).fill("rosa@example.com")


async def stands(page: Page, heading: str, subtitle: str) -> None:
    await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    await expect(page.get_by_text(subtitle, exact=True)).to_be_visible()


async def in_this_order(page: Page, *names: str) -> None:
    """From top to bottom."""
    form = page.locator("form")
    places = [form.get_by_text(name, exact=True).or_(form.get_by_label(name, exact=True)).last for name in names]
    tops = [box["y"] for place in places if (box := await place.bounding_box())]
    assert len(tops) == len(names)
    assert tops == sorted(tops)


async def only_says(page: Page, problem: str) -> None:
    await expect(page.get_by_role("alert")).to_have_text(problem)
    red, green, blue = await page.get_by_role("alert").evaluate(COLOUR)
    assert red > 2 * max(green, blue), "in red"


# As the screen mixes it, whatever space the style names it in.
COLOUR = """(element) => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.fillStyle = getComputedStyle(element).color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


@pytest.mark.accept("AUTHUI-09", "AUTHUI-15", "AUTHUI-17", "AUTHUI-18", "AUTHUI-20", "AUTHUI-21", "AUTHUI-22")
async def test_in_and_out_and_in_again(place: Place, desktop_without_worker: Page) -> None:
    desktop = desktop_without_worker
    # The text of an address never decides what somebody is.
    email = f"waiver.customer.{uuid4().hex}@example.com"
    await desktop.goto("/signup")
    await desktop.get_by_label("Full Name").fill("Rosa Marín")
    await fill(desktop, email, PASSWORD)
    async with held(desktop, "**/auth/v1/signup*"):
        await desktop.get_by_role("button", name="Create account").click()
        await expect(desktop.get_by_role("button", name="Creating account")).to_be_disabled()
    await desktop.wait_for_url("**/dashboard")
    await the_key_user_is_harmless(desktop, email)

    await desktop.get_by_role("button", name="Account menu").click()
    await leaves(place, desktop, desktop.get_by_role("menuitem", name="Log out"))

    await desktop.goto("/signin")
    await fill(desktop, email, "not this one")
    await desktop.get_by_role("button", name="Sign in", exact=True).click()
    await only_says(desktop, "Invalid login credentials")
    await expect(desktop.get_by_text("Sign in failed", exact=True)).to_be_visible()
    await fill(desktop, email, PASSWORD)
    async with held(desktop, "**/auth/v1/token*"):
        await desktop.get_by_role("button", name="Sign in", exact=True).click()
        await expect(desktop.get_by_role("button", name="Signing in")).to_be_disabled()
    await desktop.wait_for_url("**/dashboard")

    await desktop.goto("/dashboard/profile")
    await leaves(place, desktop, desktop.get_by_role("main").get_by_role("button", name=re.compile("^Sign Out")))


async def fill(page: Page, email: str, password: str) -> None:
    await page.get_by_label("Email").fill(email)
    await page.get_by_label("Password").fill(password)


@asynccontextmanager
async def held(page: Page, address: str) -> AsyncIterator[None]:
    """What goes there waits until the block ends."""
    seen = asyncio.Event()

    async def wait(route: Route) -> None:
        await seen.wait()
        await route.continue_()

    await page.route(address, wait, times=1)
    yield
    seen.set()


async def the_key_user_is_harmless(page: Page, email: str) -> None:
    kept = json.loads(await page.evaluate("localStorage.getItem('user')"))
    assert set(kept) == {"id", "email", "name", "role", "createdAt"}
    assert (kept["email"], kept["role"]) == (email, "company")


async def leaves(place: Place, page: Page, door: Locator) -> None:
    token = await page.evaluate("JSON.parse(localStorage.getItem('sb-cairn-auth-token')).access_token")
    async with page.expect_request("**/auth/v1/logout*") as told:
        await door.click()
    assert (await told.value).method == "POST"
    await page.wait_for_url("**/#signed-out")
    await expect(page.get_by_text("Signed out", exact=True)).to_be_visible()
    assert await page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
    known = {"apikey": place.served.anon_key, "Authorization": f"Bearer {token}"}
    again = await page.request.get("/auth/v1/user", headers=known)
    assert (again.status, (await again.json())["error_code"]) == (403, "session_not_found")


@pytest.mark.accept("AUTHUI-16", "AUTHUI-19")
async def test_a_failure_is_told_in_its_own_words_or_in_ours_and_no_name_is_no_hindrance(
    place: Place, desktop: Page
) -> None:
    name = f"rosa.{uuid4().hex}"
    account = {"email": f"{name}@example.com", "password": PASSWORD}
    made = await desktop.request.post("/auth/v1/signup", data=account, headers={"apikey": place.served.anon_key})
    assert made.ok
    await desktop.clock.install()
    await desktop.goto("/signin")
    await fill(desktop, account["email"], "not this one")
    enter = desktop.get_by_role("button", name="Sign in", exact=True)
    await enter.click()
    await only_says(desktop, "Invalid login credentials")
    await fill(desktop, account["email"], PASSWORD)
    async with broken(place.served, *SPEECHLESS):
        await enter.click()
        await soon(desktop, desktop.get_by_role("alert").filter(has_text="An unexpected error occurred"))
        await only_says(desktop, "An unexpected error occurred")

    await desktop.goto("/dashboard/profile")
    await expect(desktop.get_by_label("Full Name")).to_have_value(name)


# The database fails over a person's profile, and says nothing.
SPEECHLESS = (
    """
    create function public.say_nothing() returns boolean language plpgsql as $$
    begin raise exception using message = ''; end $$;
    create policy "nobody learns why" on public.profiles as restrictive for select using (public.say_nothing());
    """,
    'drop policy "nobody learns why" on public.profiles; drop function public.say_nothing()',
)


@pytest.mark.accept("AUTHUI-10")
async def test_without_google_the_page_says_so_and_the_button_works_again(desktop_without_worker: Page) -> None:
    desktop = desktop_without_worker
    await desktop.goto("/signin")
    async with held(desktop, "**/auth/v1/settings*"):
        await desktop.get_by_role("button", name="Continue with Google").click()
        await expect(desktop.get_by_role("button", name="Connecting to Google...")).to_be_disabled()

    await expect(desktop.get_by_text("Google sign in failed", exact=True)).to_be_visible()
    await expect(desktop.get_by_role("button", name="Continue with Google")).to_be_enabled()


@pytest.mark.accept("UX-07")
async def test_what_the_browser_keeps_is_a_copy_that_may_be_forged_or_lost(place: Place, desktop: Page) -> None:
    secret = f"SG.{uuid4().hex}"
    with open_company(place.served) as company:
        choice = {"provider": "sendgrid", "apiKey": secret}
        saved = company.client.post("/functions/v1/save-email-configuration", json=choice, headers=company.headers)
        assert saved.status_code == 200, saved.text
        written = {"name": "Gorge trip", "description": "A day on the water", "content": "I agree."}
        company.client.post("/rest/v1/waiver_templates", json=written, headers=company.headers).raise_for_status()
        await enter(desktop, company, "/dashboard/waivers")
        await sees_what_the_server_has(desktop)
        kept = await desktop.evaluate("keys => keys.map(key => localStorage.getItem(key))", KEPT)

        assert all(kept), "each of them is there"
        secrets = [secret, company.session["access_token"], company.session["refresh_token"], PASSWORD]
        assert [word for word in secrets if word in "".join(kept)] == []
        for forged in ("[]", '{"role":"admin"}', "{broken", None):
            await desktop.evaluate(FORGE, [KEPT, forged])
            await desktop.reload()
            await sees_what_the_server_has(desktop)


KEPT = ["user", "waiverTemplates", "sentWaivers", "emailServiceConfig"]
FORGE = """([keys, forged]) => keys.forEach(
    (key) => forged === null ? localStorage.removeItem(key) : localStorage.setItem(key, forged))"""


async def sees_what_the_server_has(page: Page) -> None:
    await expect(page.get_by_role("button", name="View Gorge trip")).to_be_visible()
    await page.get_by_role("button", name="Email Settings").click()
    dialog = page.get_by_role("dialog", name="Email Service Configuration")
    await expect(dialog.get_by_role("radio", name=re.compile("SendGrid"))).to_be_checked()
    await page.keyboard.press("Escape")


@pytest.mark.accept("UX-01", "UX-02", "UX-03", "UX-04")
async def test_one_toast_for_five_seconds_or_until_it_is_swept_away(desktop: Page) -> None:
    toasts = desktop.get_by_role("region", name="Notification").get_by_role("listitem")
    await desktop.clock.install()
    await desktop.goto("/signin")
    await fill(desktop, "nobody@example.com", "not this one")
    enter = desktop.get_by_role("button", name="Sign in", exact=True)
    await enter.click()
    await expect(toasts).to_have_count(1)
    async with desktop.expect_response("**/auth/v1/token*"):
        await enter.click()
    await expect(enter).to_be_enabled()
    await expect(toasts).to_have_count(1)

    await hold_the_clock(desktop)
    await desktop.clock.run_for(5_000)
    await expect(toasts).to_have_count(0)
    await enter.click()
    await lasts(desktop, toasts, 5_000)
    await desktop.clock.resume()

    await enter.click()
    await expect(toasts).to_have_count(1)
    await desktop.keyboard.press("F8")
    await expect(desktop.get_by_role("region", name="Notification").get_by_role("list")).to_be_focused()
    await sweep(desktop, toasts, 45)
    await expect(toasts).to_have_count(1)
    await sweep(desktop, toasts, 60)
    await expect(toasts).to_have_count(0)


async def sweep(page: Page, toast: Locator, distance: float) -> None:
    box = await toast.bounding_box()
    assert box is not None
    x, y = box["x"] + 150, box["y"] + box["height"] / 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    for step in range(1, 6):
        await page.mouse.move(x + distance * step / 5, y)
    await page.mouse.up()
