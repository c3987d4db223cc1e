"""Takes the pictures of the papers from the running product, with sample data: `make pictures`."""

import asyncio
import subprocess
import tempfile
from pathlib import Path

import httpx
from playwright.async_api import Page, ViewportSize, async_playwright

from tests.e2e.conftest import FLAGS
from tests.make import signature
from tests.serving import Served, serving

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
DESK = ViewportSize(width=1280, height=800)
PASSWORD = "a long walk by the river"  # noqa: S105 - of a sample company that lives for a minute

# Sample people; the first three have not signed yet.
GUESTS = [
    ("Noor Haddad", "template-general-liability"),
    ("Tomás Vega", "template-general-liability"),
    ("Ingrid Solheim", "template-photography-release"),
    ("Gil Okafor", "template-general-liability"),
    ("Hana Sato", "template-general-liability"),
    ("Piotr Zieliński", "template-medical-emergency-authorization"),
    ("Amara Diallo", "template-general-liability"),
]
_STILL_PENDING = 3


async def take_pictures(served: Served, chromium: str) -> None:
    with httpx.Client(base_url=served.url, headers={"apikey": served.anon_key}, timeout=20) as client:
        fill_a_company(client)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = await browser.new_context(base_url=served.url, viewport=DESK, device_scale_factor=2)
        page = await context.new_page()
        await sign_in(page)
        await page.screenshot(path=PICTURES / "dashboard.png")
        await browser.close()


def fill_a_company(client: httpx.Client) -> None:
    account = {"email": "rosa@example.com", "password": PASSWORD, "data": {"name": "Rosa Marín", "role": "company"}}
    session = client.post("/auth/v1/signup", json=account).raise_for_status().json()
    as_rosa = {"Authorization": f"Bearer {session['access_token']}", "Prefer": "return=representation"}
    client.patch("/rest/v1/companies?name=eq.", json={"name": "Rio Rafting"}, headers=as_rosa).raise_for_status()
    for number, (name, template) in reversed(list(enumerate(GUESTS))):
        email = f"{name.split()[0].lower()}@example.com"
        row = {"template_id": template, "recipient_name": name, "recipient_email": email}
        [opened] = client.post("/rest/v1/waiver_sessions", json=row, headers=as_rosa).raise_for_status().json()
        if number >= _STILL_PENDING:
            signed = {"session_id": opened["id"], "signer_name": name, "signer_email": email, "signature": signature()}
            client.post("/rest/v1/signed_waivers", json=signed).raise_for_status()


async def sign_in(page: Page) -> None:
    await page.goto("/signin")
    await page.get_by_label("Email").fill("rosa@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.get_by_role("table", name="Recent Waivers").get_by_text("Noor Haddad").first.wait_for()
    # The greeting toast is gone after five seconds; the picture is of the page.
    await page.wait_for_timeout(6_000)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    found = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as served:
        asyncio.run(take_pictures(served, found.stdout.strip()))


if __name__ == "__main__":
    main()
