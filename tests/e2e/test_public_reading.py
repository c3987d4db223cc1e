"""Reading the public pages with less than everything: no script, no mouse, a screen reader, any light."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, ViewportSize, expect

from tests.e2e.accessible import by_day_and_night
from tests.e2e.conftest import DESKTOP, PHONE, Place
from tests.e2e.public import PLAIN_PAGES, SCRIPTED_PAGES

AFTERWARDS = {
    "/contact/sent": "We have your message",
    "/demo/sent": "We have your message",
    "/sent-waivers": "Waivers Sent Successfully",
}
NOT_FOUND = {"/nope": "404", "/mailbox": "Email Sent", "/blog/legal-aspects": "Blog Post Not Found"}


@pytest_asyncio.fixture
async def reader(browser: Browser, place: Place) -> AsyncIterator[Page]:
    """A browser that runs no script."""
    context = await browser.new_context(base_url=place.url, viewport=DESKTOP, java_script_enabled=False)
    yield await context.new_page()
    await context.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_no_public_page_shuts_anybody_out(browser: Browser, place: Place, size: ViewportSize) -> None:
    context = await browser.new_context(base_url=place.url, viewport=size)
    page = await context.new_page()
    found = {}
    for path, heading in {**PLAIN_PAGES, **SCRIPTED_PAGES, **AFTERWARDS, **NOT_FOUND}.items():
        await page.goto(path)
        await page.get_by_role("heading", name=heading, exact=True).first.wait_for()
        if path == "/mailbox":
            await stand_still(page)
        found[path] = await faults(page)
    await page.goto("/")
    await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    found["/, unfolded"] = await faults(page)
    await page.goto("/contact")
    await page.evaluate("document.querySelector('main form').submit()")
    await page.locator("[aria-invalid=true]").first.wait_for()
    found["/contact, not filled in"] = await faults(page)
    await page.goto("/signup")
    await page.get_by_role("button", name="Create account").click()
    await page.get_by_role("alert").wait_for()
    found["/signup, not filled in"] = await faults(page)
    await context.close()

    assert {path: told for path, told in found.items() if told} == {}


async def faults(page: Page) -> list[str]:
    told = await by_day_and_night(page)
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*told, f"{wide} px too wide"] if wide > 0 else told


async def stand_still(page: Page) -> None:
    """As a copy without scripts, because the page leaves by itself after five seconds."""
    copy = await page.evaluate(
        "document.querySelectorAll('script').forEach((it) => it.remove()), document.documentElement.outerHTML"
    )
    await page.goto("/robots.txt")
    await page.set_content(copy)


async def test_without_script_the_pages_are_read_and_their_links_work(reader: Page) -> None:
    await reader.goto("/")
    question = reader.get_by_text("Is our data encrypted?")
    answer = reader.get_by_text("In transit and at rest. In production")
    await expect(answer).to_be_hidden()
    await question.click()
    await expect(answer).to_be_visible()

    for name, heading in {"Features": "/features", "Pricing": "/pricing", "About": "/about", "Blog": "/blog"}.items():
        await reader.get_by_role("link", name=name, exact=True).last.click()
        await expect(reader.get_by_role("heading", name=PLAIN_PAGES[heading], level=1)).to_be_visible()
    for path, heading in PLAIN_PAGES.items():
        await reader.goto(path)
        await expect(reader.get_by_role("heading", name=heading, level=1)).to_be_visible()


@pytest.mark.accept("LAYOUT-01", "LAYOUT-04")
async def test_the_header_stays_and_fits_the_screen(reader: Page) -> None:
    header = reader.get_by_role("banner")
    await reader.goto("/")
    await expect(header.get_by_role("link", name="Cairn, home")).to_have_text("Cairn")
    await expect(header.locator("svg").first).to_be_visible()
    await expect(header.get_by_role("link", name="Try it Free")).to_have_attribute("href", "/signup")

    await reader.get_by_role("contentinfo").scroll_into_view_if_needed()
    await expect(header).to_be_in_viewport()

    await reader.set_viewport_size(PHONE)
    await expect(header.get_by_role("link", name="Sign up")).to_have_attribute("href", "/signup")
    await expect(header.get_by_text("Try it Free")).to_be_hidden()
    await header.locator("summary").click()
    await header.get_by_role("link", name="Pricing").click()
    await reader.wait_for_url("**/pricing")


async def test_with_the_keyboard_alone_a_stranger_signs_up(desktop: Page) -> None:
    await desktop.goto("/")
    await desktop.keyboard.press("Tab")
    await expect(desktop.get_by_role("link", name="Skip to content")).to_be_focused()
    await desktop.keyboard.press("Enter")
    await tab_to(desktop, "Try it Free")
    await desktop.keyboard.press("Enter")
    await desktop.wait_for_url("**/signup")
    await expect(desktop.get_by_role("heading", name="Get started with Cairn")).to_be_visible()

    await tab_to(desktop, "name")
    await desktop.keyboard.type("Rosa Marín")
    await tab_to(desktop, "email")
    await desktop.keyboard.type(f"rosa.{uuid4().hex}@example.com")
    await tab_to(desktop, "password")
    await desktop.keyboard.type("a long walk by the river")
    await desktop.keyboard.press("Enter")

    await desktop.wait_for_url("**/dashboard")


async def test_who_is_quicker_than_the_scripts_loses_nothing(desktop_without_worker: Page) -> None:
    desktop = desktop_without_worker
    answers = await without_scripts_for_now(desktop)
    await desktop.goto("/verify")
    await desktop.get_by_label("Choose a PDF").set_input_files(
        {"name": "waiver.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 of somebody else"}
    )
    answers.set()
    # Strangers' files are read in a process of their own, which may have to start.
    await expect(desktop.get_by_role("main").get_by_role("heading", level=2)).to_be_visible(timeout=20_000)

    answers.clear()
    await desktop.goto("/signup")
    await desktop.get_by_label("Full Name").fill("Rosa Marín")
    await desktop.get_by_label("Email").fill(f"rosa.{uuid4().hex}@example.com")
    await desktop.get_by_label("Password").fill("a long walk by the river")
    await desktop.keyboard.press("Enter")
    assert desktop.url.endswith("/signup")
    answers.set()
    await desktop.wait_for_url("**/dashboard")


async def without_scripts_for_now(page: Page) -> asyncio.Event:
    """They come when the event is set."""
    answers = asyncio.Event()

    async def not_before(route: Route) -> None:
        await answers.wait()
        await route.continue_()

    await page.route("**/assets/framework-*.js", not_before)
    return answers


async def tab_to(page: Page, wanted: str) -> None:
    """Until the focus is on what has this text, or this name in its form."""
    for _ in range(30):
        await page.keyboard.press("Tab")
        here = await page.evaluate("document.activeElement.name || document.activeElement.textContent")
        if wanted in (here or ""):
            return
    raise AssertionError(f"thirty tabs did not lead to {wanted!r}")
