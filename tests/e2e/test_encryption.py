"""Data is encrypted in transit and at rest, behind reverse proxies with and without TLS."""

import asyncio
import time
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.close_context import close_context
from tests.e2e.company import PASSWORD, Company, registered_company
from tests.e2e.reverse_proxy import reverse_proxy
from tests.messaging.mail_providers import certificate_for
from tests.serving import free_port, serving_in_thread


@pytest.mark.accept("HOME-15")
async def test_data_is_encrypted_in_transit_and_at_rest(browser: Browser, tmp_path: Path) -> None:
    http_port, https_port = free_port(), free_port()
    https_url = f"https://localhost:{https_port}"
    data, certificate = tmp_path / "data", certificate_for("localhost", tmp_path)
    async with serving_in_thread(data, settings={"CAIRN_AUTH__SITE_URL": https_url}) as server:
        async with (
            reverse_proxy(http_port, server.url),
            reverse_proxy(https_port, server.url, certificate),
        ):
            # A service worker would download the whole app with a new encrypted connection for each file.
            context = await browser.new_context(ignore_https_errors=True, service_workers="block")
            page = await context.new_page()
            await expect_redirect_to_https(page, f"http://localhost:{http_port}", https_url)
            await expect_public_pages_mention_encryption(page)
            await sign_up_over_https(page, https_url)
            await close_context(context)
        with registered_company(server) as company:
            await asyncio.to_thread(expect_secrets_encrypted_on_disk, company, data)


async def expect_redirect_to_https(page: Page, http_url: str, https_url: str) -> None:
    for path in ("/signin", "/"):
        response = await page.goto(http_url + path)
        assert page.url == https_url + path
        assert response is not None
        assert response.headers["strict-transport-security"].startswith("max-age=63072000")
        assert "upgrade-insecure-requests" in response.headers["content-security-policy"]


async def expect_public_pages_mention_encryption(page: Page) -> None:
    await page.get_by_text("Is our data encrypted?").click()
    await expect(page.get_by_text("In transit and at rest. On a public address")).to_be_visible()
    await page.get_by_role("contentinfo").get_by_role("link", name="Security").click()
    await expect(page.get_by_role("heading", name="Encrypted in transit and at rest")).to_be_visible()
    await expect(
        page.get_by_text("The deployment guide requires an encrypted volume for the database.")
    ).to_be_visible()


async def sign_up_over_https(page: Page, https_url: str) -> None:
    """Signs up and checks that every request uses https and the websocket uses wss."""
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.on("websocket", lambda websocket: urls.append(websocket.url.replace("wss://", "https://")))
    await page.goto(f"{https_url}/signup")
    await page.get_by_label("Full Name").fill("Rosa Marín")
    await page.get_by_label("Email").fill(f"rosa.{uuid4().hex}@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Create account").click()
    await page.wait_for_url("**/dashboard")
    await expect(page.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()
    assert [url for url in urls if not url.startswith((f"{https_url}/", "data:", "blob:"))] == []


def expect_secrets_encrypted_on_disk(company: Company, data: Path) -> None:
    """Searches all files of the data folder, including the database, for a provider's key and a document."""
    api_key = f"SG.{uuid4().hex}"
    configuration = {"provider": "sendgrid", "apiKey": api_key}
    company.client.post(
        "/functions/v1/save-email-configuration", json=configuration, headers=company.headers
    ).raise_for_status()
    document = sign_and_download_document(company)
    files = [file.read_bytes() for file in data.rglob("*") if file.is_file()]

    def is_readable(content: bytes) -> bool:
        return any(content in file for file in files)

    assert document.startswith(b"%PDF")
    assert is_readable(company.email.encode()), "the search finds data that is not encrypted"
    assert not is_readable(api_key.encode())
    assert not is_readable(document[:100])
    assert not is_readable(document[-100:])


def sign_and_download_document(company: Company) -> bytes:
    """Signs a waiver and waits until the worker has rendered its document."""
    session_id = company.send_to("Gil Okafor")
    company.sign_as_guest(session_id, "Gil Okafor")
    waivers = company.client.get(f"/rest/v1/signed_waivers?session_id=eq.{session_id}", headers=company.headers)
    body = {"waiver_id": waivers.json()[0]["id"]}
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        response = company.client.post("/functions/v1/waiver-document", json=body, headers=company.headers)
        if response.status_code == 200:
            return response.content
        time.sleep(0.05)
    raise AssertionError("the document was not rendered")
