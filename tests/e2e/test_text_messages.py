"""A company sends a waiver by text message. Without an SMS gateway there is no field for the phone number."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.e2e.close_context import close_context
from tests.e2e.company import fill_in_recipient, open_signed_in, registered_company
from tests.e2e.conftest import DESKTOP, PHONE, Deployment, DeploymentWithSms
from tests.e2e.guest import click_sign, draw_with_mouse, enter_signer_details, expect_signed

PHONE_NUMBER = "+41 79 123 45 67"


@asynccontextmanager
async def open_page(browser: Browser, url: str, viewport: ViewportSize) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=url, viewport=viewport)
    yield await context.new_page()
    await close_context(context)


async def open_send_dialog(desktop: Page) -> None:
    async with desktop.expect_response("**/functions/v1/text-messages"):
        await desktop.goto("/dashboard/waivers")
    await desktop.get_by_role("button", name="Send General Liability Waiver").click()
    await expect(desktop.get_by_role("dialog", name="Send Waiver").get_by_label("Recipient Email")).to_be_visible()


@pytest.mark.accept("PLAN-09")
async def test_a_guest_signs_through_the_link_in_a_text_message(
    deployment: Deployment, desktop: Page, deployment_with_sms: DeploymentWithSms, browser: Browser
) -> None:
    await expect_no_number_field_without_gateway(deployment, desktop)
    async with (
        open_page(browser, deployment_with_sms.server.url, DESKTOP) as rosas_desktop,
        open_page(browser, deployment_with_sms.server.url, PHONE) as gils_phone,
    ):
        with registered_company(deployment_with_sms.server) as company:
            await open_signed_in(rosas_desktop, company, "/dashboard")
            await send_waiver(rosas_desktop)
            await sign_waiver(gils_phone, link_in_text_message(deployment_with_sms))
            await expect_signature_on_dashboard(rosas_desktop)


async def expect_no_number_field_without_gateway(deployment: Deployment, desktop: Page) -> None:
    with registered_company(deployment.server) as company:
        await open_signed_in(desktop, company, "/dashboard")
        await open_send_dialog(desktop)
    await expect(desktop.get_by_label("Mobile Number")).to_have_count(0)


async def send_waiver(desktop: Page) -> None:
    await open_send_dialog(desktop)
    dialog = desktop.get_by_role("dialog", name="Send Waiver")
    await fill_in_recipient(dialog, "Gil Okafor", "gil@example.com")
    await dialog.get_by_label("Mobile Number").fill("079 123 45 67")
    await dialog.get_by_role("button", name="Send Waiver").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("Please write the number with its country")
    await dialog.get_by_label("Mobile Number").fill(PHONE_NUMBER)
    await dialog.get_by_role("button", name="Send Waiver").click()
    await expect(desktop.get_by_text("The text message was sent.").first).to_be_visible()
    await desktop.goto("/dashboard/waivers")
    await expect(desktop.get_by_text("Text message sent to +41791234567")).to_be_visible()


def link_in_text_message(deployment_with_sms: DeploymentWithSms) -> str:
    [request] = deployment_with_sms.gateway.requests
    assert request.form["To"] == "+41791234567"
    text, _, link = request.form["Body"].rpartition(" ")
    assert text == "Rio Rafting: please sign your waiver before your activity"
    assert link.startswith(f"{deployment_with_sms.server.url}/waivers/sign/session/")
    return link


async def sign_waiver(phone: Page, link: str) -> None:
    await phone.goto(link)
    await expect(phone.get_by_role("heading", name="General Liability Waiver")).to_be_visible()
    await draw_with_mouse(phone)
    await enter_signer_details(phone)
    await click_sign(phone)
    await expect_signed(phone)


async def expect_signature_on_dashboard(desktop: Page) -> None:
    await desktop.goto("/dashboard")
    row = desktop.get_by_role("table", name="Recent Waivers").get_by_role("row").nth(1)
    await expect(row).to_contain_text("Gil Okafor")
    await expect(row).to_contain_text("signed", ignore_case=True)
