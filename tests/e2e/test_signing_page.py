"""Tests the size and accessibility of the signing page, its QR code, and filled-in interactive forms."""

import gzip
import re
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import httpx
import pytest
from playwright.async_api import FilePayload, Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import Company
from tests.e2e.conftest import DESKTOP, PHONE, Deployment
from tests.e2e.guest import (
    click_sign,
    create_session,
    database_connection,
    draw_with_mouse,
    expect_signed,
    fill_in,
    open_new_session,
    signing_path,
    stored_waivers,
)
from tests.factories import SAMPLE_TEMPLATE_ID
from tests.filled_form import fill_in_pdf

KILOBYTE = 1024


@pytest.mark.parametrize(
    "template_id", [SAMPLE_TEMPLATE_ID, "template-photography-release", "template-medical-emergency-authorization"]
)
async def test_the_signing_page_is_small(deployment: Deployment, template_id: str) -> None:
    async with (
        httpx.AsyncClient(base_url=deployment.url) as client,
        client.stream("GET", f"/waivers/sign/{template_id}", headers={"accept-encoding": "gzip"}) as response,
    ):
        compressed_page = b"".join([chunk async for chunk in response.aiter_raw()])

    script = re.search(r'<script type="module">(.*?)</script>', gzip.decompress(compressed_page).decode(), re.DOTALL)
    assert script is not None
    assert len(compressed_page) <= 30 * KILOBYTE
    assert len(gzip.compress(script[1].encode(), 6)) <= 20 * KILOBYTE


async def test_the_signing_page_is_loaded_with_one_request(deployment: Deployment, phone: Page) -> None:
    requested_urls: list[str] = []
    phone.on("request", lambda request: requested_urls.append(request.url) if request.method == "GET" else None)
    session_id = await create_session(deployment)

    await phone.goto(signing_path(session_id), wait_until="networkidle")

    assert requested_urls == [deployment.url + signing_path(session_id)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_signing_page_has_no_accessibility_violations(
    deployment: Deployment, desktop: Page, scheme: str, screen: dict[str, int]
) -> None:
    await desktop.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    await desktop.set_viewport_size({"width": screen["width"], "height": screen["height"]})
    expired_session = await create_session(deployment, expires_at=datetime.now(UTC) - timedelta(days=1))

    await desktop.goto(signing_path(await create_session(deployment)))
    await click_sign(desktop)
    await expect(desktop.get_by_role("alert")).to_be_visible()
    assert await axe_violations(desktop) == []
    await desktop.get_by_role("radio", name="Type").check()
    await desktop.get_by_label("Type your name as your signature").fill("Gil")
    assert await axe_violations(desktop) == []
    for path in (signing_path(expired_session), signing_path(uuid4())):
        await desktop.goto(path)
        assert await axe_violations(desktop) == []


async def test_a_desktop_offers_a_qr_code_to_sign_on_a_phone(
    deployment: Deployment, desktop: Page, phone: Page
) -> None:
    session_id = await open_new_session(deployment, desktop)
    qr_code = desktop.get_by_role("img", name="QR code that opens this waiver")
    await expect(qr_code).to_be_hidden()
    await desktop.get_by_text("Sign on your phone instead").click()
    await expect(qr_code).to_be_visible()
    await expect(qr_code).to_have_js_property("complete", True)
    assert await qr_code.evaluate("(image) => image.naturalWidth") > 0

    await phone.goto(signing_path(session_id))

    await expect(phone.get_by_text("Sign on your phone instead")).to_be_hidden()


async def test_a_filled_in_interactive_form_fills_in_the_page_but_does_not_sign(
    deployment: Deployment, desktop: Page, company: Company
) -> None:
    session_id = UUID(company.send_to("Zofie"))
    form = await fetch_interactive_form(deployment, session_id)
    await desktop.goto(signing_path(session_id))

    await desktop.get_by_text("Filled in the PDF already?").click()
    await choose_file(desktop, b"a holiday picture")
    await expect(desktop.get_by_text("This is not a waiver form that can be read.")).to_be_visible()
    await choose_file(desktop, fill_in_pdf(form, name="Žofie Дмитриева", email="zofie@example.com"))
    await expect(desktop.get_by_label("Your Name")).to_have_value("Žofie Дмитриева")
    await expect(desktop.get_by_label("Your Email")).to_have_value("zofie@example.com")
    await desktop.get_by_role("checkbox").check()
    await click_sign(desktop)
    await expect(desktop.get_by_role("alert")).to_have_text("Name, email and signature are required.")
    assert await stored_waivers(deployment, session_id) == []
    await draw_with_mouse(desktop)
    await click_sign(desktop)

    await desktop.get_by_role("button", name="Email me a copy").click()
    await expect(desktop.get_by_text("Your copy was sent to zofie@example.com.")).to_be_visible()
    [email] = [email for email in deployment.mail_server.emails if email["To"] == "zofie@example.com"]
    assert [part.get_content_type() for part in email.iter_attachments()] == ["application/pdf"]
    assert [waiver.name for waiver in await stored_waivers(deployment, session_id)] == ["Žofie Дмитриева"]


async def fetch_interactive_form(deployment: Deployment, session_id: UUID) -> bytes:
    headers = {"apikey": deployment.server.service_key, "Authorization": f"Bearer {deployment.server.service_key}"}
    async with httpx.AsyncClient(base_url=deployment.url, headers=headers) as client:
        return (await client.post("/functions/v1/waiver-form", json={"session_id": str(session_id)})).content


async def choose_file(page: Page, content: bytes) -> None:
    file = FilePayload(name="waiver.pdf", mimeType="application/pdf", buffer=content)
    await page.get_by_label("Your filled PDF").set_input_files(file)


@pytest.mark.accept("SIGN-19")
async def test_a_sample_that_a_guest_signs_on_the_device_of_a_company_becomes_its_waiver(
    deployment: Deployment, desktop: Page
) -> None:
    company_id = await register_and_sign_in(deployment, desktop)
    await desktop.goto(f"/waivers/sign/{SAMPLE_TEMPLATE_ID}")
    await expect(desktop.get_by_role("region", name="Waiver text")).to_contain_text("Cañón Tours")
    await fill_in(desktop)

    await click_sign(desktop)
    await expect_signed(desktop)

    async with database_connection(deployment) as connection:
        signed_in_company = await connection.fetchval(
            """
            -- The audit event names the company that was signed in while the guest signed.
            select a.details ->> 'by_company' from waivers.signed w
              join waivers.audit_events a on a.session_id = w.session_id and a.name = 'waiver.signed'
             where w.company_id = $1
            """,
            company_id,
        )
    assert signed_in_company == str(company_id), "the audit history names the company that was signed in"


async def register_and_sign_in(deployment: Deployment, page: Page) -> UUID:
    """Signs in as a new company and returns the id of the company."""
    account = {"email": f"rosa.{uuid4().hex}@example.com", "password": "nine rapids before noon"}
    headers = {"apikey": deployment.server.anon_key}
    async with httpx.AsyncClient(base_url=deployment.url, headers=headers, timeout=20) as client:
        response = await client.post("/auth/v1/signup", json={**account, "data": {"role": "company", "name": "Rosa"}})
        headers = {"Authorization": f"Bearer {response.json()['access_token']}", "Prefer": "return=representation"}
        response = await client.patch("/rest/v1/companies?name=eq.", json={"name": "Cañón Tours"}, headers=headers)
    await page.goto("/signin")
    await page.get_by_label("Email").fill(account["email"])
    await page.get_by_label("Password").fill(account["password"])
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.wait_for_url("**/dashboard")
    return UUID(response.json()[0]["id"])
