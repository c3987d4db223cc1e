"""Tests the page for unknown addresses. The clock is paused, so that the tests see every second of its countdown."""

import re
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import fill_in_recipient, open_signed_in, registered_company
from tests.e2e.conftest import Deployment
from tests.e2e.faults import advance_until_visible, pause_clock
from tests.e2e.guest import create_session
from tests.e2e.page_with_clock import page

__all__ = ["page"]

SENT_TEXTS = ["Email Sent", "Your email has been sent successfully!", "The waiver is being delivered to the recipient."]


async def expect_countdown(page: Page, address: str) -> None:
    for seconds in (5, 4, 3, 2, 1):
        await expect(page.get_by_text("Redirecting to")).to_have_text(
            f"Redirecting to sent waivers in {seconds} seconds..."
        )
        assert page.url.endswith(address)
        await page.clock.run_for(1_000)


@pytest.mark.accept("NOTFOUND-01", "NOTFOUND-02", "NOTFOUND-13", "ROUTE-28")
async def test_an_unknown_address_shows_the_not_found_page(page: Page) -> None:
    await pause_clock(page)
    response = await page.goto("/nope")

    assert response is not None
    assert response.status == 404
    await expect(page.get_by_role("heading", name="404", exact=True)).to_be_visible()
    await expect(page.get_by_text("Oops! Page not found", exact=True)).to_be_visible()
    await expect(page.get_by_text("If you have just sent an email, it may still be processing.")).to_be_visible()
    await expect(page.get_by_role("link", name="Return to Home")).to_have_attribute("href", "/")
    await expect(page.get_by_role("link", name="Go to Dashboard")).to_have_attribute("href", "/dashboard")
    await expect(page.get_by_text("Redirecting")).to_have_count(0)
    for _ in range(20):
        await page.clock.run_for(1_000)
    assert page.url.endswith("/nope")


@pytest.mark.accept(
    "NOTFOUND-03", "NOTFOUND-04", "NOTFOUND-05", "NOTFOUND-06", "NOTFOUND-08", "NOTFOUND-09", "NOTFOUND-10",
    "NOTFOUND-11",
)  # fmt: skip
async def test_an_unknown_address_that_mentions_email_shows_a_confirmation_and_redirects(
    deployment: Deployment, page: Page
) -> None:
    session_id = await create_session(deployment)
    with registered_company(deployment.server) as company:
        await open_signed_in(page, company, "/dashboard")
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await pause_clock(page)
        for address, target in {
            "/some/email/page": "/sent-waivers",
            "/mailbox": "/sent-waivers",
            "/my/sent-waivers": "/sent-waivers",
            "/nope?emailSent=true": "/sent-waivers",
            "/null/emails": "/sent-waivers",
            "/undefined/send-email": "/sent-waivers",
            f"/x/undefined/sign/session/{session_id}": f"/waivers/sign/session/{session_id}",
            "/mail/sign/session/null": "/dashboard/waivers",
            "/mail/sign/session/undefined": "/dashboard/waivers",
            "/mail/sign/": "/dashboard/waivers",
        }.items():
            await page.goto(address)
            # The clock has to run while the account is loaded.
            await advance_until_visible(page, page.get_by_text("Email Sent", exact=True))
            for text in SENT_TEXTS:
                await expect(page.get_by_text(text, exact=True)).to_be_visible()
            await expect_countdown(page, address)
            await expect(page).to_have_url(deployment.url + target)


@pytest.mark.accept("NOTFOUND-07", "NOTFOUND-12")
async def test_an_address_that_reports_a_failure_shows_the_reason_and_no_confirmation(page: Page) -> None:
    await pause_clock(page)
    for query in ("?emailFailed=true&reason=Mailbox+full", "?emailSent=false&reason=Mailbox+full"):
        await page.goto(f"/dashboard/sent-waivers{query}")
        await expect(page.get_by_role("heading", name="Email Not Sent", exact=True)).to_be_visible()
        await expect(page.get_by_text("Mailbox full", exact=True)).to_be_visible()
        for text in SENT_TEXTS:
            await expect(page.get_by_text(text, exact=True)).to_have_count(0)
        await expect_countdown(page, query)
        await expect(page).to_have_url(re.compile("/sent-waivers$"))

    await page.goto("/dashboard/sent-waivers")
    await page.clock.run_for(1_000)
    await page.get_by_role("link", name="Go to Dashboard").click()
    await expect(page).to_have_url(re.compile("/(dashboard|signin)$"))
    for _ in range(10):
        await page.clock.run_for(1_000)
    await page.clock.resume()
    await expect(page).to_have_url(re.compile("/signin$"))


@pytest.mark.accept("ROUTE-15", "ROUTE-16", "ROUTE-17", "ROUTE-29", "NOTFOUND-04", "NOTFOUND-07")
async def test_after_sending_the_page_shows_whether_the_email_was_sent(deployment: Deployment, page: Page) -> None:
    with registered_company(deployment.server) as company:
        deployment.mail_server.reply = "550 No such person"
        try:
            await open_signed_in(page, company, "/dashboard/waivers")
            await send_waiver(page)
            await expect(page.get_by_role("heading", name="Email Not Sent", exact=True)).to_be_visible()
        finally:
            deployment.mail_server.reply = "250 OK"
        reason = "Failed to send email: 550 (No such person)"
        # The list below the message shows the reason too.
        message = page.get_by_role("status").filter(has_text="Email Not Sent")
        await expect(message.get_by_text(reason, exact=True)).to_be_visible()
        await expect(page.get_by_text("Email Sent", exact=True)).to_have_count(0)
        await expect_redirect_to_sent_waivers(page, "The waiver was not sent")
        await expect(page.get_by_text(reason, exact=True).first).to_be_visible()

        await page.get_by_role("link", name="Send a New Waiver").click()
        await send_waiver(page)
        await expect(page.get_by_role("heading", name="Email Sent", exact=True)).to_be_visible()
        await expect_redirect_to_sent_waivers(page, "Waivers Sent Successfully")
    response = await page.request.get("/dashboard/sent-waivers")
    assert response.status == 404


async def send_waiver(page: Page) -> None:
    await page.get_by_role("button", name="Send General Liability Waiver").click()
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await fill_in_recipient(dialog, "Gil Okafor", f"gil.{uuid4().hex}@example.com")
    await dialog.get_by_role("button", name="Send Waiver").click()
    await page.wait_for_url("**/dashboard/sent-waivers")


async def expect_redirect_to_sent_waivers(page: Page, heading: str) -> None:
    for _ in range(5):
        await page.clock.run_for(1_000)
    await page.wait_for_url(re.compile(r"\d/sent-waivers$"))
    await expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    for name in ("Send a New Waiver", "Return to Waivers"):
        await expect(page.get_by_role("link", name=name)).to_have_attribute("href", "/dashboard/waivers")


@pytest.mark.accept("ROUTE-29", "TPL-21", "ERR-28", "NOTFOUND-08", "APP-21")
async def test_a_company_stays_in_the_app_after_sending(deployment: Deployment, page: Page) -> None:
    with registered_company(deployment.server) as company:
        await open_signed_in(page, company, "/dashboard/waivers")
        await send_waiver(page)
        await expect(page.get_by_role("heading", level=1, name="Email Sent", exact=True)).to_be_visible()
        await expect(page.get_by_text("Waiver Sent Successfully", exact=True)).to_be_visible()
        sent_list = page.get_by_role("region", name="Recently sent")
        await expect(sent_list).to_contain_text("Gil Okafor")
        await expect(page.get_by_role("navigation", name="Main")).to_be_visible()
        for width in (320, 390, 768, 1024, 1280, 1920):
            await page.set_viewport_size({"width": width, "height": 800})
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"at {width}"
        assert await axe_violations(page) == []

        await page.get_by_role("button", name="Stay here").click()
        for _ in range(10):
            await page.clock.run_for(1_000)
        await expect(page.get_by_text("Redirecting")).to_have_count(0)
        assert page.url.endswith("/dashboard/sent-waivers")

        await page.get_by_role("link", name="Send a New Waiver").click()
        await send_waiver(page)
        await expect_redirect_to_sent_waivers(page, "Waivers Sent Successfully")
        await expect(page.get_by_role("navigation", name="Main")).to_be_visible()
        await expect(sent_list.get_by_role("listitem")).to_have_count(2)
        assert await axe_violations(page) == []
