"""B14: a link with the session of another account does not switch accounts before the user has chosen.

B14 is a finding in docs/security.md.
"""

import json
from urllib.parse import urlencode

import pytest
from playwright.async_api import Page, expect

from tests.e2e.account_forms import create_account, open_and_sign_in
from tests.e2e.company import PASSWORD
from tests.e2e.conftest import Deployment


async def link_to_session(deployment: Deployment, page: Page, email: str) -> str:
    """Returns a URL of the site that contains a new session of the account, as an emailed link does."""
    response = await page.request.post(
        "/auth/v1/token?grant_type=password",
        data={"email": email, "password": PASSWORD},
        headers={"apikey": deployment.server.anon_key},
    )
    session = await response.json()
    tokens = {name: session[name] for name in ("access_token", "refresh_token")}
    return f"/dashboard#{urlencode({**tokens, 'type': 'magiclink', 'sb': ''})}"


async def open_link_of_rival(deployment: Deployment, page: Page) -> tuple[str, str, Page]:
    """Signs in as the owner and opens a link of a rival in another tab. Returns both addresses and the tab."""
    owner = await create_account(deployment, page, "company")
    rival = await create_account(deployment, page, "company")
    await open_and_sign_in(page, "/dashboard", owner)
    await page.get_by_role("heading", name="Dashboard").wait_for()
    tab = await page.context.new_page()
    await tab.goto(await link_to_session(deployment, page, rival))
    return owner, rival, tab


async def signed_in_email(page: Page) -> str:
    session = json.loads(await page.evaluate("localStorage.getItem('sb-cairn-auth-token')"))
    email: str = session["user"]["email"]
    return email


@pytest.mark.accept("SAFE-30")
async def test_b14_the_owner_uses_the_keyboard_to_stay_in_her_account(deployment: Deployment, desktop: Page) -> None:
    owner, rival, tab = await open_link_of_rival(deployment, desktop)

    dialog = tab.get_by_role("dialog", name="Do you want to switch accounts?")
    await expect(dialog).to_have_accessible_description(
        f"This link signs you in as {rival}. You are signed in as {owner}."
    )
    await expect(dialog).to_be_focused()
    assert await signed_in_email(tab) == owner
    assert "access_token" not in tab.url
    await dialog.get_by_role("button", name="Switch accounts").click(trial=True)
    stay = dialog.get_by_role("button", name="Stay signed in")
    for _ in range(3):
        await tab.keyboard.press("Tab")
    await expect(stay).to_be_focused()
    await tab.keyboard.press("Enter")

    await expect(dialog).to_have_count(0)
    await expect(tab.get_by_role("heading", name="Dashboard")).to_be_visible()
    assert await signed_in_email(tab) == owner
    await tab.reload()
    await expect(tab.get_by_role("heading", name="Dashboard")).to_be_visible()
    assert await signed_in_email(tab) == owner


async def test_b14_the_owner_continues_with_the_account_of_the_link(deployment: Deployment, phone: Page) -> None:
    _, rival, tab = await open_link_of_rival(deployment, phone)
    button = tab.get_by_role("button", name="Switch accounts")
    await button.wait_for()
    assert await tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "long addresses wrap on a phone"

    await button.click()

    await expect(tab.get_by_text(f"You are signed in as {rival}.", exact=True)).to_be_visible()
    await expect(tab.get_by_role("heading", name="Dashboard")).to_be_visible()
    assert await signed_in_email(tab) == rival


async def test_b14_a_visitor_sees_in_which_account_a_link_signs_them_in(deployment: Deployment, phone: Page) -> None:
    rival = await create_account(deployment, phone, "company")

    await phone.goto(await link_to_session(deployment, phone, rival))

    await expect(phone.get_by_text(f"You are signed in as {rival}.", exact=True)).to_be_visible()
    await expect(phone.get_by_role("dialog")).to_have_count(0)
