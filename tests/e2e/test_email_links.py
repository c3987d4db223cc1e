"""The links in account emails confirm an address and replace a forgotten password.

H1 is a finding in docs/security.md.
"""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.account_forms import confirm_address, link_in_email, sign_in, sign_up
from tests.e2e.conftest import Deployment

NEW_PASSWORD = "ten rapids after noon"


@pytest.mark.accept("AUTH-08")
async def test_the_emailed_link_confirms_the_address(deployment: Deployment, desktop: Page) -> None:
    email = "rosa.confirms@example.com"
    await sign_up(desktop, email)
    await expect(desktop.get_by_text("Is this your address?")).to_be_visible()

    await desktop.goto(await link_in_email(deployment, email, "Confirm your email address"))
    await confirm_address(desktop)

    await expect(desktop.get_by_text("Email confirmed", exact=True)).to_be_visible()
    await expect(desktop).to_have_url(f"{deployment.url}/dashboard")
    await expect(desktop.get_by_text("Is this your address?")).to_have_count(0)


async def test_opening_a_link_twice_shows_an_error_and_keeps_the_session(deployment: Deployment, desktop: Page) -> None:
    email = "rosa.clicks.twice@example.com"
    await sign_up(desktop, email)
    link = await link_in_email(deployment, email, "Confirm your email address")
    await desktop.goto(link)
    await confirm_address(desktop)
    await expect(desktop.get_by_text("Email confirmed", exact=True)).to_be_visible()

    await desktop.goto(link)

    await expect(desktop.get_by_text("This link did not work", exact=True)).to_be_visible()
    await expect(desktop.get_by_role("heading", name="Dashboard")).to_be_visible()


async def test_h1_the_owner_of_an_address_takes_over_the_account_that_someone_else_made(
    deployment: Deployment, desktop: Page, phone: Page
) -> None:
    """Mallory signs up on the desktop with Vera's address. Vera opens the mail on her phone."""
    email = "vera.is.surprised@example.com"
    await sign_up(desktop, email)
    await phone.goto(await link_in_email(deployment, email, "Confirm your email address"))
    await confirm_address(phone, "a password that Vera guesses")
    await expect(phone.get_by_role("alert")).to_contain_text("That is not the password of this account")

    await phone.get_by_role("button", name="Choose a new password").click()
    await choose_password(phone, NEW_PASSWORD)

    await expect(phone).to_have_url(f"{deployment.url}/dashboard")
    await desktop.goto("/dashboard")
    await expect(desktop).to_have_url(f"{deployment.url}/signin")


async def test_a_guest_confirms_the_address(deployment: Deployment, phone: Page) -> None:
    email = "gil.confirms@example.com"
    await sign_up(phone, email, "Customer")
    await expect(phone.get_by_text("Please verify your email")).to_be_visible()

    await phone.goto(await link_in_email(deployment, email, "Confirm your email address"))
    await confirm_address(phone)

    await expect(phone).to_have_url(f"{deployment.url}/guest-dashboard")
    await expect(phone.get_by_text("Email confirmed", exact=True)).to_be_visible()
    await expect(phone.get_by_text("Please verify your email")).to_have_count(0)


@pytest.mark.accept("ROUTE-11", "AUTHUI-07")
async def test_a_forgotten_password_is_replaced(deployment: Deployment, desktop: Page, phone: Page) -> None:
    email = "rosa.forgets@example.com"
    await sign_up(desktop, email)
    await expect(desktop.get_by_role("heading", name="Dashboard")).to_be_visible()

    # The new password is requested on the desktop, and the link is opened on the phone.
    await desktop.evaluate("localStorage.clear()")
    unknown_email = "unknown@example.com"
    message_for_unknown = await request_new_password(desktop, unknown_email)
    message_for_rosa = await request_new_password(desktop, email)
    assert message_for_rosa == message_for_unknown.replace(unknown_email, email)
    link = await link_in_email(deployment, email, "Choose a new password")
    await phone.goto(link)
    await phone.get_by_role("button", name="Continue").click()
    await phone.get_by_label("New password").wait_for()
    assert "access_token" not in phone.url
    await phone.reload()
    await choose_password(phone, "password1")
    await expect(phone.get_by_text("known to be weak")).to_be_visible()
    async with phone.expect_request("**/auth/v1/user*") as request_info:
        await choose_password(phone, NEW_PASSWORD)
    assert (await request_info.value).method == "PUT"

    await expect(phone).to_have_url(f"{deployment.url}/dashboard")
    await phone.go_back()
    assert "access_token" not in phone.url, "the token is not in the history either"
    await sign_in(desktop, email, NEW_PASSWORD)
    await expect(desktop).to_have_url(f"{deployment.url}/dashboard")
    await desktop.goto(link)
    await expect(desktop.get_by_text("This link no longer works.")).to_be_visible()
    await expect(desktop.get_by_role("button", name="Send me a link")).to_be_visible()


async def request_new_password(tab: Page, email: str) -> str:
    """Requests a new password and returns the message that the page shows."""
    await tab.goto("/signin")
    await tab.get_by_role("link", name="Forgot password?").click()
    await tab.get_by_role("heading", name="A new password").wait_for()
    await tab.get_by_label("Email").fill(email)
    async with tab.expect_request("**/auth/v1/recover*") as request_info:
        await tab.get_by_role("button", name="Send me a link").click()
    assert (await request_info.value).method == "POST"
    message = tab.get_by_role("status").filter(has_text="a mail is on its way")
    return await message.inner_text()


async def choose_password(tab: Page, password: str) -> None:
    await tab.get_by_label("New password").fill(password)
    await tab.get_by_role("button", name="Save password").click()
