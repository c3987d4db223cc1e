"""What a visitor can do on the public pages: write to us, without a script, and sign the sample of the demo."""

import re
from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.e2e.company import open_company
from tests.e2e.conftest import PHONE, Place
from tests.e2e.faults import comes, hold_the_clock
from tests.e2e.guest import fill_in, finger, press_sign, records, wave
from tests.mail_server import plain


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


async def test_a_visitor_signs_the_sample_of_the_demo_and_no_company_ever_sees_it(place: Place, phone: Page) -> None:
    await phone.clock.install()
    await phone.goto("/demo")
    code = await phone.request.get("/demo/qr.svg")
    assert code.headers["content-type"] == "image/svg+xml"
    await phone.get_by_role("link", name="Sign a sample waiver").click()
    await expect(phone.get_by_role("heading", name="General Liability Waiver")).to_be_visible()
    name = f"Gil {uuid4().hex[:8]}"
    await fill_in(phone, name)
    await (await finger(phone)).draw(wave(0.1, 0.9))

    # The page would leave two seconds after it has thanked.
    await hold_the_clock(phone)
    await press_sign(phone)
    await comes(phone, phone.get_by_role("heading", name="Waiver signed"))
    async with phone.expect_download() as coming:
        await phone.get_by_role("button", name="Download your copy").click()
        await phone.clock.resume()
    assert (await coming.value).suggested_filename.endswith(".pdf")

    async with records(place) as connection:
        owners = await connection.fetch("select company_id from waivers.signed where signer_name = $1", name)
    assert [row["company_id"] for row in owners] == [None]
    with open_company(place.served) as company:
        listed = company.client.get("/rest/v1/signed_waivers?select=signer_name", headers=company.headers)
    assert listed.json() == []


async def stored(place: Place, kind: str) -> list[str]:
    connection = await asyncpg.connect(place.served.db_url)
    rows = await connection.fetch("select message from inquiries.messages where kind = $1", kind)
    await connection.close()
    return [row["message"] for row in rows]
