"""A company embeds the signing page in its own website."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from playwright.async_api import Browser, Frame, Page, ViewportSize, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.close_context import close_context
from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import Deployment
from tests.e2e.guest import click_sign, draw_with_mouse, enter_signer_details, expect_signed, zigzag

# The narrowest phone is 320 pixels wide. A page has a default margin of 8 pixels on each side of the frame.
NARROW_PHONE = ViewportSize(width=320 + 16, height=640)
# The strictest browsers give a frame on another website no storage.
BLOCK_STORAGE_IN_FRAMES = """
if (self !== top)
    for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("insecure", "SecurityError"); } });
"""
ADD_FRAME = "url => { document.body.appendChild(document.createElement('iframe')).src = url; }"


@asynccontextmanager
async def website(html: str) -> AsyncIterator[int]:
    """Serves a page with `html` and yields the port.

    A browser treats localhost and 127.0.0.1 as different websites.
    """
    page = f"<!doctype html><title>Rio Rafting</title>{html}".encode()

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n" + page)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(respond, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.accept("ROUTE-24")
async def test_a_guest_signs_on_the_companys_own_website(
    deployment: Deployment, company: Company, desktop: Page, browser: Browser
) -> None:
    template_id = create_template(company)
    context = await browser.new_context(viewport=NARROW_PHONE)
    await context.add_init_script(BLOCK_STORAGE_IN_FRAMES)
    guest = await context.new_page()

    async with website(await copy_snippet(desktop, company)) as port:
        website_url = f"http://localhost:{port}/"
        await sign_on_website(guest, website_url)
        await desktop.goto("/dashboard/waiver-management")
        waiver_row = desktop.get_by_role("table", name="Waivers").get_by_role("row").filter(has_text="Gil Okafor")
        await expect(waiver_row).to_contain_text("River trip")
        await expect(waiver_row).to_contain_text("Signed")

        await allow_website(desktop, website_url)
        await guest.reload()
        await expect(guest.frame_locator("iframe").get_by_role("heading", name="River trip")).to_be_visible()
        for path in ("/", "/signin", "/dashboard/settings/html-embed", f"/waivers/sign/{template_id}"):
            async with expect_frame_blocked(guest):
                await guest.evaluate(ADD_FRAME, deployment.url + path)
        async with expect_frame_blocked(guest):
            await guest.goto(f"http://127.0.0.1:{port}/")
    await close_context(context)


def create_template(company: Company) -> str:
    row = {"name": "River trip", "content": "I, [PARTICIPANT NAME], ride with [COMPANY NAME]."}
    response = company.client.post("/rest/v1/waiver_templates", json=row, headers=company.headers)
    template_id: str = response.raise_for_status().json()[0]["id"]
    return template_id


async def copy_snippet(desktop: Page, company: Company) -> str:
    await desktop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await open_signed_in(desktop, company, "/dashboard/settings/html-embed")
    await desktop.get_by_label("Template").select_option("River trip")
    preview = desktop.frame_locator("iframe")
    await expect(preview.get_by_text("I, [YOUR NAME], ride with Rio Rafting.")).to_be_visible()
    assert await axe_violations(desktop) == []
    await desktop.get_by_role("button", name="Copy HTML snippet").click()
    await expect(desktop.get_by_text("Copied")).to_be_visible()
    snippet: str = await desktop.evaluate("navigator.clipboard.readText()")
    return snippet


async def sign_on_website(guest: Page, website_url: str) -> None:
    await guest.goto(website_url)
    frame = await signing_frame(guest)
    assert await frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await frame.evaluate("innerWidth") == 320
    await enter_signer_details(frame)
    await draw_with_mouse(frame, zigzag(0.2, 0.8))
    await click_sign(frame)
    await expect_signed(frame)
    await frame.get_by_role("link", name="Next person to sign").click()
    await expect(frame.get_by_label("Your Name")).to_have_value("")
    assert guest.url == website_url


async def signing_frame(guest: Page) -> Frame:
    element = await guest.locator("iframe").element_handle()
    frame = await element.content_frame()
    assert frame is not None
    await expect(frame.get_by_role("heading", name="River trip")).to_be_visible()
    return frame


async def allow_website(desktop: Page, website_url: str) -> None:
    await desktop.goto("/dashboard/settings/html-embed")
    await desktop.get_by_role("radio", name="Only the websites I name").check()
    await desktop.get_by_label("Websites", exact=True).fill(website_url)
    await desktop.get_by_role("button", name="Save websites").click()
    await expect(desktop.get_by_text("Only this website may show your signing pages.", exact=True)).to_be_visible()


def expect_frame_blocked(guest: Page) -> AbstractAsyncContextManager[object]:
    """Expects that the browser blocks a frame, which it reports in the console."""
    return guest.expect_console_message(lambda line: "frame-ancestors" in line.text)
