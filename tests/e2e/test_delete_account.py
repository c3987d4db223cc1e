"""A guest deletes the account in the profile, changes their mind, and deletes it after all."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.account_forms import create_account, sign_in
from tests.e2e.conftest import Deployment
from tests.e2e.deletion import expect_deleted
from tests.e2e.guest import database_connection


@pytest.mark.accept("TRUE-33", "TRUE-34")
async def test_a_guest_deletes_the_account(deployment: Deployment, phone: Page) -> None:
    email = await create_account(deployment, phone, "customer")
    async with database_connection(deployment) as connection:
        user_id = await connection.fetchval(
            "update auth.users set email_confirmed_at = now() where email = $1 returning id", email
        )
    await sign_in(phone, email)
    await phone.wait_for_url("**/guest-dashboard")
    await phone.goto("/guest-dashboard/profile")
    await expect(phone.get_by_role("button", name="Download your data")).to_be_visible()

    await request_deletion(phone)
    banner = phone.get_by_text("Your account will be deleted on")
    await expect(banner.first).to_be_visible()
    assert await axe_violations(phone) == []
    await phone.get_by_role("button", name="Keep my account").click()
    await expect(phone.get_by_text("Your account stays", exact=True)).to_be_visible()
    await expect(banner).to_have_count(0)
    await request_deletion(phone)
    await phone.goto("/guest-dashboard")
    await expect(banner).to_be_visible()

    await expect_deleted(deployment, phone, email, table="profiles", row_id=user_id)


async def request_deletion(page: Page) -> None:
    await page.get_by_role("button", name="Delete your account").click()
    dialog = page.get_by_role("dialog", name="Delete your account?")
    await expect(dialog).to_contain_text("The waivers you signed stay with the companies.")
    assert await axe_violations(page) == []
    await dialog.get_by_role("button", name="Delete my account").click()
    await expect(dialog).to_have_count(0)
