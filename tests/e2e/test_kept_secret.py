"""'In transit and at rest', as in production: behind a door in the clear and one that speaks TLS."""

import asyncio
import time
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.company import PASSWORD, Company, open_company
from tests.e2e.front_door import front_door, own_certificate
from tests.serving import free_port, serving


@pytest.mark.accept("HOME-15")
async def test_what_is_said_of_encryption_is_so(browser: Browser, tmp_path: Path) -> None:
    clear, secure = free_port(), free_port()
    home = f"https://localhost:{secure}"
    data, certificate = tmp_path / "data", own_certificate(tmp_path)
    opened = serving(data, settings={"CAIRN_AUTH__SITE_URL": home})
    served = await asyncio.to_thread(opened.__enter__)
    try:
        async with front_door(clear, served.url), front_door(secure, served.url, certificate):
            context = await browser.new_context(ignore_https_errors=True)
            page = await context.new_page()
            await comes_in_the_clear(page, f"http://localhost:{clear}", home)
            await reads_the_claim(page)
            await signs_up(page, home)
            await context.close()
        with open_company(served) as company:
            await asyncio.to_thread(nothing_of_it_can_be_read, company, data)
    finally:
        await asyncio.to_thread(opened.__exit__, None, None, None)


async def comes_in_the_clear(page: Page, clear: str, home: str) -> None:
    for path in ("/signin", "/"):
        answer = await page.goto(clear + path)
        assert page.url == home + path
        assert answer is not None
        assert answer.headers["strict-transport-security"].startswith("max-age=63072000")
        assert "upgrade-insecure-requests" in answer.headers["content-security-policy"]


async def reads_the_claim(page: Page) -> None:
    await page.get_by_text("Is our data encrypted?").click()
    await expect(page.get_by_text("In transit and at rest. In production")).to_be_visible()
    await page.get_by_role("contentinfo").get_by_role("link", name="Security").click()
    await expect(page.get_by_role("heading", name="Encrypted in transit and at rest")).to_be_visible()
    await expect(
        page.get_by_text("The deployment guide requires an encrypted volume for the database.")
    ).to_be_visible()


async def signs_up(page: Page, home: str) -> None:
    """Everything on the way in goes over https, the open line too."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda line: asked.append(line.url.replace("wss://", "https://")))
    await page.goto(f"{home}/signup")
    await page.get_by_label("Full Name").fill("Rosa Marín")
    await page.get_by_label("Email").fill(f"rosa.{uuid4().hex}@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Create account").click()
    await page.wait_for_url("**/dashboard")
    await expect(page.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()
    assert [url for url in asked if not url.startswith((f"{home}/", "data:", "blob:"))] == []


def nothing_of_it_can_be_read(company: Company, data: Path) -> None:
    """Neither a provider's key nor a sealed document, in any file of the data folder, the database's among them."""
    key = f"SG.{uuid4().hex}"
    chosen = {"provider": "sendgrid", "apiKey": key}
    company.client.post(
        "/functions/v1/save-email-configuration", json=chosen, headers=company.headers
    ).raise_for_status()
    document = sealed(company)
    files = [file.read_bytes() for file in data.rglob("*") if file.is_file()]

    def lies_open(words: bytes) -> bool:
        return any(words in file for file in files)

    assert document.startswith(b"%PDF")
    assert lies_open(company.email.encode()), "what is not encrypted would be found"
    assert not lies_open(key.encode())
    assert not lies_open(document[:100])
    assert not lies_open(document[-100:])


def sealed(company: Company) -> bytes:
    """The document of a waiver that is signed now, when the worker has made it."""
    session = company.send("Gil Okafor")
    company.signs(session, "Gil Okafor")
    signed = company.client.get(f"/rest/v1/signed_waivers?session_id=eq.{session}", headers=company.headers)
    wanted = {"waiver_id": signed.json()[0]["id"]}
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        answer = company.client.post("/functions/v1/waiver-document", json=wanted, headers=company.headers)
        if answer.status_code == 200:
            return answer.content
        time.sleep(0.05)
    raise AssertionError("the document was not made")
