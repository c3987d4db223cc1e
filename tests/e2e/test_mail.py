"""A company sends through its own provider, which fails, and recovers."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect
from starlette.responses import JSONResponse, Response

from tests.e2e.conftest import DESKTOP, PHONE, Place
from tests.e2e.test_first_story import name_the_company, sign_up
from tests.external.serving import running_client_page
from tests.mail_server import running_mail_server
from tests.messaging.mail_providers import RESEND_KEY, SENDGRID_KEY, Providers, running_providers
from tests.serving import serving, smtp_environment


@dataclass(frozen=True, slots=True)
class House:
    place: Place
    providers: Providers


@pytest_asyncio.fixture
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    async with running_mail_server() as office, running_providers() as providers:
        elsewhere = {f"CAIRN_MESSAGING__{provider}_URL": providers.url for provider in ("RESEND", "SENDGRID")}
        settings = {**smtp_environment(office.settings), **elsewhere}
        opened = serving(tmp_path_factory.mktemp("mailing"), settings=settings)
        # Starting and stopping wait; post office and provider must be able to answer meanwhile.
        served = await asyncio.to_thread(opened.__enter__)
        try:
            yield House(Place(served, office), providers)
        finally:
            await asyncio.to_thread(opened.__exit__, None, None, None)


@pytest.mark.accept("MAIL-05", "MAIL-11", "ERR-30")
async def test_a_provider_fails_and_recovers(house: House, browser: Browser) -> None:
    context = await browser.new_context(base_url=house.place.url, viewport=DESKTOP)
    desktop = await context.new_page()
    await sign_up(desktop)
    await name_the_company(desktop)
    dialog = await email_settings(desktop)
    await choose_resend(desktop, dialog, house)
    await see_it_fail(desktop, dialog, house)
    await see_it_recover(desktop, dialog, house)
    await keep_no_key(desktop)
    await see_another_fail(desktop, dialog, house)
    await deliver_nothing_in_mock_mode(desktop, dialog, house)
    await read_the_history(dialog)
    await context.close()


async def email_settings(desktop: Page) -> Locator:
    await desktop.get_by_role("link", name="Add/Edit Waivers").first.click()
    await desktop.get_by_role("button", name="Email Settings").click()
    dialog = desktop.get_by_role("dialog", name="Email Service Configuration")
    await expect(dialog.get_by_role("radio", name="Application service")).to_be_checked()
    return dialog


async def choose_resend(desktop: Page, dialog: Locator, house: House) -> None:
    await dialog.get_by_role("radio", name="Resend").check()
    await dialog.get_by_role("button", name="Save Settings").click()
    await expect(desktop.get_by_text("Configuration Error").first).to_be_visible()
    await dialog.get_by_label("API Key").fill(RESEND_KEY)
    await dialog.get_by_role("button", name="Save Settings").click()
    await expect(desktop.get_by_text("Email settings saved").first).to_be_visible()
    await try_it(dialog)
    await expect(desktop.get_by_text("Test email sent").first).to_be_visible(timeout=15_000)
    await every_button_is_in_reach(desktop, dialog)
    assert house.providers.taken[-1]["subject"] == "Test email from Cairn"
    assert house.providers.taken[-1]["from"].startswith("Rio Rafting <")


async def every_button_is_in_reach(desktop: Page, dialog: Locator) -> None:
    """While a toast tells how it went, and sooner than it goes by itself."""
    await expect(desktop.locator(".toasts li")).to_be_visible()
    for screen in (PHONE, DESKTOP):
        await desktop.set_viewport_size(screen)
        for name in ("Send Test Email", "Save Settings", "Close"):
            await dialog.get_by_role("button", name=name).click(trial=True, timeout=2_000)


async def try_it(dialog: Locator) -> None:
    await dialog.get_by_role("button", name="Send Test Email").click()


async def see_it_fail(desktop: Page, dialog: Locator, house: House) -> None:
    house.providers.answer = Response(status_code=503)
    await try_it(dialog)
    await expect(desktop.get_by_text("Failed to send email: 503").first).to_be_visible(timeout=15_000)
    await expect(desktop.get_by_role("status").get_by_text("Resend Error").first).to_be_visible()
    await expect(dialog.get_by_role("alert")).to_contain_text("Resend Error")
    await expect(dialog.get_by_role("alert")).to_contain_text("No email has been sent since")
    house.providers.answer = JSONResponse({"message": "This API key was revoked"}, 403)
    await try_it(dialog)
    await expect(dialog.get_by_role("alert")).to_contain_text("This API key was revoked", timeout=15_000)


async def see_it_recover(desktop: Page, dialog: Locator, house: House) -> None:
    house.providers.answer = None
    await try_it(dialog)
    await expect(desktop.get_by_text("Test email sent").first).to_be_visible(timeout=15_000)
    await expect(dialog.get_by_role("alert")).to_be_hidden()


async def keep_no_key(desktop: Page) -> None:
    stored = await desktop.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert RESEND_KEY not in stored
    config = json.loads(await desktop.evaluate("localStorage.getItem('emailServiceConfig')"))
    assert config["provider"] == "resend"
    assert "apiKey" not in config


async def see_another_fail(desktop: Page, dialog: Locator, house: House) -> None:
    await dialog.get_by_role("radio", name="SendGrid").check()
    await dialog.get_by_label("API Key").fill(SENDGRID_KEY)
    await dialog.get_by_role("button", name="Save Settings").click()
    await expect(desktop.get_by_text("Email settings saved").first).to_be_visible()
    house.providers.answer = Response(status_code=500)
    await try_it(dialog)
    await expect(desktop.get_by_text("Failed to send email: 500").first).to_be_visible(timeout=15_000)
    await expect(desktop.get_by_role("status").get_by_text("SendGrid Error").first).to_be_visible()
    house.providers.answer = None


async def deliver_nothing_in_mock_mode(desktop: Page, dialog: Locator, house: House) -> None:
    before = len(house.providers.taken) + len(house.place.office.emails)
    await dialog.get_by_role("radio", name="Mock").check()
    await expect(dialog.get_by_text("In this mode nothing is delivered.")).to_be_visible()
    await dialog.get_by_role("button", name="Save Settings").click()
    await expect(desktop.get_by_text("Email settings saved").first).to_be_visible()
    started = time.monotonic()
    await try_it(dialog)
    await expect(desktop.get_by_text("Test email kept, not delivered").first).to_be_visible(timeout=15_000)
    assert time.monotonic() - started >= 2.0, "the simulated delay"
    assert len(house.providers.taken) + len(house.place.office.emails) == before


async def read_the_history(dialog: Locator) -> None:
    await dialog.get_by_role("tab", name="Email History").click()
    mails = dialog.get_by_role("list", name="Emails, newest first").get_by_role("listitem")
    await expect(mails).to_have_count(6)
    await expect(mails.nth(0)).to_contain_text("Kept in local mailbox")
    await expect(mails.nth(1)).to_contain_text("SendGrid Error: Failed to send email: 500")
    await expect(mails.nth(2)).to_contain_text("Delivered")
    await expect(mails.nth(3)).to_contain_text("Resend Error: This API key was revoked")
    await expect(mails.nth(4)).to_contain_text("Resend Error: Failed to send email: 503")
    await expect(mails.nth(5)).to_contain_text("Delivered")


@pytest.mark.accept("FN-06")
async def test_the_real_client_calls_the_function_from_another_origin(place: Place, browser: Browser) -> None:
    """The browser asks first; that the page can read the refusal shows that it was allowed to ask."""
    async with running_client_page() as (page, address):
        page.url, page.anon_key = place.url, place.served.anon_key
        context = await browser.new_context()
        tab = await context.new_page()
        await tab.goto(f"{address}/newest/implicit")
        asked = """async () => {
            const { error } = await client.functions.invoke("send-email", { body: { to: "a@b.example" } });
            return [error.name, error.context.status, await error.context.json()];
        }"""
        name, status, body = await tab.evaluate(asked)
        await context.close()

    assert (name, status) == ("FunctionsHttpError", 400)
    assert re.match("Missing required email parameters", body["error"])
