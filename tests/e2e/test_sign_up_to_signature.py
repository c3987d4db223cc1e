"""A company signs up, sends a waiver and receives it signed, with its sealed document."""

import asyncio
import hashlib
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pikepdf
import pytest
from playwright.async_api import FilePayload, Locator, Page, expect

from tests.e2e.company import confirm_as_operator, fill_in_recipient, wait_for_subscriptions, watch_subscriptions
from tests.e2e.conftest import Deployment
from tests.e2e.guest import database_connection, draw_with_mouse
from tests.mail_server import html_body, plain_body
from tests.waivers.documents.tools import pdftotext

MESSAGE = "See you on Saturday!"


@pytest.mark.accept(
    "AUTHUI-20", "DASH-18", "TPL-20", "MAIL-15", "MAIL-16", "MAIL-17", "SIGN-10", "MGMT-13", "MGMT-08", "DASH-16"
)
async def test_a_company_signs_up_sends_a_waiver_and_sees_it_signed(
    deployment: Deployment, desktop_with_service_worker: Page, phone: Page, tmp_path: Path
) -> None:
    desktop = desktop_with_service_worker
    await sign_up(deployment, desktop)
    await enter_company_name(desktop)
    await create_template(desktop)
    await send_waiver(desktop)

    link = link_in_invitation(deployment)
    subscriptions = watch_subscriptions(desktop)
    await desktop.goto("/dashboard")
    await expect(desktop.get_by_role("table", name="Recent Waivers")).to_contain_text("pending", ignore_case=True)
    await wait_for_subscriptions(subscriptions)
    document = await read_and_sign(phone, link)

    await expect_signature_on_dashboard(desktop)
    await expect_same_download_everywhere(desktop, document)
    await expect_document_matches_record(deployment, document, tmp_path)
    await verify_document(phone, document)


async def sign_up(deployment: Deployment, desktop: Page) -> None:
    await desktop.goto("/")
    await desktop.get_by_role("link", name="Try it Free").first.click()
    await expect(desktop.get_by_role("heading", name="Get started with Cairn")).to_be_visible()
    await desktop.get_by_label("Full Name").fill("Rosa Marín")
    await desktop.get_by_label("Email").fill(f"rosa.{uuid4().hex}@example.com")
    await desktop.get_by_label("Password").fill("a long walk by the river")
    await desktop.get_by_role("button", name="Create account").click()
    await desktop.wait_for_url("**/dashboard")
    await expect(desktop.get_by_text("No waiver data available")).to_be_visible()
    # Only a company with a confirmed address can add a message to an email.
    stored_session = json.loads(await desktop.evaluate("localStorage.getItem('sb-cairn-auth-token')"))
    await asyncio.to_thread(confirm_as_operator, deployment.server, stored_session["user"]["id"])


async def enter_company_name(desktop: Page) -> None:
    await desktop.get_by_label("Company name").fill("Rio Rafting")
    await desktop.get_by_label("Company name").press("Enter")
    await expect(desktop.get_by_label("Company name")).to_be_hidden()


async def create_template(desktop: Page) -> None:
    await desktop.get_by_role("link", name="Add/Edit Waivers").first.click()
    await desktop.get_by_role("button", name="Create Waiver").click()
    dialog = desktop.get_by_role("dialog", name="Create New Waiver Template")
    await dialog.get_by_label("Template Name").fill("River trip")
    await dialog.get_by_label("Description").fill("A day on the water")
    await dialog.get_by_label("Waiver Content").fill(
        "# Before we go\n\nI, [PARTICIPANT NAME], know that rivers are wet.\n\n"
        "- I wear the vest [COMPANY NAME] gives me."
    )
    await dialog.get_by_role("button", name=re.compile("Create|Save")).click()
    await expect(desktop.get_by_role("button", name="Send River trip")).to_be_visible()


async def send_waiver(desktop: Page) -> None:
    await desktop.get_by_role("button", name="Send River trip").click()
    dialog = desktop.get_by_role("dialog", name="Send Waiver")
    await fill_in_recipient(dialog, "Gil Okafor", "gil@example.com")
    await dialog.get_by_label("Email Message").fill(MESSAGE)
    await dialog.get_by_role("button", name="Send Waiver").click()
    await expect(desktop.get_by_text("Waiver Sent Successfully").first).to_be_visible()
    await expect(desktop.get_by_text("Your email has been sent successfully!")).to_be_visible()
    await desktop.wait_for_url("**/sent-waivers")


def link_in_invitation(deployment: Deployment) -> str:
    # Other tests also send emails about a "River trip".
    [email] = [
        email
        for email in deployment.mail_server.emails
        if "River trip" in email["Subject"] and MESSAGE in plain_body(email)
    ]
    assert email["To"] == "gil@example.com"
    assert email["Subject"] == "Please sign: River trip Waiver"
    assert "Hi Gil," in plain_body(email)
    link = re.search(rf"{re.escape(deployment.url)}/waivers/sign/session/[0-9a-f-]{{36}}", plain_body(email))
    assert link is not None
    assert f'href="{link[0]}"' in html_body(email)
    return link[0]


async def read_and_sign(phone: Page, link: str) -> bytes:
    await phone.goto(link)
    await expect(phone.get_by_role("heading", name="River trip")).to_be_visible()
    await expect(phone.get_by_role("region", name="Waiver text")).to_contain_text(
        "I, Gil Okafor, know that rivers are wet."
    )
    await expect(phone.get_by_role("region", name="Waiver text")).to_contain_text("the vest Rio Rafting gives me")
    await expect(phone.get_by_label("Your Email")).to_have_value("gil@example.com")
    await draw_with_mouse(phone)
    await expect(phone.get_by_role("checkbox")).not_to_be_checked()
    await phone.get_by_role("checkbox", name=re.compile("sign this waiver electronically")).check()
    await phone.get_by_role("button", name="Sign Waiver").click()
    document = await download(phone, phone.get_by_role("button", name="Download your copy"))
    await expect(phone.get_by_role("heading", name="Waiver signed")).to_be_visible()
    return document


async def download(page: Page, button: Locator) -> bytes:
    async with page.expect_download() as download_info:
        await button.click()
    file = await download_info.value
    return await asyncio.to_thread(Path(await file.path()).read_bytes)


async def expect_signature_on_dashboard(desktop: Page) -> None:
    """Expects the new signature without a reload."""
    await expect(desktop.get_by_text("Gil Okafor has signed a waiver: River trip").first).to_be_visible()
    row = desktop.get_by_role("table", name="Recent Waivers").get_by_role("row").nth(1)
    await expect(row).to_contain_text("signed", ignore_case=True)
    await expect(row).to_contain_text("Gil Okafor")
    await expect(row).to_contain_text(datetime.now(UTC).strftime("%Y-%m-%d"))
    await expect(desktop.get_by_role("button", name=re.compile("Notifications.*1"))).to_be_visible()
    await desktop.get_by_role("button", name=re.compile("Notifications")).click()
    await expect(desktop.get_by_role("dialog", name="Notifications")).to_contain_text("New Waiver Signed")
    await desktop.keyboard.press("Escape")
    await desktop.get_by_role("button", name="View waiver of Gil Okafor").click()
    await expect(desktop.get_by_role("dialog")).to_contain_text("I, Gil Okafor, know that rivers are wet.")


async def expect_same_download_everywhere(desktop: Page, document: bytes) -> None:
    """Expects that the dialog and the list of waivers offer the same document as the signer's phone."""
    dialog = desktop.get_by_role("dialog", name="River trip")
    assert await download(desktop, dialog.get_by_role("button", name="Download PDF")) == document
    await expect(desktop.get_by_text("PDF Downloaded", exact=True)).to_be_visible()
    await dialog.get_by_role("button", name="Close").click()
    await desktop.get_by_role("link", name="Waiver Management").click()
    assert await download(desktop, desktop.get_by_role("button", name="Download waiver of Gil Okafor")) == document


async def expect_document_matches_record(deployment: Deployment, document: bytes, folder: Path) -> None:
    """Expects that the record has the document's hash, and that the document shows the fields of the record."""
    async with database_connection(deployment) as connection:
        record = await connection.fetchrow(
            "select session_id, signed_at from waivers.signed where document_sha256 = $1",
            hashlib.sha256(document).hexdigest(),
        )
    assert record is not None
    file = folder / "waiver.pdf"
    file.write_bytes(document)
    text = await asyncio.to_thread(pdftotext, file)
    for expected in (
        "I, Gil Okafor, know that rivers are wet.", "gil@example.com", str(record["session_id"]),
        f"{record['signed_at']:%Y-%m-%d %H:%M:%S} UTC",
    ):  # fmt: skip
        assert expected in text
    with pikepdf.open(file) as pdf:
        assert any(page.get_images() for page in pdf.pages), "the document shows the signature"


async def verify_document(phone: Page, document: bytes) -> None:
    """Verifies the printed link, the file and a changed file, without an account."""
    await phone.goto(printed_link(document))
    await expect(phone.get_by_role("heading", name="This waiver is on record")).to_be_visible()
    await choose_file(phone, document)
    await expect(phone.get_by_role("heading", name="Sealed and unchanged")).to_be_visible()
    await expect(phone.get_by_role("main")).to_contain_text(hashlib.sha256(document).hexdigest())
    await expect(phone.get_by_role("main")).not_to_contain_text("Rio Rafting")
    await choose_file(phone, document + b"\n% one more line")
    await expect(phone.get_by_role("heading", name="This document was changed")).to_be_visible()


def printed_link(pdf: bytes) -> str:
    """Returns the link to the verification page that the document contains."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        targets = [
            str(annotation.A.URI)
            for page in document.pages
            for annotation in page.get("/Annots", [])
            if "/A" in annotation
        ]
    [link] = {target for target in targets if "/verify" in target}
    return link


async def choose_file(page: Page, pdf: bytes) -> None:
    file = FilePayload(name="waiver.pdf", mimeType="application/pdf", buffer=pdf)
    await page.get_by_label("Choose a PDF").set_input_files(file)
