"""A company sends emails through its own provider, which fails and recovers."""

import json
import re
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect
from starlette.responses import JSONResponse, Response

from cairn.kit import frozen_dataclass
from tests.e2e.close_context import close_context
from tests.e2e.conftest import DESKTOP, PHONE, Deployment
from tests.e2e.test_sign_up_to_signature import enter_company_name, sign_up
from tests.external.serving import running_client_page
from tests.mail_server import running_mail_server
from tests.messaging.mail_providers import RESEND_KEY, SENDGRID_KEY, FakeProviders, running_providers
from tests.serving import serving_in_thread, smtp_environment


@frozen_dataclass
class MailingDeployment:
    deployment: Deployment
    providers: FakeProviders


@pytest_asyncio.fixture
async def mailing(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MailingDeployment]:
    async with running_mail_server() as mail_server, running_providers() as providers:
        provider_urls = {f"CAIRN_MESSAGING__{provider}_URL": providers.url for provider in ("RESEND", "SENDGRID")}
        settings = {**smtp_environment(mail_server.settings), **provider_urls}
        async with serving_in_thread(tmp_path_factory.mktemp("mailing"), settings=settings) as server:
            yield MailingDeployment(Deployment(server, mail_server), providers)


@pytest.mark.accept("MAIL-05", "MAIL-11", "ERR-30")
async def test_a_failing_email_provider_is_reported_until_it_recovers(
    mailing: MailingDeployment, browser: Browser
) -> None:
    context = await browser.new_context(base_url=mailing.deployment.url, viewport=DESKTOP, service_workers="block")
    desktop = await context.new_page()
    await sign_up(mailing.deployment, desktop)
    await enter_company_name(desktop)
    dialog = await open_email_settings(desktop)
    await choose_resend(desktop, dialog, mailing)
    await expect_failure(desktop, dialog, mailing)
    await expect_recovery(desktop, dialog, mailing)
    await expect_no_key_in_storage(desktop)
    await expect_failure_of_sendgrid(desktop, dialog, mailing)
    await expect_no_delivery_in_mock_mode(desktop, dialog, mailing)
    await expect_history(dialog)
    await close_context(context)


async def test_a_company_sees_a_bounce_and_allows_the_address_again(
    mailing: MailingDeployment, browser: Browser
) -> None:
    mail_server = mailing.deployment.mail_server
    context = await browser.new_context(base_url=mailing.deployment.url, viewport=DESKTOP, service_workers="block")
    desktop = await context.new_page()
    await sign_up(mailing.deployment, desktop)
    await enter_company_name(desktop)
    dialog = await open_email_settings(desktop)
    mail_server.recipient_reply = "550 5.1.1 No such mailbox"
    await send_test_email(dialog)
    await expect(desktop.get_by_text("Failed to send email: 550 (5.1.1 No such mailbox)").first).to_be_visible()
    mail_server.recipient_reply = "250 OK"
    await send_test_email(dialog)
    await expect(desktop.get_by_text("Not sent, because an earlier email").first).to_be_visible()

    await dialog.get_by_role("tab", name="Email History").click()
    await dialog.get_by_role("button", name="Allow this address again").click()
    await expect(desktop.get_by_text("Address allowed again").first).to_be_visible()
    await dialog.get_by_role("tab", name="Settings").click()
    await send_test_email(dialog)

    await expect(desktop.get_by_text("Test email sent").first).to_be_visible()
    await close_context(context)


async def open_email_settings(desktop: Page) -> Locator:
    await desktop.get_by_role("link", name="Add/Edit Waivers").first.click()
    await desktop.get_by_role("button", name="Email Settings").click()
    dialog = desktop.get_by_role("dialog", name="Email Service Configuration")
    await expect(dialog.get_by_role("radio", name="Application service")).to_be_checked()
    return dialog


async def choose_resend(desktop: Page, dialog: Locator, mailing: MailingDeployment) -> None:
    await dialog.get_by_role("radio", name="Resend").check()
    await dialog.get_by_role("button", name="Save Settings").click()
    await expect(desktop.get_by_text("Configuration Error").first).to_be_visible()
    await dialog.get_by_label("API Key").fill(RESEND_KEY)
    await dialog.get_by_role("button", name="Save Settings").click()
    await expect(desktop.get_by_text("Email settings saved").first).to_be_visible()
    await send_test_email(dialog)
    await expect(desktop.get_by_text("Test email sent").first).to_be_visible()
    await expect_buttons_reachable(desktop, dialog)
    assert mailing.providers.accepted_emails[-1]["subject"] == "Test email from Cairn"
    assert mailing.providers.accepted_emails[-1]["from"].startswith("Rio Rafting <")


async def expect_buttons_reachable(desktop: Page, dialog: Locator) -> None:
    """The toast with the result must not cover a button, so this runs before the toast disappears."""
    await expect(desktop.locator(".toasts li")).to_be_visible()
    for screen in (PHONE, DESKTOP):
        await desktop.set_viewport_size(screen)
        for name in ("Send Test Email", "Save Settings", "Close"):
            await dialog.get_by_role("button", name=name).click(trial=True, timeout=2_000)


async def send_test_email(dialog: Locator) -> None:
    await dialog.get_by_role("button", name="Send Test Email").click()


async def expect_failure(desktop: Page, dialog: Locator, mailing: MailingDeployment) -> None:
    mailing.providers.response = Response(status_code=503)
    await send_test_email(dialog)
    await expect(desktop.get_by_text("Failed to send email: 503").first).to_be_visible()
    await expect(desktop.get_by_role("status").get_by_text("Resend Error").first).to_be_visible()
    await expect(dialog.get_by_role("alert")).to_contain_text("Resend Error")
    await expect(dialog.get_by_role("alert")).to_contain_text("No email has been sent since")
    mailing.providers.response = JSONResponse({"message": "This API key was revoked"}, 403)
    await send_test_email(dialog)
    await expect(dialog.get_by_role("alert")).to_contain_text("This API key was revoked")


async def expect_recovery(desktop: Page, dialog: Locator, mailing: MailingDeployment) -> None:
    mailing.providers.response = None
    await send_test_email(dialog)
    await expect(desktop.get_by_text("Test email sent").first).to_be_visible()
    await expect(dialog.get_by_role("alert")).to_be_hidden()


async def expect_no_key_in_storage(desktop: Page) -> None:
    stored_text = await desktop.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert RESEND_KEY not in stored_text
    config = json.loads(await desktop.evaluate("localStorage.getItem('emailServiceConfig')"))
    assert config["provider"] == "resend"
    assert "apiKey" not in config


async def expect_failure_of_sendgrid(desktop: Page, dialog: Locator, mailing: MailingDeployment) -> None:
    await dialog.get_by_role("radio", name="SendGrid").check()
    await dialog.get_by_label("API Key").fill(SENDGRID_KEY)
    await dialog.get_by_role("button", name="Save Settings").click()
    await expect(desktop.get_by_text("Email settings saved").first).to_be_visible()
    mailing.providers.response = Response(status_code=500)
    await send_test_email(dialog)
    await expect(desktop.get_by_text("Failed to send email: 500").first).to_be_visible()
    await expect(desktop.get_by_role("status").get_by_text("SendGrid Error").first).to_be_visible()
    mailing.providers.response = None


async def expect_no_delivery_in_mock_mode(desktop: Page, dialog: Locator, mailing: MailingDeployment) -> None:
    email_count_before = len(mailing.providers.accepted_emails) + len(mailing.deployment.mail_server.emails)
    await dialog.get_by_role("radio", name="Mock").check()
    await expect(dialog.get_by_text("In this mode nothing is delivered.")).to_be_visible()
    await dialog.get_by_role("button", name="Save Settings").click()
    await expect(desktop.get_by_text("Email settings saved").first).to_be_visible()
    started_at = time.monotonic()
    await send_test_email(dialog)
    await expect(desktop.get_by_text("Test email kept, not delivered").first).to_be_visible()
    assert time.monotonic() - started_at >= 2.0, "mock mode simulates a delay of two seconds"
    assert len(mailing.providers.accepted_emails) + len(mailing.deployment.mail_server.emails) == email_count_before


async def expect_history(dialog: Locator) -> None:
    await dialog.get_by_role("tab", name="Email History").click()
    emails = dialog.get_by_role("list", name="Emails, newest first").get_by_role("listitem")
    await expect(emails).to_have_count(6)
    await expect(emails.nth(0)).to_contain_text("Kept in local mailbox")
    await expect(emails.nth(1)).to_contain_text("SendGrid Error: Failed to send email: 500")
    await expect(emails.nth(2)).to_contain_text("Delivered")
    await expect(emails.nth(3)).to_contain_text("Resend Error: Failed to send email: 403 (This API key was revoked)")
    await expect(emails.nth(4)).to_contain_text("Resend Error: Failed to send email: 503")
    await expect(emails.nth(5)).to_contain_text("Delivered")


@pytest.mark.accept("FN-06")
async def test_the_client_library_calls_a_function_from_another_origin(
    deployment: Deployment, browser: Browser
) -> None:
    """The browser sends a preflight request; the page can read the error only if CORS allows it."""
    async with running_client_page() as (page, page_url):
        page.url, page.anon_key = deployment.url, deployment.server.anon_key
        context = await browser.new_context()
        tab = await context.new_page()
        await tab.goto(f"{page_url}/newest/implicit")
        script = """async () => {
            const { error } = await client.functions.invoke("send-email", { body: { to: "a@b.example" } });
            return [error.name, error.context.status, await error.context.json()];
        }"""
        name, status, body = await tab.evaluate(script)
        await close_context(context)

    assert (name, status) == ("FunctionsHttpError", 400)
    assert re.match("Missing required email parameters", body["error"])
