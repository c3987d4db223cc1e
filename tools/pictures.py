"""Takes all pictures of the running product with sample data. `make pictures` runs this tool.

The screenshots of the public pages are taken in both color schemes and stored as AVIF. The previews
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
from tools.sample_company import PASSWORD, create_company, fetch_document

ROOT = Path(__file__).parent.parent
DOCS_PICTURES = ROOT / "docs" / "pictures"
APP_PICTURES = ROOT / "web" / "app" / "pictures"
PUBLIC_PICTURES = ROOT / "web" / "public" / "pictures"
DESKTOP = ViewportSize(width=1120, height=720)
PHONE = ViewportSize(width=390, height=780)
ColorScheme = Literal["light", "dark"]
COLOR_SCHEMES: tuple[ColorScheme, ...] = ("light", "dark")
# These are twice the greatest width at which a page shows the pictures, for screens with a high resolution.
PIXEL_WIDTHS = {"desktop": 1400, "phone": 640}


async def take_pictures(server: RunningServer, chromium: str) -> None:
    with httpx.Client(base_url=server.url, headers={"apikey": server.anon_key}, timeout=20) as client:
        rosas_headers, signing_link, signed_session = create_company(client, server.service_key)
        document = fetch_document(client, rosas_headers, signed_session)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        for scheme in COLOR_SCHEMES:
            await take_dashboard_pictures(browser, server.url, scheme, document)
            await take_signing_pictures(browser, server.url, scheme, signing_link)
        await save_cards(browser, server.url)
        await save_article_cards(browser, server.url)
        await browser.close()


async def take_dashboard_pictures(browser: Browser, url: str, scheme: ColorScheme, document: bytes) -> None:
    context = await browser.new_context(base_url=url, viewport=DESKTOP, device_scale_factor=2, color_scheme=scheme)
    page = await context.new_page()
    await sign_in(page)
    await save_screenshot(page, "dashboard", scheme)
    if scheme == "light":
        await page.screenshot(path=DOCS_PICTURES / "dashboard.png")
    await page.goto("/dashboard/waivers")
    await page.get_by_role("button", name="Send General Liability Waiver").first.wait_for()
    await save_screenshot(page, "templates", scheme)
    await page.get_by_role("button", name="Send General Liability Waiver").first.click()
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await dialog.get_by_label("First Name").fill("Noor")
    await dialog.get_by_label("Last Name").fill("Haddad")
    await dialog.get_by_label("Recipient Email").fill("noor@example.com")
    await page.wait_for_timeout(400)
    await save_screenshot(page, "send", scheme)
    await page.goto("/verify")
    await page.get_by_label("Choose a PDF").set_input_files(
        {"name": "waiver.pdf", "mimeType": "application/pdf", "buffer": document}
    )
    await page.get_by_role("heading", name="Sealed and unchanged").wait_for()
    await save_screenshot(page, "verify", scheme)
    await context.close()


async def take_signing_pictures(browser: Browser, url: str, scheme: ColorScheme, signing_link: str) -> None:
    context = await browser.new_context(
        base_url=url, viewport=PHONE, device_scale_factor=2, color_scheme=scheme, is_mobile=True, has_touch=True
    )
    page = await context.new_page()
    await page.goto(signing_link)
    await page.get_by_role("img", name="Signature pad").scroll_into_view_if_needed()
    await draw_signature(page)
    await save_screenshot(page, "signing", scheme, shape="phone")
    await context.close()


async def save_cards(browser: Browser, url: str) -> None:
    for name, size, html in picture_cards.CARDS:
        context = await browser.new_context(base_url=url, viewport=size)
        page = await context.new_page()
        # The card replaces a page of the product, because that page has loaded the fonts.
        await page.goto("/")
        await page.evaluate("html => { document.body.innerHTML = html }", html)
        await page.evaluate("document.fonts.ready")
        await page.screenshot(path=PUBLIC_PICTURES / name)
        await context.close()


async def save_article_cards(browser: Browser, url: str) -> None:
    """Draws the preview of every article, in the dark color scheme, which stands out on a white page."""
    context = await browser.new_context(base_url=url, viewport=picture_cards.SHARED_LINK_SIZE, color_scheme="dark")
    page = await context.new_page()
    await page.goto("/blog")
    links = await page.locator("article a").evaluate_all("links => links.map(link => link.pathname)")
    for path in links:
        await page.goto(path)
        title = await page.locator("h1").inner_text()
        picture = await page.locator("article img").get_attribute("src")
        card = picture_cards.article_card(title, picture or "")
        await page.evaluate("html => { document.body.innerHTML = html }", card)
        await page.evaluate("document.fonts.ready")
        await page.wait_for_load_state("networkidle")
        screenshot = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
        # This method keeps the color of the small logo, which covers few pixels.
        palette_image = screenshot.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        palette_image.save(PUBLIC_PICTURES / "blog" / f"{Path(path).name}.png", optimize=True)
    await context.close()


async def save_screenshot(page: Page, name: str, scheme: ColorScheme, shape: str = "desktop") -> None:
    screenshot = Image.open(io.BytesIO(await page.screenshot(animations="disabled"))).convert("RGB")
    width = PIXEL_WIDTHS[shape]
    small_screenshot = screenshot.resize(
        (width, round(screenshot.height * width / screenshot.width)), Image.Resampling.LANCZOS
    )
    small_screenshot.save(APP_PICTURES / f"{name}-{scheme}.avif", quality=62, speed=6)


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
    await page.mouse.move(*picture_cards.point_in(box, picture_cards.SIGNATURE_POINTS[0]))
    await page.mouse.down()
    for point in picture_cards.SIGNATURE_POINTS[1:]:
        await page.mouse.move(*picture_cards.point_in(box, point), steps=3)
    await page.mouse.up()


def main() -> None:
    for folder in (DOCS_PICTURES, APP_PICTURES, PUBLIC_PICTURES / "blog"):
        folder.mkdir(parents=True, exist_ok=True)
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server:
        asyncio.run(take_pictures(server, chromium.stdout.strip()))


if __name__ == "__main__":
    main()
