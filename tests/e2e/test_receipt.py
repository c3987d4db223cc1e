"""After signing, the front page shows a receipt, and the link of the session says that the waiver is signed."""

import re
import time
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.close_context import close_context
from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import PHONE, Deployment
from tests.e2e.guest import (
    click_sign,
    expect_signed,
    fill_in,
    open_new_session,
    signing_path,
    stored_waivers,
)

ALREADY_SIGNED = "Waiver Already Signed"


async def sign(page: Page, email: str = "gil@example.com") -> None:
    await fill_in(page)
    await page.get_by_label("Your Email").fill(email)
    await click_sign(page)
    await expect_signed(page)


@pytest.mark.accept("SIGN-17")
async def test_after_two_seconds_the_front_page_opens_and_shows_the_receipt_until_it_is_closed(
    deployment: Deployment, desktop: Page
) -> None:
    # Other tests send copies to Gil's usual address, and the copies to an address are limited.
    email = f"gil.{uuid4().hex}@example.com"
    await open_new_session(deployment, desktop)
    await sign(desktop, email)
    signed_at = time.monotonic()
    await desktop.wait_for_url(f"{deployment.url}/")
    assert time.monotonic() - signed_at > 1.5, "the confirmation was shown for two seconds"

    receipt = desktop.get_by_role("region", name="Receipt")
    await expect(receipt).to_contain_text("Gil Okafor has signed River trip for Rio Rafting.")
    heading = await desktop.get_by_role("heading", level=1).bounding_box()
    box = await receipt.bounding_box()
    assert heading is not None
    assert box is not None
    assert box["y"] + box["height"] <= heading["y"], "the receipt is above the content of the front page"
    async with desktop.expect_download(timeout=60_000) as download:
        await receipt.get_by_role("button", name="Download your copy").click()
    assert (await download.value).suggested_filename == "River trip.pdf"
    await receipt.get_by_role("button", name="Email me a copy").click()
    await expect(receipt.get_by_role("status")).to_contain_text(email)

    await desktop.goto("/about")
    await desktop.goto("/")
    await expect(receipt).to_be_visible()
    await receipt.get_by_role("button", name="Close").click()
    await expect(receipt).to_have_count(0)
    await desktop.reload()
    await expect(desktop.get_by_role("heading", level=1)).to_be_visible()
    await expect(receipt).to_have_count(0)


@pytest.mark.accept("SIGN-17")
async def test_the_device_of_a_company_shows_no_receipt(
    deployment: Deployment, browser: Browser, company: Company
) -> None:
    context = await browser.new_context(base_url=deployment.url, viewport=PHONE)
    page = await context.new_page()
    await open_signed_in(page, company, "/dashboard")
    await page.wait_for_function("() => localStorage.getItem('user') !== null")
    await page.goto(signing_path(company.send_to("Gil Okafor")))
    await sign(page)
    await page.wait_for_url(f"{deployment.url}/")

    assert [name for name in await page.evaluate("Object.keys(localStorage)") if name.startswith("cairn-receipt")] == []
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    await page.reload(wait_until="networkidle")
    assert [url for url in requests if url.endswith("receipts.js")] == []
    await close_context(context)


@pytest.mark.accept("SIGN-05")
async def test_the_link_of_a_signed_session_says_who_signed_and_allows_signing_again_after_one_more_click(
    deployment: Deployment, desktop: Page, phone: Page
) -> None:
    session_id = await open_new_session(deployment, desktop)
    await sign(desktop)
    await desktop.wait_for_url(f"{deployment.url}/")

    await desktop.goto(signing_path(session_id))
    notice = desktop.get_by_role("region", name=ALREADY_SIGNED)
    await expect(notice).to_contain_text(re.compile(r"Signed by Gil on \w+ \d+, \d{4} at \d+:\d\d [AP]M\."))
    await expect(notice).not_to_contain_text("Okafor")
    async with desktop.expect_download(timeout=60_000) as download:
        await notice.get_by_role("button", name="Download your copy").click()
    assert (await download.value).suggested_filename == "River trip.pdf"

    await phone.goto(signing_path(session_id))
    await expect(phone.get_by_text("Signed by Gil on")).to_be_visible()
    await expect(phone.get_by_role("button", name="Download your copy")).to_have_count(0)
    await expect(phone.get_by_label("Your Name")).to_have_count(0)
    await phone.get_by_role("link", name="Sign again").click()
    await sign(phone)
    assert len(await stored_waivers(deployment, session_id)) == 2
