"""Mailed links, opened in a browser: an address is confirmed, a forgotten password replaced."""

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Place
from tests.mail_server import plain

PASSWORD, ANOTHER = "nine rapids before noon", "ten rapids after noon"


@pytest.mark.accept("AUTH-08")
async def test_opening_the_link_confirms_the_address(place: Place, desktop: Page) -> None:
    email = "rosa.confirms@example.com"
    await sign_up(desktop, email)
    await expect(desktop.get_by_text("Is this your address?")).to_be_visible()

    await desktop.goto(await link_in_mail(place, email, "Confirm your email address"))
    await desktop.get_by_role("button", name="Confirm my address").click()

    await expect(desktop.get_by_text("Email confirmed", exact=True)).to_be_visible()
    await expect(desktop).to_have_url(f"{place.url}/dashboard")
    await expect(desktop.get_by_text("Is this your address?")).to_have_count(0)


async def test_a_link_opened_twice_says_so_and_signs_nobody_out(place: Place, desktop: Page) -> None:
    email = "rosa.clicks.twice@example.com"
    await sign_up(desktop, email)
    link = await link_in_mail(place, email, "Confirm your email address")
    await desktop.goto(link)
    await desktop.get_by_role("button", name="Confirm my address").click()
    await expect(desktop.get_by_text("Email confirmed", exact=True)).to_be_visible()

    await desktop.goto(link)

    await expect(desktop.get_by_text("This link did not work", exact=True)).to_be_visible()
    await expect(desktop.get_by_role("heading", name="Dashboard")).to_be_visible()


async def test_a_guest_is_asked_to_confirm_first(place: Place, phone: Page) -> None:
    email = "gil.confirms@example.com"
    await sign_up(phone, email, "Customer")
    await expect(phone.get_by_text("Please verify your email")).to_be_visible()

    await phone.goto(await link_in_mail(place, email, "Confirm your email address"))
    await phone.get_by_role("button", name="Confirm my address").click()

    await expect(phone).to_have_url(f"{place.url}/guest-dashboard")
    await expect(phone.get_by_text("Email confirmed", exact=True)).to_be_visible()
    await expect(phone.get_by_text("Please verify your email")).to_have_count(0)


@pytest.mark.accept("ROUTE-11", "AUTHUI-07")
async def test_a_forgotten_password_is_replaced(place: Place, desktop: Page, phone: Page) -> None:
    email = "rosa.forgets@example.com"
    await sign_up(desktop, email)
    await expect(desktop.get_by_role("heading", name="Dashboard")).to_be_visible()

    # Asked for at the desktop, opened on the telephone.
    await desktop.evaluate("localStorage.clear()")
    nobody = "nobody.here@example.com"
    told_nobody = await ask_for_a_new_password(desktop, nobody)
    told_rosa = await ask_for_a_new_password(desktop, email)
    assert told_rosa == told_nobody.replace(nobody, email)
    link = await link_in_mail(place, email, "Choose a new password")
    await phone.goto(link)
    await phone.get_by_role("button", name="Continue").click()
    await phone.get_by_label("New password").wait_for()
    assert "access_token" not in phone.url
    await phone.reload()
    await choose(phone, "password1")
    await expect(phone.get_by_text("known to be weak")).to_be_visible()
    async with phone.expect_request("**/auth/v1/user*") as changed:
        await choose(phone, ANOTHER)
    assert (await changed.value).method == "PUT"

    await expect(phone).to_have_url(f"{place.url}/dashboard")
    await phone.go_back()
    assert "access_token" not in phone.url, "the key is not in the history either"
    await sign_in(desktop, email, ANOTHER)
    await expect(desktop).to_have_url(f"{place.url}/dashboard")
    await desktop.goto(link)
    await expect(desktop.get_by_text("This link no longer works.")).to_be_visible()
    await expect(desktop.get_by_role("button", name="Send me a link")).to_be_visible()


async def link_in_mail(place: Place, email: str, subject: str) -> str:
    async with asyncio.timeout(20):
        while True:
            for letter in place.office.emails:
                if letter["To"] == email and letter["Subject"] == subject:
                    found = re.search(r"https?://\S+/auth/v1/verify\S+", plain(letter))
                    assert found is not None
                    return found[0]
            await asyncio.sleep(0.05)


async def sign_up(tab: Page, email: str, role: str = "Company") -> None:
    await tab.goto("/signup")
    await tab.get_by_text(role, exact=True).click()
    await tab.get_by_label("Full Name").fill("Rosa Marín")
    await tab.get_by_label("Email").fill(email)
    await tab.get_by_label("Password").fill(PASSWORD)
    await tab.get_by_role("button", name="Create account").click()
    await tab.wait_for_url("**/*dashboard")


async def sign_in(tab: Page, email: str, password: str) -> None:
    await tab.goto("/signin")
    await tab.get_by_label("Email").fill(email)
    await tab.get_by_label("Password").fill(password)
    await tab.get_by_role("button", name="Sign in", exact=True).click()


async def ask_for_a_new_password(tab: Page, email: str) -> str:
    """What is answered."""
    await tab.goto("/signin")
    await tab.get_by_role("link", name="Forgot password?").click()
    await tab.get_by_role("heading", name="A new password").wait_for()
    await tab.get_by_label("Email").fill(email)
    async with tab.expect_request("**/auth/v1/recover*") as asked:
        await tab.get_by_role("button", name="Send me a link").click()
    assert (await asked.value).method == "POST"
    answer = tab.get_by_role("status").filter(has_text="a mail is on its way")
    return await answer.inner_text()


async def choose(tab: Page, password: str) -> None:
    await tab.get_by_label("New password").fill(password)
    await tab.get_by_role("button", name="Save password").click()
