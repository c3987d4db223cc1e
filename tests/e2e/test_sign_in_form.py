"""Tests the form for sign-in and sign-up, signing out, and how long a toast is shown."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.e2e.company import PASSWORD, open_signed_in, registered_company
from tests.e2e.conftest import Deployment
from tests.e2e.faults import broken_database, expect_soon, expect_visible_for, pause_clock


@pytest.mark.accept(
    "ROUTE-10", "AUTHUI-01", "AUTHUI-02", "AUTHUI-03", "AUTHUI-04", "AUTHUI-05", "AUTHUI-06", "AUTHUI-07", "AUTHUI-08",
    "AUTHUI-13", "AUTHUI-14",
)  # fmt: skip
async def test_the_auth_form_has_two_modes_and_shows_only_the_first_error(desktop: Page) -> None:
    await desktop.goto("/signin")
    await expect_headings(desktop, "Welcome to Cairn", "Sign in to your account or create a new one")
    await expect(desktop.get_by_role("link", name="Forgot password?")).to_have_attribute("href", "/forgot-password")
    await expect(desktop.get_by_label("Full Name")).to_be_hidden()
    await expect_order(desktop, "Continue with Google", "OR", "Email", "Password", "Sign in")
    await expect(desktop.get_by_label("Email")).to_have_attribute("type", "email")
    await desktop.get_by_role("button", name="Sign in", exact=True).click()
    await expect_error(desktop, "Please enter your email")
    await desktop.get_by_label("Email").fill("rosa@example.com")
    await desktop.get_by_role("button", name="Sign in", exact=True).click()
    await expect_error(desktop, "Please enter your password")

    await desktop.get_by_role("button", name="Create an account").click()
    await expect(desktop.get_by_role("alert")).to_have_count(0)
    await expect(desktop.get_by_label("Full Name")).to_be_visible()
    await expect(desktop.get_by_role("link", name="Forgot password?")).to_be_hidden()

    await desktop.goto("/signup")
    await expect_headings(desktop, "Get started with Cairn", "Create your account and start managing waivers today")
    await expect(desktop.get_by_text("Free 7-day trial • No credit card required")).to_be_visible()
    await expect_order(desktop, "Continue with Google", "OR", "Full Name", "Email", "Password", "Create account")
    role = desktop.get_by_role("group", name="I am a:")
    await expect(role.get_by_role("radio")).to_have_count(2)
    await expect(role.get_by_role("radio", name="Company")).to_be_checked()
    await expect(role.get_by_role("radio", name="Customer")).not_to_be_checked()
    for field, name in {"Full Name": "name", "Email": "email", "Password": "password"}.items():
        await desktop.get_by_role("button", name="Create account").click()
        await expect_error(desktop, f"Please enter your {name}")
        await expect(desktop.get_by_label(field)).to_be_focused()
        await desktop.get_by_label(field).fill("rosa@example.com")


async def expect_headings(page: Page, heading: str, subtitle: str) -> None:
    await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    await expect(page.get_by_text(subtitle, exact=True)).to_be_visible()


async def expect_order(page: Page, *names: str) -> None:
    """Checks that the elements with these names follow each other from top to bottom."""
    form = page.locator("form")
    elements = [form.get_by_text(name, exact=True).or_(form.get_by_label(name, exact=True)).last for name in names]
    tops = [box["y"] for element in elements if (box := await element.bounding_box())]
    assert len(tops) == len(names)
    assert tops == sorted(tops)


async def expect_error(page: Page, message: str) -> None:
    await expect(page.get_by_role("alert")).to_have_text(message)
    red, green, blue = await page.get_by_role("alert").evaluate(TEXT_COLOR)
    assert red > 2 * max(green, blue)


# This function returns the text color as red, green and blue, even if the style uses another color space.
TEXT_COLOR = """(element) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = getComputedStyle(element).color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


@pytest.mark.accept("AUTHUI-09", "AUTHUI-15", "AUTHUI-17", "AUTHUI-18", "AUTHUI-20", "AUTHUI-21", "AUTHUI-22")
async def test_a_company_signs_up_signs_out_and_signs_in_again(deployment: Deployment, desktop: Page) -> None:
    # The word "customer" in the address must not decide the role.
    email = f"waiver.customer.{uuid4().hex}@example.com"
    await desktop.goto("/signup")
    await desktop.get_by_label("Full Name").fill("Rosa Marín")
    await fill_in_credentials(desktop, email, PASSWORD)
    async with hold_request(desktop, "**/auth/v1/signup*"):
        await desktop.get_by_role("button", name="Create account").click()
        await expect(desktop.get_by_role("button", name="Creating account")).to_be_disabled()
    await desktop.wait_for_url("**/dashboard")
    await expect_only_the_profile_in_storage(desktop, email)

    await desktop.get_by_role("button", name="Account menu").click()
    await sign_out(deployment, desktop, desktop.get_by_role("menuitem", name="Log out"))

    await desktop.goto("/signin")
    await fill_in_credentials(desktop, email, "not this one")
    await desktop.get_by_role("button", name="Sign in", exact=True).click()
    await expect_error(desktop, "Invalid login credentials")
    await expect(desktop.get_by_text("Sign in failed", exact=True)).to_be_visible()
    await fill_in_credentials(desktop, email, PASSWORD)
    async with hold_request(desktop, "**/auth/v1/token*"):
        await desktop.get_by_role("button", name="Sign in", exact=True).click()
        await expect(desktop.get_by_role("button", name="Signing in")).to_be_disabled()
    await desktop.wait_for_url("**/dashboard")

    await desktop.goto("/dashboard/profile")
    await sign_out(deployment, desktop, desktop.get_by_role("main").get_by_role("button", name=re.compile("^Sign Out")))


async def fill_in_credentials(page: Page, email: str, password: str) -> None:
    await page.get_by_label("Email").fill(email)
    await page.get_by_label("Password").fill(password)


@asynccontextmanager
async def hold_request(page: Page, url_pattern: str) -> AsyncIterator[None]:
    """Holds one request until the `with` block ends."""
    released = asyncio.Event()

    async def hold(route: Route) -> None:
        await released.wait()
        await route.continue_()

    await page.route(url_pattern, hold, times=1)
    yield
    released.set()


async def expect_only_the_profile_in_storage(page: Page, email: str) -> None:
    user = json.loads(await page.evaluate("localStorage.getItem('user')"))
    assert set(user) == {"id", "email", "name", "role", "createdAt"}
    assert (user["email"], user["role"]) == (email, "company")


async def sign_out(deployment: Deployment, page: Page, button: Locator) -> None:
    token = await page.evaluate("JSON.parse(localStorage.getItem('sb-cairn-auth-token')).access_token")
    async with page.expect_request("**/auth/v1/logout*") as request_info:
        await button.click()
    assert (await request_info.value).method == "POST"
    await page.wait_for_url("**/#signed-out")
    await expect(page.get_by_text("Signed out", exact=True)).to_be_visible()
    assert await page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
    headers = {"apikey": deployment.server.anon_key, "Authorization": f"Bearer {token}"}
    response = await page.request.get("/auth/v1/user", headers=headers)
    assert (response.status, (await response.json())["error_code"]) == (403, "session_not_found")


@pytest.mark.accept("AUTHUI-16", "AUTHUI-19")
async def test_an_error_without_a_message_shows_a_generic_message_and_the_name_is_optional(
    deployment: Deployment, desktop: Page
) -> None:
    name = f"rosa.{uuid4().hex}"
    account = {"email": f"{name}@example.com", "password": PASSWORD}
    response = await desktop.request.post(
        "/auth/v1/signup", data=account, headers={"apikey": deployment.server.anon_key}
    )
    assert response.ok
    await desktop.clock.install()
    await desktop.goto("/signin")
    await fill_in_credentials(desktop, account["email"], "not this one")
    submit = desktop.get_by_role("button", name="Sign in", exact=True)
    await submit.click()
    await expect_error(desktop, "Invalid login credentials")
    await fill_in_credentials(desktop, account["email"], PASSWORD)
    async with broken_database(deployment.server, *FAIL_WITHOUT_MESSAGE):
        await submit.click()
        await expect_soon(desktop, desktop.get_by_role("alert").filter(has_text="An unexpected error occurred"))
        await expect_error(desktop, "An unexpected error occurred")

    await desktop.goto("/dashboard/profile")
    await expect(desktop.get_by_label("Full Name")).to_have_value(name)


# The first SQL makes reading a profile fail with an empty message. The second SQL repairs it.
FAIL_WITHOUT_MESSAGE = (
    """
    create function public.fail_without_message() returns boolean language plpgsql as $$
    begin raise exception using message = ''; end $$;
    create policy "fail reads" on public.profiles as restrictive for select using (public.fail_without_message());
    """,
    'drop policy "fail reads" on public.profiles; drop function public.fail_without_message()',
)


@pytest.mark.accept("AUTHUI-10")
async def test_a_server_without_google_shows_an_error_and_the_button_works_again(
    desktop: Page,
) -> None:
    await desktop.goto("/signin")
    async with hold_request(desktop, "**/auth/v1/settings*"):
        await desktop.get_by_role("button", name="Continue with Google").click()
        await expect(desktop.get_by_role("button", name="Connecting to Google...")).to_be_disabled()

    await expect(desktop.get_by_text("Google sign in failed", exact=True)).to_be_visible()
    await expect(desktop.get_by_role("button", name="Continue with Google")).to_be_enabled()


@pytest.mark.accept("UX-07")
async def test_forged_or_deleted_copies_in_the_browser_have_no_effect(deployment: Deployment, desktop: Page) -> None:
    api_key = f"SG.{uuid4().hex}"
    with registered_company(deployment.server) as company:
        configuration = {"provider": "sendgrid", "apiKey": api_key}
        response = company.client.post(
            "/functions/v1/save-email-configuration", json=configuration, headers=company.headers
        )
        assert response.status_code == 200, response.text
        template = {"name": "Gorge trip", "description": "A day on the water", "content": "I agree."}
        company.client.post("/rest/v1/waiver_templates", json=template, headers=company.headers).raise_for_status()
        await open_signed_in(desktop, company, "/dashboard/waivers")
        await expect_data_from_the_server(desktop)
        copies = await desktop.evaluate("keys => keys.map(key => localStorage.getItem(key))", COPY_KEYS)

        assert all(copies)
        secrets = [api_key, company.session["access_token"], company.session["refresh_token"], PASSWORD]
        assert [value for value in secrets if value in "".join(copies)] == []
        for forged_value in ("[]", '{"role":"admin"}', "{broken", None):
            await desktop.evaluate(REPLACE_COPIES, [COPY_KEYS, forged_value])
            await desktop.reload()
            await expect_data_from_the_server(desktop)


COPY_KEYS = ["user", "waiverTemplates", "sentWaivers", "emailServiceConfig"]
REPLACE_COPIES = """([keys, value]) => keys.forEach(
    (key) => value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value))"""


async def expect_data_from_the_server(page: Page) -> None:
    await expect(page.get_by_role("button", name="View Gorge trip")).to_be_visible()
    await page.get_by_role("button", name="Email Settings").click()
    dialog = page.get_by_role("dialog", name="Email Service Configuration")
    await expect(dialog.get_by_role("radio", name=re.compile("SendGrid"))).to_be_checked()
    await page.keyboard.press("Escape")


@pytest.mark.accept("UX-01", "UX-02", "UX-03", "UX-04")
async def test_one_toast_is_shown_for_five_seconds_or_until_it_is_swiped_away(desktop: Page) -> None:
    toasts = desktop.get_by_role("region", name="Notification").get_by_role("listitem")
    await desktop.clock.install()
    await desktop.goto("/signin")
    await fill_in_credentials(desktop, "unknown@example.com", "not this one")
    submit = desktop.get_by_role("button", name="Sign in", exact=True)
    await submit.click()
    await expect(toasts).to_have_count(1)
    async with desktop.expect_response("**/auth/v1/token*"):
        await submit.click()
    await expect(submit).to_be_enabled()
    await expect(toasts).to_have_count(1)

    await pause_clock(desktop)
    await desktop.clock.run_for(5_000)
    await expect(toasts).to_have_count(0)
    await submit.click()
    await expect_visible_for(desktop, toasts, 5_000)
    await desktop.clock.resume()

    await submit.click()
    await expect(toasts).to_have_count(1)
    await desktop.keyboard.press("F8")
    await expect(desktop.get_by_role("region", name="Notification").get_by_role("list")).to_be_focused()
    await swipe(desktop, toasts, 45)
    await expect(toasts).to_have_count(1)
    await swipe(desktop, toasts, 60)
    await expect(toasts).to_have_count(0)


async def swipe(page: Page, toast: Locator, distance_pixels: float) -> None:
    box = await toast.bounding_box()
    assert box is not None
    x, y = box["x"] + 150, box["y"] + box["height"] / 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    for step in range(1, 6):
        await page.mouse.move(x + distance_pixels * step / 5, y)
    await page.mouse.up()
