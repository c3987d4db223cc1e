"""Takes every picture anew from the running product, with sample data: `make pictures`.

Those of the public pages and of the lessons in both lights, as AVIF beside the pages that show them; the picture a
shared link shows; the icon of a home screen; and the one of the papers.
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

from tests.e2e.conftest import FLAGS
from tests.serving import Served, serving
from tools import picture_cards
from tools.sample_company import PASSWORD, fill_a_company, sealed_document

ROOT = Path(__file__).parent.parent
PAPERS = ROOT / "docs" / "pictures"
PAGES = ROOT / "web" / "app" / "pictures"
SHARED = ROOT / "web" / "public" / "pictures"
DESKTOP = ViewportSize(width=1120, height=720)
PHONE = ViewportSize(width=390, height=780)
# A lesson is read on the device it speaks of, between its lines.
LESSON = ViewportSize(width=390, height=640)
Light = Literal["light", "dark"]
LIGHTS: tuple[Light, ...] = ("light", "dark")
# As wide as a page ever shows them, for screens with two pixels in the place of one.
WIDEST = {"desktop": 1400, "phone": 640}


async def take_pictures(served: Served, chromium: str) -> None:
    with httpx.Client(base_url=served.url, headers={"apikey": served.anon_key}, timeout=20) as client:
        as_rosa, link, signed = fill_a_company(client, served.service_key)
        document = sealed_document(client, as_rosa, signed)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for light in LIGHTS:
            await in_the_rooms(browser, served.url, light, document)
            await in_the_rooms(browser, served.url, light, document, shape="phone")
            await on_the_phone(browser, served.url, light, link)
        await cards(browser, served.url)
        await article_cards(browser, served.url)
        await browser.close()


async def in_the_rooms(browser: Browser, url: str, light: Light, document: bytes, shape: str = "desktop") -> None:
    is_phone = shape == "phone"
    context = await browser.new_context(
        base_url=url,
        viewport=LESSON if is_phone else DESKTOP,
        device_scale_factor=2,
        color_scheme=light,
        is_mobile=is_phone,
        has_touch=is_phone,
    )
    page = await context.new_page()
    kind = "-phone" if is_phone else ""
    await sign_in(page)
    await keep(page, f"dashboard{kind}", light, shape)
    if light == "light" and not is_phone:
        await page.screenshot(path=PAPERS / "dashboard.png")
    await page.goto("/dashboard/waivers")
    await page.get_by_role("button", name="Send General Liability Waiver").first.wait_for()
    await keep(page, f"templates{kind}", light, shape)
    await page.get_by_role("button", name="Send General Liability Waiver").first.click()
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await dialog.get_by_label("First Name").fill("Noor")
    await dialog.get_by_label("Last Name").fill("Haddad")
    await dialog.get_by_label("Recipient Email").fill("noor@example.com")
    await page.wait_for_timeout(400)
    await keep(page, f"send{kind}", light, shape)
    await page.goto("/verify")
    await page.get_by_label("Choose a PDF").set_input_files(
        {"name": "waiver.pdf", "mimeType": "application/pdf", "buffer": document}
    )
    await page.get_by_role("heading", name="Sealed and unchanged").wait_for()
    await keep(page, f"verify{kind}", light, shape)
    await context.close()


async def on_the_phone(browser: Browser, url: str, light: Light, link: str) -> None:
    context = await browser.new_context(
        base_url=url, viewport=PHONE, device_scale_factor=2, color_scheme=light, is_mobile=True, has_touch=True
    )
    page = await context.new_page()
    await page.goto(link)
    await page.get_by_role("img", name="Signature pad").scroll_into_view_if_needed()
    await write_a_name(page)
    await keep(page, "signing", light, shape="phone")
    await context.close()


async def cards(browser: Browser, url: str) -> None:
    for name, size, html in picture_cards.CARDS:
        context = await browser.new_context(base_url=url, viewport=size)
        page = await context.new_page()
        # On a page of ours, because its fonts are already there.
        await page.goto("/")
        await page.evaluate("html => { document.body.innerHTML = html }", html)
        await page.evaluate("document.fonts.ready")
        await page.screenshot(path=SHARED / name)
        await context.close()


async def article_cards(browser: Browser, url: str) -> None:
    """For every article that can be read, in the dark light, which the white of a timeline sets off."""
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
        taken = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
        # Few colours, of which one is rare: the cairn.
        few = taken.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(SHARED / "blog" / f"{Path(path).name}.png", optimize=True)
    await context.close()


async def keep(page: Page, name: str, light: Light, shape: str = "desktop") -> None:
    taken = Image.open(io.BytesIO(await page.screenshot(animations="disabled"))).convert("RGB")
    width = WIDEST[shape]
    smaller = taken.resize((width, round(taken.height * width / taken.width)), Image.Resampling.LANCZOS)
    smaller.save(PAGES / f"{name}-{light}.avif", quality=62, speed=6)


async def sign_in(page: Page) -> None:
    await page.goto("/signin")
    await page.get_by_label("Email").fill("rosa@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.get_by_role("table", name="Recent Waivers").get_by_text("Noor Haddad").first.wait_for()
    # The greeting is gone after five seconds, and the trial's word after ten more; the picture is of the page.
    await page.wait_for_timeout(6_000)
    await page.get_by_role("button", name="Dismiss").wait_for(state="hidden")


async def write_a_name(page: Page) -> None:
    box = await page.get_by_role("img", name="Signature pad").bounding_box()
    assert box is not None
    await page.mouse.move(*picture_cards.place_in(box, picture_cards.STROKE[0]))
    await page.mouse.down()
    for point in picture_cards.STROKE[1:]:
        await page.mouse.move(*picture_cards.place_in(box, point), steps=3)
    await page.mouse.up()


def main() -> None:
    for folder in (PAPERS, PAGES, SHARED / "blog"):
        folder.mkdir(parents=True, exist_ok=True)
    found = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as served:
        asyncio.run(take_pictures(served, found.stdout.strip()))


if __name__ == "__main__":
    main()
