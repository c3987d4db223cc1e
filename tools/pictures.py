"""Takes all pictures from the running product with sample data: `make pictures`.

The screenshots of the public pages and of the guides are taken in both color schemes and stored as AVIF. The previews
of shared links, the home screen icon and the screenshot in docs/ are PNG.
"""

import asyncio
import io
import subprocess
import tempfile
from pathlib import Path
from typing import Literal

import httpx
from PIL import Image
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from tests.e2e.conftest import CHROMIUM_FLAGS
from tests.serving import RunningServer, serving
from tools import picture_cards
from tools.sample_company import PASSWORD, fill_company, sealed_document

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs" / "pictures"
PAGES = ROOT / "web" / "app" / "pictures"
SHARED = ROOT / "web" / "public" / "pictures"
DESKTOP = ViewportSize(width=1120, height=720)
PHONE = ViewportSize(width=390, height=780)
# For the guides, which show the screenshot between their paragraphs.
GUIDE = ViewportSize(width=390, height=640)
ColorScheme = Literal["light", "dark"]
COLOR_SCHEMES: tuple[ColorScheme, ...] = ("light", "dark")
# Twice the greatest width at which a page shows them, for screens with a high resolution.
WIDTHS = {"desktop": 1400, "phone": 640}


async def take_pictures(server: RunningServer, chromium: str) -> None:
    with httpx.Client(base_url=server.url, headers={"apikey": server.anon_key}, timeout=20) as client:
        as_rosa, link, signed = fill_company(client, server.service_key)
        document = sealed_document(client, as_rosa, signed)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        for scheme in COLOR_SCHEMES:
            await dashboard_pictures(browser, server.url, scheme, document)
            await dashboard_pictures(browser, server.url, scheme, document, shape="phone")
            await signing_pictures(browser, server.url, scheme, link)
        await draw_cards(browser, server.url)
        await draw_article_cards(browser, server.url)
        await browser.close()


async def dashboard_pictures(
    browser: Browser, url: str, scheme: ColorScheme, document: bytes, shape: str = "desktop"
) -> None:
    is_phone = shape == "phone"
    context = await browser.new_context(
        base_url=url,
        viewport=GUIDE if is_phone else DESKTOP,
        device_scale_factor=2,
        color_scheme=scheme,
        is_mobile=is_phone,
        has_touch=is_phone,
    )
    page = await context.new_page()
    kind = "-phone" if is_phone else ""
    await sign_in(page)
    await save_screenshot(page, f"dashboard{kind}", scheme, shape)
    if scheme == "light" and not is_phone:
        await page.screenshot(path=DOCS / "dashboard.png")
    await page.goto("/dashboard/waivers")
    await page.get_by_role("button", name="Send General Liability Waiver").first.wait_for()
    await save_screenshot(page, f"templates{kind}", scheme, shape)
    await page.get_by_role("button", name="Send General Liability Waiver").first.click()
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await dialog.get_by_label("First Name").fill("Noor")
    await dialog.get_by_label("Last Name").fill("Haddad")
    await dialog.get_by_label("Recipient Email").fill("noor@example.com")
    await page.wait_for_timeout(400)
    await save_screenshot(page, f"send{kind}", scheme, shape)
    await page.goto("/verify")
    await page.get_by_label("Choose a PDF").set_input_files(
        {"name": "waiver.pdf", "mimeType": "application/pdf", "buffer": document}
    )
    await page.get_by_role("heading", name="Sealed and unchanged").wait_for()
    await save_screenshot(page, f"verify{kind}", scheme, shape)
    await context.close()


async def signing_pictures(browser: Browser, url: str, scheme: ColorScheme, link: str) -> None:
    context = await browser.new_context(
        base_url=url, viewport=PHONE, device_scale_factor=2, color_scheme=scheme, is_mobile=True, has_touch=True
    )
    page = await context.new_page()
    await page.goto(link)
    await page.get_by_role("img", name="Signature pad").scroll_into_view_if_needed()
    await draw_signature(page)
    await save_screenshot(page, "signing", scheme, shape="phone")
    await context.close()


async def draw_cards(browser: Browser, url: str) -> None:
    for name, size, html in picture_cards.CARDS:
        context = await browser.new_context(base_url=url, viewport=size)
        page = await context.new_page()
        # On a page of the product, because it has loaded the fonts.
        await page.goto("/")
        await page.evaluate("html => { document.body.innerHTML = html }", html)
        await page.evaluate("document.fonts.ready")
        await page.screenshot(path=SHARED / name)
        await context.close()


async def draw_article_cards(browser: Browser, url: str) -> None:
    """For every published article, in the dark color scheme, which stands out in a white timeline."""
    context = await browser.new_context(base_url=url, viewport=picture_cards.SHARED, color_scheme="dark")
    page = await context.new_page()
    await page.goto("/blog")
    links = await page.locator("article a").evaluate_all("links => links.map(link => link.pathname)")
    for path in links:
        await page.goto(path)
        if await page.locator("article").count() == 0:
            continue
        title = await page.locator("h1").inner_text()
        picture = await page.locator("article img").get_attribute("src")
        card = picture_cards.article(title, picture or "")
        await page.evaluate("html => { document.body.innerHTML = html }", card)
        await page.evaluate("document.fonts.ready")
        await page.wait_for_load_state("networkidle")
        screenshot = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
        # Maximum coverage keeps the color of the small cairn, which covers few pixels.
        reduced = screenshot.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        reduced.save(SHARED / "blog" / f"{Path(path).name}.png", optimize=True)
    await context.close()


async def save_screenshot(page: Page, name: str, scheme: ColorScheme, shape: str = "desktop") -> None:
    screenshot = Image.open(io.BytesIO(await page.screenshot(animations="disabled"))).convert("RGB")
    width = WIDTHS[shape]
    smaller = screenshot.resize((width, round(screenshot.height * width / screenshot.width)), Image.Resampling.LANCZOS)
    smaller.save(PAGES / f"{name}-{scheme}.avif", quality=62, speed=6)


async def sign_in(page: Page) -> None:
    await page.goto("/signin")
    await page.get_by_label("Email").fill("rosa@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.get_by_role("table", name="Recent Waivers").get_by_text("Noor Haddad").first.wait_for()
    # The greeting disappears after five seconds and the message about the trial after ten more.
    await page.wait_for_timeout(6_000)
    await page.get_by_role("button", name="Dismiss").wait_for(state="hidden")


async def draw_signature(page: Page) -> None:
    box = await page.get_by_role("img", name="Signature pad").bounding_box()
    assert box is not None
    await page.mouse.move(*picture_cards.point_in(box, picture_cards.STROKE[0]))
    await page.mouse.down()
    for point in picture_cards.STROKE[1:]:
        await page.mouse.move(*picture_cards.point_in(box, point), steps=3)
    await page.mouse.up()


def main() -> None:
    for folder in (DOCS, PAGES, SHARED / "blog"):
        folder.mkdir(parents=True, exist_ok=True)
    found = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server:
        asyncio.run(take_pictures(server, found.stdout.strip()))


if __name__ == "__main__":
    main()
