"""The contact form and the demo form work without scripts, and the demo has a sample waiver to sign."""

import re
from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.e2e.close_context import close_context
from tests.e2e.company import registered_company
from tests.e2e.conftest import PHONE, Deployment
from tests.e2e.faults import advance_until_visible, pause_clock
from tests.e2e.guest import click_sign, database_connection, enter_signer_details, touch_input
from tests.mail_server import plain_body


@pytest_asyncio.fixture
async def phone_without_scripts(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """Opens a page on a phone without JavaScript."""
    context = await browser.new_context(base_url=deployment.url, viewport=PHONE, java_script_enabled=False)
    yield await context.new_page()
    await close_context(context)


@pytest.mark.accept("ROUTE-04")
async def test_a_message_from_the_contact_page_is_stored_and_mailed(
    deployment: Deployment, phone_without_scripts: Page
) -> None:
    await phone_without_scripts.goto("/")
    await phone_without_scripts.get_by_role("contentinfo").get_by_role("link", name="Contact").click()
    await phone_without_scripts.get_by_label("Your name").fill("Gil Okafor")
    await phone_without_scripts.get_by_label("Your email").fill("gil@example.com")
    await phone_without_scripts.get_by_label("Message").fill("Do you ship paddles?\n\n<b>Asking for a friend.</b>")
    await phone_without_scripts.get_by_role("button", name="Send message").click()

    await expect(phone_without_scripts.get_by_role("heading", name="We have your message")).to_be_visible()
    assert await stored_messages(deployment, "contact") == ["Do you ship paddles?\n\n<b>Asking for a friend.</b>"]
    email = await deployment.wait_for_email("Message from Gil Okafor")
    assert (email["To"], email["Reply-To"]) == ("operator@localhost", "gil@example.com")
    assert "Do you ship paddles?" in plain_body(email)


@pytest.mark.accept("ROUTE-06")
async def test_a_request_for_a_demo_is_stored_and_mailed(deployment: Deployment, phone_without_scripts: Page) -> None:
    await phone_without_scripts.goto("/")
    await phone_without_scripts.get_by_role("link", name="Schedule Demo").click()
    await phone_without_scripts.get_by_label("Your name").fill("Rosa Marín")
    await phone_without_scripts.get_by_label("Your email").fill("rosa@example.com")
    await phone_without_scripts.get_by_label("Your business").fill("Rio Rafting")
    await phone_without_scripts.get_by_label(re.compile("What you would like to see")).fill(
        "Thursday morning, Madrid time"
    )
    await phone_without_scripts.get_by_role("button", name="Request a demo").click()

    await expect(phone_without_scripts.get_by_role("heading", name="We have your message")).to_be_visible()
    assert await stored_messages(deployment, "demo") == ["Thursday morning, Madrid time"]
    assert "Rio Rafting" in plain_body(await deployment.wait_for_email("Rosa Marín asks for a demo"))


async def test_a_sample_waiver_signed_in_the_demo_belongs_to_no_company(deployment: Deployment, phone: Page) -> None:
    await phone.clock.install()
    await phone.goto("/demo")
    qr_code = await phone.request.get("/demo/qr.svg")
    assert qr_code.headers["content-type"] == "image/svg+xml"
    await phone.get_by_role("link", name="Sign a sample waiver").click()
    await expect(phone.get_by_role("heading", name="General Liability Waiver")).to_be_visible()
    name = f"Gil {uuid4().hex[:8]}"
    await enter_signer_details(phone, name)
    await (await touch_input(phone)).draw()

    # The page redirects two seconds after signing.
    await pause_clock(phone)
    await click_sign(phone)
    await advance_until_visible(phone, phone.get_by_role("heading", name="Waiver signed"))
    async with phone.expect_download() as download_info:
        await phone.get_by_role("button", name="Download your copy").click()
        await phone.clock.resume()
    assert (await download_info.value).suggested_filename.endswith(".pdf")

    async with database_connection(deployment) as connection:
        owners = await connection.fetch("select company_id from waivers.signed where signer_name = $1", name)
    assert [row["company_id"] for row in owners] == [None]
    with registered_company(deployment.server) as company:
        waivers = company.client.get("/rest/v1/signed_waivers?select=signer_name", headers=company.headers)
    assert waivers.json() == []


async def stored_messages(deployment: Deployment, kind: str) -> list[str]:
    connection = await asyncpg.connect(deployment.server.db_url)
    rows = await connection.fetch("select message from inquiries.messages where kind = $1", kind)
    await connection.close()
    return [row["message"] for row in rows]
