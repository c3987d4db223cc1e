"""The app shows an error message for each fault of the database, the mail server and the browser."""

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.account_forms import sign_in, submit_sign_up
from tests.e2e.company import Company, fill_in_recipient, open_signed_in
from tests.e2e.conftest import Deployment
from tests.e2e.faults import (
    broken_database,
    expect_toast,
    expect_visible_for,
    failing_writes,
    pause_clock,
    revoked_privilege,
)
from tests.e2e.guest import (
    click_sign,
    create_session,
    draw_with_mouse,
    enter_signer_details,
    expect_signed,
    signing_path,
    stored_waivers,
    zigzag,
)
from tests.e2e.page_with_clock import page

__all__ = ["page"]


@pytest.mark.accept("ERR-01", "ERR-02", "ERR-04", "ERR-05", "ERR-06", "ERR-31", "ERR-32")
async def test_errors_of_account_forms_are_shown(deployment: Deployment, company: Company, page: Page) -> None:
    await submit_sign_up(page, company.email)
    await expect_toast(page, "Sign up failed", "User already registered")
    await submit_sign_up(page, f"new.{company.email}")
    await expect_toast(page, "Account created!", "Your company account has been successfully created.", is_error=False)
    await page.evaluate("localStorage.clear()")
    await sign_in(page, company.email, "not her password")
    await expect_toast(page, "Sign in failed", "Invalid login credentials")
    await sign_in(page, company.email)
    await expect_toast(page, "Welcome back!", "You've been successfully signed in.", is_error=False)

    await page.goto("/dashboard/profile")
    await page.get_by_role("button", name="Edit Profile").click()
    await page.get_by_label("Bio").fill("Guide since 1998")
    async with revoked_privilege(deployment.server, "update (bio)", "public.profiles"):
        await page.get_by_role("button", name="Save Changes").click()
        await expect_toast(page, "Update failed", "permission denied for table profiles")
    async with failing_writes(deployment.server, "public.profiles", "update", message=""):
        await page.get_by_role("button", name="Save Changes").click()
        await expect_toast(page, "Update failed", "Failed to update profile")
    await expect(page.get_by_label("Bio")).to_have_value("Guide since 1998")
    session = await page.evaluate("localStorage.getItem('sb-cairn-auth-token')")
    await page.evaluate("localStorage.removeItem('sb-cairn-auth-token')")
    await page.get_by_role("button", name="Save Changes").click()
    await expect_toast(page, "Update failed", "Not authenticated")

    await page.evaluate("session => localStorage.setItem('sb-cairn-auth-token', session)", session)
    await page.goto("/dashboard/profile")
    async with failing_writes(deployment.server, "auth.sessions", "delete"):
        await page.get_by_role("button", name="Sign Out").click()
        await expect_toast(page, "Sign out failed", "Something went wrong.")
    await page.wait_for_url("**/signin")
    assert await page.evaluate("localStorage.getItem('sb-cairn-auth-token')") is None


@pytest.mark.accept("ERR-07", "ERR-11", "ERR-14", "ERR-22", "ERR-27")
async def test_errors_while_loading_the_dashboard_are_shown(
    deployment: Deployment, company: Company, page: Page
) -> None:
    """Each error occurs on a newly opened page, which has no older data to show."""
    pending_session = company.send_to("Ana Ortiz")
    async with revoked_privilege(deployment.server, "select", "public.waiver_sessions"):
        await open_signed_in(page, company, "/dashboard")
        await expect_toast(page, "Failed to fetch data", "Could not retrieve waiver information")
        await expect(page.get_by_role("alert").get_by_role("button", name="Try again")).to_be_visible()
        await page.goto(f"/dashboard/waivers?sign={pending_session}")
        await expect_toast(page, "Error", "An error occurred while loading the waiver session.")
        await expect_toast(page, "Error", "Failed to prepare waiver templates.")
    async with revoked_privilege(deployment.server, "execute", "function public.waiver_directory"):
        await page.goto("/dashboard/waiver-management")
        await expect_toast(page, "Error", "Failed to load waivers")
    await page.get_by_role("button", name="Try again").click()
    await page.get_by_role("link", name="View waiver of Ana Ortiz").click()
    await expect_toast(page, "Waiver Pending", "This waiver has not been signed yet.", is_error=False)


@pytest.mark.accept("ERR-28", "MAIL-21", "TPL-21")
async def test_the_reason_of_a_failed_sending_is_shown_even_if_the_browser_blocked_the_request(
    deployment: Deployment, company: Company, page: Page
) -> None:
    await open_signed_in(page, company, "/dashboard/waivers")
    deployment.mail_server.reply = "550 No such person"
    try:
        await send_waiver(page)
        await expect_toast(page, "Failed to Send Waiver", "Error: Failed to send email: 550 (No such person)")
    finally:
        deployment.mail_server.reply = "250 OK"
    await page.wait_for_url("**/dashboard/sent-waivers")
    await expect(page.get_by_text("Email Not Sent")).to_be_visible()

    await page.goto("/dashboard/waivers")
    await send_waiver(page)
    await expect_toast(page, "Waiver Sent Successfully", is_error=False)
    await page.wait_for_url("**/dashboard/sent-waivers")

    await page.goto("/dashboard/waivers")
    # This simulates a browser extension that blocks the request.
    await page.route("**/functions/v1/send-email", lambda route: route.abort("blockedbyclient"))
    dialog = await open_send_dialog(page)
    await pause_clock(page)
    await dialog.get_by_role("button", name="Send Waiver").click()
    await expect_visible_for(page, page.get_by_text("CORS Limitation", exact=True), 8_000)
    await expect_toast(page, "Failed to Send Waiver", "Error: The browser blocked the request.")


async def send_waiver(page: Page) -> None:
    dialog = await open_send_dialog(page)
    await dialog.get_by_role("button", name="Send Waiver").click()


async def open_send_dialog(page: Page) -> Locator:
    await page.get_by_role("button", name="Send General Liability Waiver").click()
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await fill_in_recipient(dialog, "Noor Haddad", "noor@example.com")
    return dialog


@pytest.mark.accept("ERR-26")
async def test_a_session_that_stays_open_after_signing_is_reported(deployment: Deployment, desktop: Page) -> None:
    session_id = await create_session(deployment)
    # The trigger skips the update that marks the session as signed.
    break_sql = f"""
        create function public.skip_update() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger skip_update before update on waivers.sessions
            for each row when (new.id = '{session_id}') execute function public.skip_update();
    """
    repair_sql = "drop trigger skip_update on waivers.sessions; drop function public.skip_update()"
    async with broken_database(deployment.server, break_sql, repair_sql):
        await desktop.goto(signing_path(session_id))
        await enter_signer_details(desktop)
        await draw_with_mouse(desktop, zigzag(0.1, 0.9))
        await click_sign(desktop)
        warning = "Warning: Waiver was signed but we couldn't update the session record."
        await expect(desktop.get_by_role("alert")).to_have_text(warning)
        await expect_signed(desktop)
    assert len(await stored_waivers(deployment, session_id)) == 1
