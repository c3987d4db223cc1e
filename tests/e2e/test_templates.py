"""A company writes, revises and sends its templates, and has a waiver signed in person."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

import httpx
import pikepdf
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import store_session
from tests.e2e.conftest import Deployment
from tests.e2e.fault_proxy import FaultProxy
from tests.e2e.faults import revoked
from tests.e2e.guest import draw_with_mouse, expect_signed
from tests.e2e.test_sign_up_to_signature import download
from tests.mail_server import plain_body

CONTENT = "# River\n\nI, [PARTICIPANT NAME], ride with [COMPANY NAME]."
REFUSED = "The mail server answered 550: No such person"


@dataclass(frozen=True, slots=True)
class Rio:
    """Rio Rafting, as a client of the API."""

    client: httpx.Client
    session: dict[str, Any]

    def create_template(self, **fields: str) -> str:
        row = {"name": "Gorge trip", "description": "A day on the water", "content": CONTENT, **fields}
        response = self.client.post("/rest/v1/waiver_templates", json=row).raise_for_status()
        return str(response.json()[0]["id"])

    def rows(self, path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.client.get(f"/rest/v1/{path}").raise_for_status().json()
        return found


@pytest.fixture
def rio(deployment: Deployment) -> Iterator[Rio]:
    with httpx.Client(base_url=deployment.url, headers={"apikey": deployment.server.anon_key}, timeout=20) as client:
        yield register_rio_rafting(client)


def register_rio_rafting(client: httpx.Client) -> Rio:
    account = {
        "email": f"rosa.{uuid4().hex}@example.com",
        "password": "a long walk by the river",
        "data": {"name": "Rosa Marín", "role": "company"},
    }
    session = client.post("/auth/v1/signup", json=account).raise_for_status().json()
    client.headers.update({"Authorization": f"Bearer {session['access_token']}", "Prefer": "return=representation"})
    client.patch("/rest/v1/companies?name=eq.", json={"name": "Rio Rafting"}).raise_for_status()
    return Rio(client, session)


async def open_dashboard(page: Page, rio: Rio, path: str = "/dashboard/waivers") -> None:
    """Opens the path in a browser that still has a session."""
    await store_session(page, rio.session)
    await page.goto(path)


async def choose_action(page: Page, template: str, action: str) -> None:
    await page.get_by_role("button", name=f"More for {template}").click()
    await page.get_by_role("menuitem", name=action).click()


async def fill_in_recipient(dialog: Locator, first: str, last: str, email: str) -> None:
    await dialog.get_by_label("First Name").fill(first)
    await dialog.get_by_label("Last Name").fill(last)
    await dialog.get_by_label("Recipient Email").fill(email)


@pytest.mark.accept("TPL-11", "TPL-12")
async def test_an_open_session_keeps_its_version_when_the_template_is_revised(
    rio: Rio, desktop: Page, phone: Page
) -> None:
    await open_dashboard(desktop, rio)
    await copy_sample(desktop, rio)
    session = send(rio, "Gorge trip")
    await phone.goto(f"/waivers/sign/session/{session}")
    await expect(phone.get_by_role("region", name="Waiver text")).to_contain_text("rivers are wet")

    await revise(desktop)

    await phone.reload()
    await phone.get_by_label("Your Name").fill("Gil Okafor")
    await draw_with_mouse(phone)
    await phone.get_by_role("checkbox").check()
    await phone.get_by_role("button", name="Sign Waiver").click()
    await expect_signed(phone)
    [signed] = rio.rows("signed_waivers?select=content,template_version")
    assert signed == {"content": "I, Gil Okafor, know that rivers are wet.", "template_version": 1}
    await restore_first_version(desktop, rio)


async def copy_sample(desktop: Page, rio: Rio) -> None:
    await desktop.get_by_role("button", name="View General Liability Waiver").click()
    dialog = desktop.get_by_role("dialog", name="Waiver Template Details")
    await dialog.get_by_role("button", name="Edit").click()
    await dialog.get_by_label("Template Name").fill("Gorge trip")
    await dialog.get_by_label("Waiver Content").fill("I, [PARTICIPANT NAME], know that rivers are wet.")
    await dialog.get_by_role("button", name="Save Changes").click()
    await expect(desktop.get_by_role("button", name="View Gorge trip")).to_be_visible()
    await expect(desktop.get_by_role("button", name="View General Liability Waiver")).to_be_visible()
    [own] = rio.rows("waiver_templates?select=id,company_id&company_id=not.is.null")
    [sample] = rio.rows("waiver_templates?select=name,content&id=eq.template-general-liability")
    assert own["id"] != "template-general-liability"
    assert sample["name"] == "General Liability Waiver"
    assert "rivers are wet" not in sample["content"]


def send(rio: Rio, name: str) -> str:
    [template] = rio.rows(f"waiver_templates?select=id,content&name=eq.{name}")
    row = {"template_id": template["id"], "template_content": template["content"], "recipient_name": "Gil"}
    row |= {"recipient_email": "gil@example.com"}
    return str(rio.client.post("/rest/v1/waiver_sessions", json=row).raise_for_status().json()[0]["id"])


async def revise(desktop: Page) -> None:
    """With keyboard shortcuts, a reload, the preview and the toolbar."""
    await desktop.get_by_role("button", name="View Gorge trip").click()
    dialog = desktop.get_by_role("dialog", name="Waiver Template Details")
    await dialog.get_by_role("button", name="Edit").click()
    content = dialog.get_by_label("Waiver Content")
    await content.fill("rivers are deep")
    await content.press("Control+a")
    await content.press("Control+b")
    await desktop.reload()
    await desktop.get_by_role("button", name="View Gorge trip").click()
    await dialog.get_by_role("button", name="Continue editing").click()
    await expect(content).to_have_value("**rivers are deep**")
    await expect(dialog.get_by_role("region", name="Preview").locator("strong")).to_have_text("rivers are deep")
    await content.press("End")
    await dialog.get_by_role("button", name="Insert [COMPANY NAME]").click()
    await content.press("Control+z")
    await expect(content).to_have_value("**rivers are deep**")
    await dialog.get_by_role("button", name="Save Changes").click()
    await expect(dialog).to_be_hidden()


async def restore_first_version(desktop: Page, rio: Rio) -> None:
    await desktop.get_by_role("button", name="View Gorge trip").click()
    await desktop.get_by_role("button", name="Version 2 · History").click()
    await expect(desktop.get_by_role("list", name="Versions, newest first")).to_contain_text("by Rosa Marín")
    await desktop.get_by_role("button", name="Restore version 1").click()
    await expect(desktop.get_by_text("Version 1 restored", exact=True)).to_be_visible()
    versions = rio.rows("waiver_template_versions?select=version,content&template_id=like.tpl-*&order=version")
    wet = "I, [PARTICIPANT NAME], know that rivers are wet."
    assert [row["content"] for row in versions] == [wet, "**rivers are deep**", wet]


@pytest.mark.accept("TPL-13", "TPL-14", "TPL-24", "TPL-25", "TPL-26", "TPL-27", "ERR-09", "ERR-10")
async def test_a_guest_signs_in_person_and_errors_while_opening_are_shown(
    deployment: Deployment, rio: Rio, proxy: FaultProxy, desktop_behind_proxy: Page
) -> None:
    template = rio.create_template()
    await open_dashboard(desktop_behind_proxy, rio)

    await choose_action(desktop_behind_proxy, "Gorge trip", "Sign on this device")
    await sign_in_dialog(desktop_behind_proxy, rio, proxy)
    await open_by_address(desktop_behind_proxy, rio)
    await expect_connection_error(desktop_behind_proxy, proxy, template)
    await expect_refusal(desktop_behind_proxy, deployment, template)


async def sign_in_dialog(desktop: Page, rio: Rio, proxy: FaultProxy) -> None:
    dialog = desktop.get_by_role("dialog", name="Sign Waiver")
    [session] = await rows_once_dialog_is_open(desktop, rio, "waiver_sessions?select=id&status=eq.pending")
    await expect(dialog).to_contain_text(f"Session {session['id'][:8]}")
    await expect(desktop).to_have_url(re.compile(rf"\?sign={session['id']}$"))
    await dialog.get_by_label("Your Name").fill("Gil Okafor")
    await dialog.get_by_label("Your Email").fill("gil@example.com")
    await expect(dialog.get_by_role("region", name="Waiver text")).to_contain_text(
        "I, Gil Okafor, ride with Rio Rafting."
    )
    pad = dialog.get_by_role("img", name=re.compile("^Signature pad"))
    box = await pad.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (600, 200)
    await draw_with_mouse(desktop)
    await dialog.get_by_role("checkbox").check()
    async with proxy.hold_requests("POST /rest/v1/signed_waivers"):
        await dialog.get_by_role("button", name="Sign Waiver").click()
        await expect(dialog.get_by_role("button", name="Signing...")).to_be_visible()
    await expect(dialog).to_be_hidden()
    await expect(desktop).to_have_url(re.compile("/dashboard/waivers$"))
    [signed] = rio.rows("signed_waivers?select=signer_name,content,template_version,consent_version,scroll_depth")
    assert signed["content"] == "# River\n\nI, Gil Okafor, ride with Rio Rafting."
    assert (signed["template_version"], signed["scroll_depth"]) == (1, 100)
    assert signed["consent_version"] is not None


async def rows_once_dialog_is_open(desktop: Page, rio: Rio, path: str) -> list[dict[str, Any]]:
    await expect(desktop.get_by_label("Your Name")).to_be_visible()
    return rio.rows(path)


async def open_by_address(desktop: Page, rio: Rio) -> None:
    """`?sign=` opens a session or a sample by its id; closing the dialog removes the parameter."""
    session = send(rio, "Gorge trip")
    for value, text in [
        (session, f"Session {session[:8]}"),
        ("template-medical-emergency-authorization", "Medical Emergency Authorization · Session"),
    ]:
        await desktop.goto(f"/dashboard/waivers?sign={value}")
        dialog = desktop.get_by_role("dialog", name="Sign Waiver")
        await expect(dialog).to_contain_text(text)
        await dialog.get_by_role("button", name="Close").click()
        await expect(desktop).to_have_url(re.compile("/dashboard/waivers$"))
    await desktop.goto(f"/dashboard/waivers?sign={uuid4()}")
    await expect(desktop.get_by_text("Could not find the waiver session.", exact=True)).to_be_visible()


async def expect_connection_error(desktop: Page, proxy: FaultProxy, template: str) -> None:
    async with proxy.drop_requests("POST /rest/v1/waiver_sessions"):
        await choose_action(desktop, "Gorge trip", "Sign on this device")
        await expect(desktop.get_by_text("Something went wrong. Please try again.", exact=True)).to_be_visible()
    await desktop.wait_for_url(f"**/waivers/sign/{template}")
    await expect(desktop.get_by_role("heading", name="Gorge trip")).to_be_visible()


async def expect_refusal(desktop: Page, deployment: Deployment, template: str) -> None:
    """The database refuses a new session; the guest can still sign on the public page."""
    await desktop.goto("/dashboard/waivers")
    await expect(desktop.get_by_role("button", name="View Gorge trip")).to_be_visible()
    async with revoked(deployment.server, "insert", "public.waiver_sessions"):
        await choose_action(desktop, "Gorge trip", "Sign on this device")
        await expect(
            desktop.get_by_text("Could not create waiver session. Please try again.", exact=True)
        ).to_be_visible()
        await expect(desktop.get_by_text("Error", exact=True)).to_be_visible()
    await desktop.wait_for_url(f"**/waivers/sign/{template}")
    await expect(desktop.get_by_role("heading", name="Gorge trip")).to_be_visible()


@pytest.mark.accept("TPL-17", "TPL-18", "TPL-22", "TPL-23", "TPL-29", "MAIL-18", "ERR-29")
async def test_a_pdf_is_previewed_and_sent_again_after_the_mail_server_refused_it(
    deployment: Deployment, rio: Rio, desktop: Page, browser: Browser
) -> None:
    rio.create_template()
    await open_dashboard(desktop, rio)

    preview = await preview_pdf(desktop)
    deployment.mail_server.reply = "550 No such person"
    try:
        await send_pdf(desktop)
        await expect(desktop.get_by_text("Failed to Send PDF Waiver", exact=True)).to_be_visible(timeout=15_000)
        await expect(desktop.get_by_text(f"Error: {REFUSED}", exact=True)).to_be_visible()
    finally:
        deployment.mail_server.reply = "250 OK"
    await desktop.wait_for_url("**/dashboard/sent-waivers")
    await desktop.goto("/dashboard/waivers")
    await send_again(desktop)

    [email] = [email for email in deployment.mail_server.emails if "Bring a towel." in plain_body(email)]
    assert "Noor Haddad" in plain_body(email)
    assert "is attached as a PDF" in plain_body(email)
    [attached] = email.iter_attachments()
    assert layout(attached.get_content()) == layout(preview)
    await expect_sending_in_another_browser(browser, deployment, rio)


async def preview_pdf(desktop: Page) -> bytes:
    await desktop.get_by_role("button", name="Send PDF of Gorge trip").click()
    await desktop.get_by_role("button", name="Preview PDF Template").click()
    dialog = desktop.get_by_role("dialog", name="PDF Template Preview")
    await expect(dialog.get_by_title("PDF of Gorge trip")).to_be_visible()
    preview = await download(desktop, dialog.get_by_role("button", name="Download"))
    await dialog.get_by_role("button", name="Close").click()
    return preview


async def send_pdf(desktop: Page) -> None:
    dialog = desktop.get_by_role("dialog", name="Send Fillable PDF Waiver")
    await fill_in_recipient(dialog, "Noor", "Haddad", "noor@example.com")
    await dialog.get_by_label("Email Message").fill("Bring a towel.")
    await dialog.get_by_role("button", name="Send PDF").click()


async def send_again(desktop: Page) -> None:
    sent = desktop.get_by_role("region", name="Recently sent")
    await expect(sent).to_contain_text("Failed")
    await expect(sent).to_contain_text(REFUSED)
    await sent.get_by_role("button", name="Send again to Noor Haddad").click()
    await expect(desktop.get_by_text("PDF Waiver Sent Successfully", exact=True)).to_be_visible(timeout=15_000)
    await expect(sent).to_contain_text("Delivered")
    await expect(sent).not_to_contain_text("550")


def layout(pdf: bytes) -> list[object]:
    """The number of pages and the fields, which do not depend on the name that is filled in."""
    with pikepdf.open(io.BytesIO(pdf)) as form:
        fields = [(str(field.T), [float(side) for side in field.Rect]) for field in form.Root.AcroForm.Fields]
        assert {name for name, _ in fields} == {"name", "email", "date", "signature"}
        return [len(form.pages), fields]


async def expect_sending_in_another_browser(browser: Browser, deployment: Deployment, rio: Rio) -> None:
    other_browser = await browser.new_context(base_url=deployment.url)
    page = await other_browser.new_page()
    await open_dashboard(page, rio)
    sent = page.get_by_role("region", name="Recently sent")
    await expect(sent).to_contain_text("Noor Haddad")
    await page.evaluate("localStorage.clear()")
    await page.reload()
    await expect(sent).to_contain_text("Noor Haddad")
    [record] = await page.evaluate("JSON.parse(localStorage.getItem('sentWaivers'))")
    assert (record["status"], record["emailStatus"], record["sentAsPdf"]) == ("sent_pdf", "delivered", True)
    await other_browser.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_no_violations_on_the_page_or_in_its_dialogs(
    rio: Rio, desktop: Page, scheme: Literal["light", "dark"]
) -> None:
    """Light at the width of a desktop, dark at the width of a phone."""
    template = rio.create_template()
    rio.client.patch(f"/rest/v1/waiver_templates?id=eq.{template}", json={"content": f"{CONTENT}\n\n- wet"})
    await desktop.emulate_media(color_scheme=scheme)
    if scheme == "dark":
        await desktop.set_viewport_size({"width": 390, "height": 844})
    await open_dashboard(desktop, rio)
    await expect(desktop.get_by_role("button", name="View Gorge trip")).to_be_visible()
    assert await axe_violations(desktop) == []

    await desktop.get_by_role("button", name="View Gorge trip").click()
    await desktop.get_by_role("button", name="Version 2 · History").click()
    await desktop.get_by_role("button", name="Version 1", exact=True).click()
    assert await axe_violations(desktop) == []
    await desktop.get_by_role("button", name="Back", exact=True).click()
    await desktop.get_by_role("button", name="Edit").click()
    await desktop.get_by_label("Waiver Content").fill("I, [TOWN]")
    assert await axe_violations(desktop) == []
    await desktop.get_by_role("button", name="Close").click()

    await desktop.get_by_role("button", name="Send PDF of Gorge trip").click()
    await desktop.get_by_role("button", name="Send PDF", exact=True).click()
    assert await axe_violations(desktop) == []
    await desktop.goto(f"/dashboard/waivers?sign={template}")
    await expect(desktop.get_by_label("Your Name")).to_be_visible()
    assert await axe_violations(desktop) == []
