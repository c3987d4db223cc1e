"""A waiver by text message: from the number Rosa types to the signature Gil draws. Without a gateway, none of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.e2e.company import enter, open_company
from tests.e2e.conftest import DESKTOP, PHONE, Place
from tests.e2e.guest import draw_with_mouse, fill_in, press_sign, see_it_stored, wave
from tests.fake_service import FakeService, running_fake_service
from tests.mail_server import running_mail_server
from tests.serving import Served, serving, smtp_environment
from tests.sms_gateway import twilio_environment, twilio_response

NUMBER = "+41 79 123 45 67"


@dataclass(frozen=True, slots=True)
class Texting:
    served: Served
    gateway: FakeService


@pytest_asyncio.fixture
async def texting(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Texting]:
    """The product of an operator who has set up a gateway."""
    async with running_mail_server() as office, running_fake_service(twilio_response) as opened_gateway:
        settings = {**smtp_environment(office.settings), **twilio_environment(opened_gateway)}
        opened = serving(tmp_path_factory.mktemp("texting"), settings=settings)
        served = await asyncio.to_thread(opened.__enter__)
        try:
            yield Texting(served, opened_gateway)
        finally:
            await asyncio.to_thread(opened.__exit__, None, None, None)


@asynccontextmanager
async def page_of(browser: Browser, url: str, size: ViewportSize) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=url, viewport=size)
    yield await context.new_page()
    await context.close()


async def open_dialog(desktop: Page) -> None:
    async with desktop.expect_response("**/functions/v1/text-messages"):
        await desktop.goto("/dashboard/waivers")
    await desktop.get_by_role("button", name="Send General Liability Waiver").click()
    await expect(desktop.get_by_role("dialog", name="Send Waiver").get_by_label("Recipient Email")).to_be_visible()


@pytest.mark.accept("PLAN-09")
async def test_a_guest_signs_through_the_link_in_a_text_message(
    place: Place, desktop: Page, texting: Texting, browser: Browser
) -> None:
    await without_a_gateway_the_number_is_not_asked_for(place, desktop)
    async with (
        page_of(browser, texting.served.url, DESKTOP) as rosas,
        page_of(browser, texting.served.url, PHONE) as gils,
    ):
        with open_company(texting.served) as company:
            await enter(rosas, company, "/dashboard")
            await send(rosas)
            await sign(gils, the_link_in_the_text(texting))
            await see_it_signed(rosas)


async def without_a_gateway_the_number_is_not_asked_for(place: Place, desktop: Page) -> None:
    with open_company(place.served) as company:
        await enter(desktop, company, "/dashboard")
        await open_dialog(desktop)
    await expect(desktop.get_by_label("Mobile Number")).to_have_count(0)


async def send(desktop: Page) -> None:
    await open_dialog(desktop)
    dialog = desktop.get_by_role("dialog", name="Send Waiver")
    await dialog.get_by_label("First Name").fill("Gil")
    await dialog.get_by_label("Last Name").fill("Okafor")
    await dialog.get_by_label("Recipient Email").fill("gil@example.com")
    await dialog.get_by_label("Mobile Number").fill("079 123 45 67")
    await dialog.get_by_role("button", name="Send Waiver").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("Please write the number with its country")
    await dialog.get_by_label("Mobile Number").fill(NUMBER)
    await dialog.get_by_role("button", name="Send Waiver").click()
    await expect(desktop.get_by_text("The text message was sent.").first).to_be_visible(timeout=15_000)
    await desktop.goto("/dashboard/waivers")
    await expect(desktop.get_by_text("Text message sent to +41791234567")).to_be_visible()


def the_link_in_the_text(texting: Texting) -> str:
    [asked] = texting.gateway.requests
    assert asked.form["To"] == "+41791234567"
    words, _, link = asked.form["Body"].rpartition(" ")
    assert words == "Rio Rafting: please sign your waiver before your activity"
    assert link.startswith(f"{texting.served.url}/waivers/sign/session/")
    return link


async def sign(phone: Page, link: str) -> None:
    await phone.goto(link)
    await expect(phone.get_by_role("heading", name="General Liability Waiver")).to_be_visible()
    await draw_with_mouse(phone, wave(0.1, 0.9))
    await fill_in(phone)
    await press_sign(phone)
    await see_it_stored(phone)


async def see_it_signed(desktop: Page) -> None:
    await desktop.goto("/dashboard")
    row = desktop.get_by_role("table", name="Recent Waivers").get_by_role("row").nth(1)
    await expect(row).to_contain_text("Gil Okafor")
    await expect(row).to_contain_text("signed", ignore_case=True)
