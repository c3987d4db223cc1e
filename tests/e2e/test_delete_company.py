"""The owner of a company exports and deletes it in the profile, changes their mind, and deletes it after all."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.account_forms import create_account, sign_in
from tests.e2e.conftest import Deployment
from tests.e2e.deletion import expect_deleted
from tests.e2e.guest import database_connection


@pytest.mark.accept("TRUE-35", "TRUE-36", "TRUE-37")
async def test_the_owner_deletes_a_company(deployment: Deployment, phone: Page) -> None:
    email = await create_account(deployment, phone, "company")
    async with database_connection(deployment) as connection:
        await connection.execute("update auth.users set email_confirmed_at = now() where email = $1", email)
        company_id = await connection.fetchval("select company_id from profiles where email = $1", email)
        await connection.execute("update companies set name = 'Quist Canoes' where id = $1", company_id)
    await sign_in(phone, email)
    await phone.wait_for_url("**/dashboard")
    await phone.goto("/dashboard/profile")
    async with phone.expect_download() as download:
        await phone.get_by_role("button", name="Download everything").click()
    assert (await download.value).suggested_filename == "company.zip"

    await request_deletion(phone)
    note = phone.get_by_text("Your company will be deleted on")
    await expect(note).to_be_visible()
    await phone.get_by_role("button", name="Keep my company").click()
    await expect(phone.get_by_text("Your company stays", exact=True)).to_be_visible()
    await expect(note).to_have_count(0)
    await request_deletion(phone)
    await expect(note).to_be_visible()

    await expect_deleted(deployment, phone, email, table="companies", row_id=company_id)


async def request_deletion(page: Page) -> None:
    await page.get_by_role("button", name="Delete your company").click()
    dialog = page.get_by_role("dialog", name="Delete your company?")
    await expect(dialog.get_by_role("button", name="Delete my company")).to_be_disabled()
    await dialog.get_by_label("Type Quist Canoes to confirm").fill("Quist Canoes")
    assert await axe_violations(page) == []
    await dialog.get_by_role("button", name="Delete my company").click()
    await expect(dialog).to_have_count(0)
