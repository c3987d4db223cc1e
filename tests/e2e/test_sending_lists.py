"""A company sends a waiver to the guests of a CSV file, fixes rows, and loses the connection meanwhile."""

from uuid import uuid4

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import Deployment

SEND_EMAIL = "**/functions/v1/send-email"


async def open_list_page(page: Page, company: Company) -> None:
    await open_signed_in(page, company, "/dashboard/waivers")
    await page.get_by_role("button", name="More for General Liability Waiver").click()
    await page.get_by_role("menuitem", name="Send to a list").click()
    await expect(page.get_by_role("heading", name="Send to a List")).to_be_visible()
    await expect(page).to_have_title("Send to a List · Cairn")


async def choose_file(page: Page, domain: str) -> None:
    rows = [
        "Nombre;Apellidos;Correo",
        f"José;Ibáñez;JOSE@{domain}",
        f"Noor;Haddad;noor@{domain},",
        f"Ana;Ortiz;ana{domain}",
    ]
    rows += [f"Gil;Moreau;gil@{domain}", f"Gil;Moreau;Gil@{domain}"]
    content = "\r\n".join(rows).encode("windows-1252")
    await page.get_by_label("CSV file").set_input_files(
        {"name": "guests.csv", "mimeType": "text/csv", "buffer": content}
    )
    await expect(page.get_by_role("heading", name="Preview")).to_be_visible()


async def fix_row(page: Page, domain: str) -> None:
    await expect(page.get_by_text("The @ sign is missing.")).to_be_visible()
    await expect(page.get_by_text("The same person as in row 5.")).to_be_visible()
    await page.get_by_role("button", name="Fix Ana Ortiz").click()
    await page.get_by_role("form", name="Row 4").get_by_label("Email").fill(f" Ana@{domain} ")
    await page.get_by_role("button", name="Save row").click()
    await expect(page.get_by_role("listitem").filter(has_text=f"ana@{domain}")).to_be_visible()
    await expect(page.get_by_text("4 of 5 people will get the waiver. 1 is listed twice.")).to_be_visible()


async def assert_accessible(page: Page) -> None:
    assert await axe_violations_in_both_themes(page) == []
    # A page on a phone that is too wide is zoomed out, so it is compared with the screen.
    assert await page.evaluate("document.documentElement.scrollWidth <= Math.min(innerWidth, screen.width)")


async def assert_fits_on_every_width(page: Page) -> None:
    for width in (320, 390, 768, 1024, 1280):
        await page.set_viewport_size({"width": width, "height": 800})
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"at {width}"


async def lose_response(route: Route) -> None:
    """The server gets the request, but the browser gets no response."""
    await route.fetch()
    await route.abort()


@pytest.mark.accept("APP-40", "APP-42")
async def test_a_list_is_sent_once_to_each_guest_although_the_connection_is_lost(
    deployment: Deployment, company: Company, desktop: Page
) -> None:
    await send_list(deployment, company, desktop)
    await desktop.go_back()
    await expect(desktop.get_by_role("heading", name="Sent to 4 people")).to_be_visible()
    await assert_fits_on_every_width(desktop)


@pytest.mark.accept("APP-40", "APP-42")
async def test_a_list_is_sent_from_a_phone(deployment: Deployment, company: Company, phone: Page) -> None:
    await send_list(deployment, company, phone)


async def send_list(deployment: Deployment, company: Company, page: Page) -> None:
    domain = f"{uuid4().hex}.example"
    await open_list_page(page, company)
    await assert_accessible(page)
    await choose_file(page, domain)
    await fix_row(page, domain)
    await assert_accessible(page)

    await page.route(SEND_EMAIL, lose_response)
    await page.get_by_role("button", name="Send to 4 people").click()
    await expect(page.get_by_role("button", name="Continue")).to_be_visible()
    await assert_accessible(page)
    await page.unroute(SEND_EMAIL)
    await page.reload()
    await page.get_by_role("button", name="Continue").click()

    await expect(page.get_by_role("heading", name="Sent to 4 people")).to_be_visible()
    recipients = [email["To"] for email in deployment.mail_server.emails if domain in email["To"]]
    assert sorted(recipients) == [f"{name}@{domain}" for name in ("ana", "gil", "jose", "noor")]
    await expect(page.get_by_role("list", name="1 row was not sent")).to_contain_text("The same person as in row 5.")
    await assert_accessible(page)
    await page.get_by_role("link", name="Open the waiver of José Ibáñez").click()
    await expect(page.get_by_role("heading", name="José Ibáñez")).to_be_visible()


@pytest.mark.accept("APP-42")
async def test_a_guest_whose_mail_server_refuses_the_email_is_corrected(
    deployment: Deployment, company: Company, desktop: Page
) -> None:
    domain = f"{uuid4().hex}.example"
    await open_list_page(desktop, company)
    await desktop.get_by_label("Recipients").fill(f"Noor Haddad,nor@{domain}")
    await desktop.get_by_role("button", name="Show preview").click()
    await expect(desktop.get_by_role("heading", name="Preview")).to_be_visible()
    await assert_fits_on_every_width(desktop)
    deployment.mail_server.recipient_reply = "550 5.1.1 No such mailbox"
    try:
        await desktop.get_by_role("button", name="Send to 1 person").click()
        await expect(desktop.get_by_text("No such mailbox")).to_be_visible()
    finally:
        deployment.mail_server.recipient_reply = "250 OK"
    await assert_accessible(desktop)

    await desktop.get_by_role("button", name="Fix Noor Haddad").click()
    await desktop.get_by_role("form", name="Row 1").get_by_label("Email").fill(f"noor@{domain}")
    await desktop.get_by_role("button", name="Save and send").click()

    await expect(desktop.get_by_role("heading", name="Sent to 1 person")).to_be_visible()
    await deployment.wait_for_signing_link(f"noor@{domain}")
    query = {"select": "recipient_email,status", "recipient_email": f"like.*@{domain}", "order": "recipient_email"}
    sessions = company.client.get("/rest/v1/waiver_sessions", params=query, headers=company.headers).json()
    assert sessions == [
        {"recipient_email": f"noor@{domain}", "status": "pending"},
        {"recipient_email": f"nor@{domain}", "status": "cancelled"},
    ]
