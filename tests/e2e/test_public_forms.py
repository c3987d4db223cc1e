"""The forms of the public pages, in a browser that runs no script."""

import re
from collections.abc import AsyncIterator

import asyncpg
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.e2e.conftest import PHONE, Place
from tests.post_office import plain


@pytest_asyncio.fixture
async def old_phone(browser: Browser, place: Place) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=place.url, viewport=PHONE, java_script_enabled=False)
    yield await context.new_page()
    await context.close()


@pytest.mark.accept("ROUTE-04")
async def test_a_message_from_the_contact_page_is_stored_and_mailed(place: Place, old_phone: Page) -> None:
    await old_phone.goto("/")
    await old_phone.get_by_role("contentinfo").get_by_role("link", name="Contact").click()
    await old_phone.get_by_label("Your name").fill("Gil Okafor")
    await old_phone.get_by_label("Your email").fill("gil@example.com")
    await old_phone.get_by_label("Message").fill("Do you ship paddles?\n\n<b>Asking for a friend.</b>")
    await old_phone.get_by_role("button", name="Send message").click()

    await expect(old_phone.get_by_role("heading", name="We have your message")).to_be_visible()
    assert await stored(place, "contact") == ["Do you ship paddles?\n\n<b>Asking for a friend.</b>"]
    letter = await place.letter("Message from Gil Okafor")
    assert (letter["To"], letter["Reply-To"]) == ("operator@localhost", "gil@example.com")
    assert "Do you ship paddles?" in plain(letter)


@pytest.mark.accept("ROUTE-06")
async def test_a_request_for_a_demo_is_stored_and_mailed(place: Place, old_phone: Page) -> None:
    await old_phone.goto("/")
    await old_phone.get_by_role("link", name="Schedule Demo").click()
    await old_phone.get_by_label("Your name").fill("Rosa Marín")
    await old_phone.get_by_label("Your email").fill("rosa@example.com")
    await old_phone.get_by_label("Your business").fill("Rio Rafting")
    await old_phone.get_by_label(re.compile("What you would like to see")).fill("Thursday morning, Madrid time")
    await old_phone.get_by_role("button", name="Request a demo").click()

    await expect(old_phone.get_by_role("heading", name="We have your message")).to_be_visible()
    assert await stored(place, "demo") == ["Thursday morning, Madrid time"]
    assert "Rio Rafting" in plain(await place.letter("Rosa Marín asks for a demo"))


async def test_the_sample_on_the_demo_page_can_be_signed(old_phone: Page, phone: Page) -> None:
    await old_phone.goto("/demo")
    sample = await old_phone.get_by_role("link", name="Sign a sample waiver").get_attribute("href")
    code = await old_phone.request.get("/demo/qr.svg")
    assert code.headers["content-type"] == "image/svg+xml"

    await phone.goto(sample or "")

    await expect(phone.get_by_role("heading", name="General Liability Waiver")).to_be_visible()
    await expect(phone.get_by_role("button", name="Sign Waiver")).to_be_visible()


async def stored(place: Place, kind: str) -> list[str]:
    connection = await asyncpg.connect(place.served.db_url)
    rows = await connection.fetch("select message from inquiries.messages where kind = $1", kind)
    await connection.close()
    return [row["message"] for row in rows]
