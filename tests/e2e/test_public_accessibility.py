"""The public pages work without scripts, with only the keyboard, with a screen reader, and in both themes."""

import asyncio
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, Route, ViewportSize, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.close_context import close_context
from tests.e2e.conftest import DESKTOP, PHONE, Deployment
from tests.e2e.keyboard import tab_to
from tests.e2e.public_pages import PLAIN_PAGES, SCRIPTED_PAGES

CONFIRMATION_PAGES = {
    "/contact/sent": "We have your message",
    "/demo/sent": "We have your message",
    "/sent-waivers": "Waivers Sent Successfully",
}
NOT_FOUND_PAGES = {"/nope": "404", "/mailbox": "Email Sent", "/blog/nope": "Blog Post Not Found"}


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_public_pages_have_no_accessibility_violations(
    browser: Browser, deployment: Deployment, viewport: ViewportSize
) -> None:
    context = await browser.new_context(base_url=deployment.url, viewport=viewport, service_workers="block")
    page = await context.new_page()
    problems = {}
    for path, heading in {**PLAIN_PAGES, **SCRIPTED_PAGES, **CONFIRMATION_PAGES, **NOT_FOUND_PAGES}.items():
        await page.goto(path)
        await page.get_by_role("heading", name=heading, exact=True).first.wait_for()
        if path == "/mailbox":
            await replace_by_static_copy(page)
        problems[path] = await find_problems(page)
    await page.goto("/")
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    problems["/, all answers open"] = await find_problems(page)
    await page.goto("/contact")
    await page.evaluate("document.querySelector('main form').submit()")
    await page.locator("[aria-invalid=true]").first.wait_for()
    problems["/contact, not filled in"] = await find_problems(page)
    await page.goto("/signup")
    await page.get_by_role("button", name="Create account").click()
    await page.get_by_role("alert").wait_for()
    problems["/signup, not filled in"] = await find_problems(page)
    await close_context(context)

    assert {path: page_problems for path, page_problems in problems.items() if page_problems} == {}


async def find_problems(page: Page) -> list[str]:
    violations = await axe_violations_in_both_themes(page)
    overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*violations, f"{overflow} px too wide"] if overflow > 0 else violations


async def replace_by_static_copy(page: Page) -> None:
    """Replaces the page with its HTML without scripts, because the page redirects after five seconds."""
    copy = await page.evaluate(
        "document.querySelectorAll('script').forEach((script) => script.remove()), document.documentElement.outerHTML"
    )
    # The content security policy of /privacy allows the same style sheets, and /privacy has no script.
    await page.goto("/privacy")
    await page.set_content(copy)


async def test_the_pages_and_their_links_work_without_scripts(page_without_scripts: Page) -> None:
    await page_without_scripts.goto("/")
    question = page_without_scripts.get_by_text("Is our data encrypted?")
    answer = page_without_scripts.get_by_text("In transit and at rest. On a public address")
    await expect(answer).to_be_hidden()
    await question.click()
    await expect(answer).to_be_visible()

    for name, path in {"Features": "/features", "Pricing": "/pricing", "About": "/about", "Blog": "/blog"}.items():
        await page_without_scripts.get_by_role("link", name=name, exact=True).last.click()
        await expect(page_without_scripts.get_by_role("heading", name=PLAIN_PAGES[path], level=1)).to_be_visible()
    for path, heading in PLAIN_PAGES.items():
        await page_without_scripts.goto(path)
        await expect(page_without_scripts.get_by_role("heading", name=heading, level=1)).to_be_visible()


@pytest.mark.accept("LAYOUT-01", "LAYOUT-04")
async def test_the_header_stays_visible_and_fits_the_screen(page_without_scripts: Page) -> None:
    header = page_without_scripts.get_by_role("banner")
    await page_without_scripts.goto("/")
    await expect(header.get_by_role("link", name="Cairn, home")).to_have_text("Cairn")
    await expect(header.locator("svg").first).to_be_visible()
    await expect(header.get_by_role("link", name="Try it Free")).to_have_attribute("href", "/signup")

    await page_without_scripts.get_by_role("contentinfo").scroll_into_view_if_needed()
    await expect(header).to_be_in_viewport()

    await page_without_scripts.set_viewport_size(PHONE)
    await expect(header.get_by_role("link", name="Sign up")).to_have_attribute("href", "/signup")
    await expect(header.get_by_text("Try it Free")).to_be_hidden()
    await header.locator("summary").click()
    await header.get_by_role("link", name="Pricing").click()
    await page_without_scripts.wait_for_url("**/pricing")


async def test_a_visitor_signs_up_with_only_the_keyboard(desktop: Page) -> None:
    await desktop.goto("/")
    await desktop.keyboard.press("Tab")
    await expect(desktop.get_by_role("link", name="Skip to content")).to_be_focused()
    await desktop.keyboard.press("Enter")
    await tab_to(desktop, "Try it Free")
    await desktop.keyboard.press("Enter")
    await desktop.wait_for_url("**/signup")
    await expect(desktop.get_by_role("heading", name="Get started with Cairn")).to_be_visible()

    await tab_to(desktop, "Full Name")
    await desktop.keyboard.type("Rosa Marín")
    await tab_to(desktop, "Email")
    await desktop.keyboard.type(f"rosa.{uuid4().hex}@example.com")
    await tab_to(desktop, "Password")
    await desktop.keyboard.type("a long walk by the river")
    await desktop.keyboard.press("Enter")

    await desktop.wait_for_url("**/dashboard")


async def test_input_before_the_scripts_have_loaded_is_not_lost(desktop: Page) -> None:
    released = await hold_scripts(desktop)
    await desktop.goto("/verify")
    await desktop.get_by_label("Choose a PDF").set_input_files(
        {"name": "waiver.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 of another origin"}
    )
    released.set()
    # Uploaded files are read in a sandbox process, which may have to start first.
    await expect(desktop.get_by_role("main").get_by_role("heading", level=2)).to_be_visible()

    released.clear()
    await desktop.goto("/signup")
    await desktop.get_by_label("Full Name").fill("Rosa Marín")
    await desktop.get_by_label("Email").fill(f"rosa.{uuid4().hex}@example.com")
    await desktop.get_by_label("Password").fill("a long walk by the river")
    await desktop.keyboard.press("Enter")
    assert desktop.url.endswith("/signup")
    released.set()
    await desktop.wait_for_url("**/dashboard")


async def hold_scripts(page: Page) -> asyncio.Event:
    """Holds the scripts of the page until the returned event is set."""
    released = asyncio.Event()

    async def hold(route: Route) -> None:
        await released.wait()
        await route.continue_()

    await page.route("**/assets/framework-*.js", hold)
    return released
