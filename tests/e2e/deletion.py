"""Checks in the browser that an account or a company was deleted."""

from uuid import UUID

from playwright.async_api import Page, expect

from tests.e2e.account_forms import sign_in
from tests.e2e.conftest import Deployment
from tests.e2e.guest import database_connection
from tests.waiting import wait_until_true


async def expect_deleted(deployment: Deployment, page: Page, email: str, *, table: str, row_id: UUID) -> None:
    """Ends the waiting period of a row in `profiles` or `companies`, and tries to sign in after the deletion."""
    async with database_connection(deployment) as connection:
        await connection.execute(f"update {table} set delete_at = now() - interval '2 days' where id = $1", row_id)
        await wait_until_true(
            connection, f"select not exists (select from auth.users where email = '{email}')", timeout_seconds=60
        )
    await page.context.clear_cookies()
    await page.evaluate("localStorage.clear()")
    await sign_in(page, email)
    await expect(page.get_by_text("Sign in failed", exact=True)).to_be_visible()
