"""A company writes, revises and sends its templates, and lets a guest sign on its own device."""

import io
import re
from collections.abc import Iterator
from typing import Any, Literal
from uuid import uuid4

import httpx
import pikepdf
import pytest
from playwright.async_api import Browser, Page, expect

from cairn.kit import frozen_dataclass
from tests.e2e.accessibility import axe_violations
from tests.e2e.company import confirm_as_operator, fill_in_recipient, store_session
from tests.e2e.conftest import Deployment
from tests.e2e.fault_proxy import FaultProxy
from tests.e2e.faults import revoked_privilege
from tests.e2e.guest import draw_with_mouse, expect_signed
from tests.e2e.test_sign_up_to_signature import download
from tests.mail_server import plain_body

CONTENT = "# River\n\nI, [PARTICIPANT NAME], ride with [COMPANY NAME]."
MAIL_SERVER_ERROR = "Failed to send email: 550 (No such person)"


@frozen_dataclass
class RioRafting:
    """Calls the API as the company Rio Rafting."""

    client: httpx.Client
    session: dict[str, Any]

    def create_template(self, **fields: str) -> str:
        row = {"name": "Gorge trip", "description": "A day on the water", "content": CONTENT, **fields}
        response = self.client.post("/rest/v1/waiver_templates", json=row).raise_for_status()
        return str(response.json()[0]["id"])

    def fetch_rows(self, path: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.client.get(f"/rest/v1/{path}").raise_for_status().json()
        return rows


@pytest.fixture
def rio(deployment: Deployment) -> Iterator[RioRafting]:
    with httpx.Client(base_url=deployment.url, headers={"apikey": deployment.server.anon_key}, timeout=20) as client:
        rio = register_rio_rafting(client)
        confirm_as_operator(deployment.server, rio.session["user"]["id"])
        yield rio


def register_rio_rafting(client: httpx.Client) -> RioRafting:
    account = {
        "email": f"rosa.{uuid4().hex}@example.com",
        "password": "a long walk by the river",
        "data": {"name": "Rosa Marín", "role": "company"},
    }
    session = client.post("/auth/v1/signup", json=account).raise_for_status().json()
    client.headers.update({"Authorization": f"Bearer {session['access_token']}", "Prefer": "return=representation"})
    client.patch("/rest/v1/companies?name=eq.", json={"name": "Rio Rafting"}).raise_for_status()
    return RioRafting(client, session)


async def open_dashboard(page: Page, rio: RioRafting, path: str = "/dashboard/waivers") -> None:
    """Opens the path in a browser that is already signed in."""
    await store_session(page, rio.session)
    await page.goto(path)


async def choose_action(page: Page, template_name: str, action: str) -> None:
    await page.get_by_role("button", name=f"More for {template_name}").click()
    await page.get_by_role("menuitem", name=action).click()


@pytest.mark.accept("TPL-11", "TPL-12")
async def test_an_open_session_keeps_its_version_when_the_template_is_revised(
    rio: RioRafting, desktop: Page, phone: Page
) -> None:
    await open_dashboard(desktop, rio)
    await copy_sample(desktop, rio)
    session_id = create_session(rio, "Gorge trip")
    await phone.goto(f"/waivers/sign/session/{session_id}")
    await expect(phone.get_by_role("region", name="Waiver text")).to_contain_text("rivers are wet")

    await revise_template(desktop)

    await phone.reload()
    await phone.get_by_label("Your Name").fill("Gil Okafor")
    await draw_with_mouse(phone)
    await phone.get_by_role("checkbox").check()
    await phone.get_by_role("button", name="Sign Waiver").click()
    await expect_signed(phone)
    [waiver] = rio.fetch_rows("signed_waivers?select=content,template_version")
    assert waiver == {"content": "I, Gil Okafor, know that rivers are wet.", "template_version": 1}
    await restore_first_version(desktop, rio)


async def copy_sample(desktop: Page, rio: RioRafting) -> None:
    await desktop.get_by_role("button", name="View General Liability Waiver").click()
    dialog = desktop.get_by_role("dialog", name="Waiver Template Details")
    await dialog.get_by_role("button", name="Edit").click()
    await dialog.get_by_label("Template Name").fill("Gorge trip")
    await dialog.get_by_label("Waiver Content").fill("I, [PARTICIPANT NAME], know that rivers are wet.")
    await dialog.get_by_role("button", name="Save Changes").click()
    await expect(desktop.get_by_role("button", name="View Gorge trip")).to_be_visible()
    await expect(desktop.get_by_role("button", name="View General Liability Waiver")).to_be_visible()
    [own_template] = rio.fetch_rows("waiver_templates?select=id,company_id&company_id=not.is.null")
    [sample] = rio.fetch_rows("waiver_templates?select=name,content&id=eq.template-general-liability")
    assert own_template["id"] != "template-general-liability"
    assert sample["name"] == "General Liability Waiver"
    assert "rivers are wet" not in sample["content"]


def create_session(rio: RioRafting, template_name: str) -> str:
    [template] = rio.fetch_rows(f"waiver_templates?select=id,content&name=eq.{template_name}")
    row = {
        "template_id": template["id"],
        "template_content": template["content"],
        "recipient_name": "Gil",
        "recipient_email": "gil@example.com",
    }
    return str(rio.client.post("/rest/v1/waiver_sessions", json=row).raise_for_status().json()[0]["id"])


async def revise_template(desktop: Page) -> None:
    """Revises the template with keyboard shortcuts and the toolbar, and reloads the page before saving."""
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


async def restore_first_version(desktop: Page, rio: RioRafting) -> None:
    await desktop.get_by_role("button", name="View Gorge trip").click()
    await desktop.get_by_role("button", name="Version 2 · History").click()
    await expect(desktop.get_by_role("list", name="Versions, newest first")).to_contain_text("by Rosa Marín")
    await desktop.get_by_role("button", name="Restore version 1").click()
    await expect(desktop.get_by_text("Version 1 restored", exact=True)).to_be_visible()
    versions = rio.fetch_rows("waiver_template_versions?select=version,content&template_id=like.tpl-*&order=version")
    first_content = "I, [PARTICIPANT NAME], know that rivers are wet."
    assert [row["content"] for row in versions] == [first_content, "**rivers are deep**", first_content]


@pytest.mark.accept("TPL-13", "TPL-14", "TPL-24", "TPL-25", "TPL-26", "TPL-27", "ERR-09", "ERR-10", "APP-35")
async def test_a_guest_signs_in_person_and_errors_while_opening_the_dialog_are_shown(
    deployment: Deployment, rio: RioRafting, proxy: FaultProxy, desktop_behind_proxy: Page
) -> None:
    template_id = rio.create_template()
    await open_dashboard(desktop_behind_proxy, rio)

    await choose_action(desktop_behind_proxy, "Gorge trip", "Sign on this device")
    await sign_waiver_in_dialog(desktop_behind_proxy, rio, proxy)
    await expect_next_guest_and_leave_with_the_password(desktop_behind_proxy, rio)
    await open_dialog_by_url(desktop_behind_proxy, rio)
    await expect_connection_error(desktop_behind_proxy, proxy)
    await expect_database_error(desktop_behind_proxy, deployment, template_id)


async def sign_waiver_in_dialog(desktop: Page, rio: RioRafting, proxy: FaultProxy) -> None:
    dialog = desktop.get_by_role("dialog", name="Sign Waiver")
    await desktop.get_by_role("button", name="Start signing").click()
    await expect(desktop.get_by_role("navigation")).to_have_count(0)
    session_line = await dialog.get_by_text(re.compile(r"Session \w{8}$")).text_content()
    assert session_line is not None
    # No session is created before the guest signs.
    assert rio.fetch_rows("waiver_sessions?select=id&status=eq.pending") == []
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
    async with proxy.hold_requests("POST /rest/v1/waiver_sessions"):
        await dialog.get_by_role("button", name="Sign Waiver").click()
        await expect(dialog.get_by_role("button", name="Signing...")).to_be_visible()
    await expect(dialog.get_by_role("heading", name="Thank you")).to_be_visible()
    [waiver] = rio.fetch_rows(
        "signed_waivers?select=session_id,signer_name,content,template_version,consent_version,scroll_depth"
    )
    assert waiver["session_id"].startswith(session_line[-8:])
    assert waiver["content"] == "# River\n\nI, Gil Okafor, ride with Rio Rafting."
    assert (waiver["template_version"], waiver["scroll_depth"]) == (1, 100)
    assert waiver["consent_version"] is not None


async def expect_next_guest_and_leave_with_the_password(desktop: Page, rio: RioRafting) -> None:
    """The page returns to its start, shows nothing of the previous guest, and can be left only with the password."""
    await desktop.get_by_role("button", name="Start signing").click(timeout=15_000)
    await expect(desktop.get_by_label("Your Name")).to_have_value("")
    await expect(desktop.get_by_text("Gil Okafor")).to_have_count(0)
    for way_out in ("/dashboard", "/dashboard/waiver-management", "/dashboard/waivers"):
        await desktop.goto(way_out)
        await expect(desktop.get_by_role("button", name="Start signing")).to_be_visible()
    assert await axe_violations(desktop) == []
    await desktop.get_by_role("button", name="Leave").click()
    dialog = desktop.get_by_role("dialog", name="Leave in-person signing?")
    await dialog.get_by_label("Your password").fill("a guess")
    await dialog.get_by_role("button", name="Leave").click()
    await expect(dialog.get_by_text("This is not the password of this account")).to_be_visible()
    await dialog.get_by_label("Your password").fill("a long walk by the river")
    await dialog.get_by_role("button", name="Leave").click()
    await expect(desktop).to_have_url(re.compile("/dashboard/waivers$"))
    assert rio.fetch_rows("waiver_sessions?select=id&status=eq.pending") == []


async def open_dialog_by_url(desktop: Page, rio: RioRafting) -> None:
    """Opens a session and a sample with `?sign=` and their id. Closing the dialog removes the parameter."""
    session_id = create_session(rio, "Gorge trip")
    for shown_id, text in [
        (session_id, f"Session {session_id[:8]}"),
        ("template-medical-emergency-authorization", "Medical Emergency Authorization · Session"),
    ]:
        await desktop.goto(f"/dashboard/waivers?sign={shown_id}")
        dialog = desktop.get_by_role("dialog", name="Sign Waiver")
        await expect(dialog).to_contain_text(text)
        await dialog.get_by_role("button", name="Close").click()
        await expect(desktop).to_have_url(re.compile("/dashboard/waivers$"))
    await desktop.goto(f"/dashboard/waivers?sign={uuid4()}")
    await expect(desktop.get_by_text("Could not find the waiver session.", exact=True)).to_be_visible()


async def expect_connection_error(desktop: Page, proxy: FaultProxy) -> None:
    """Expects that a lost request shows an error and loses nothing, and that the next attempt succeeds."""
    await desktop.goto("/dashboard/waivers")
    await choose_action(desktop, "Gorge trip", "Sign on this device")
    async with proxy.drop_requests("POST /rest/v1/waiver_sessions"):
        await sign_as(desktop, "Bo Lind")
        await expect(desktop.get_by_text("Something went wrong. Please try again.", exact=True)).to_be_visible()
    await desktop.get_by_role("button", name="Sign Waiver").click()
    await expect(desktop.get_by_role("heading", name="Thank you")).to_be_visible()
    await desktop.get_by_role("button", name="Next guest").click()


async def expect_database_error(desktop: Page, deployment: Deployment, template_id: str) -> None:
    """Expects that, if the database rejects a new session, the guest can still sign on the public page."""
    async with revoked_privilege(deployment.server, "insert", "public.waiver_sessions"):
        await sign_as(desktop, "Ana Ortiz")
        await expect(
            desktop.get_by_text("Could not create waiver session. Please try again.", exact=True)
        ).to_be_visible()
        await expect(desktop.get_by_text("Error", exact=True)).to_be_visible()
    await desktop.wait_for_url(f"**/waivers/sign/{template_id}")
    await expect(desktop.get_by_role("heading", name="Gorge trip")).to_be_visible()
    await expect(desktop.get_by_label("Your Name")).to_have_value("Ana Ortiz")
    await expect(desktop.get_by_role("checkbox")).not_to_be_checked()


async def sign_as(desktop: Page, name: str) -> None:
    await desktop.get_by_role("button", name="Start signing").click()
    await desktop.get_by_label("Your Name").fill(name)
    await desktop.get_by_label("Your Email").fill("guest@example.com")
    await draw_with_mouse(desktop)
    await desktop.get_by_role("checkbox").check()
    await desktop.get_by_role("button", name="Sign Waiver").click()


@pytest.mark.accept("TPL-17", "TPL-18", "TPL-22", "TPL-23", "TPL-29", "MAIL-18", "ERR-29")
async def test_a_pdf_is_previewed_and_can_be_sent_again_after_the_mail_server_rejected_it(
    deployment: Deployment, rio: RioRafting, desktop: Page, browser: Browser
) -> None:
    rio.create_template()
    await open_dashboard(desktop, rio)

    preview = await preview_pdf(desktop)
    deployment.mail_server.reply = "550 No such person"
    try:
        await send_pdf(desktop)
        await expect(desktop.get_by_text("Failed to Send PDF Waiver", exact=True)).to_be_visible()
        await expect(desktop.get_by_text(f"Error: {MAIL_SERVER_ERROR}", exact=True)).to_be_visible()
    finally:
        deployment.mail_server.reply = "250 OK"
    await desktop.wait_for_url("**/dashboard/sent-waivers")
    await desktop.goto("/dashboard/waivers")
    await send_pdf_again(desktop)

    [email] = [email for email in deployment.mail_server.emails if "Bring a towel." in plain_body(email)]
    assert plain_body(email).startswith("Hi Noor,")
    assert "is attached as a PDF" in plain_body(email)
    [attachment] = email.iter_attachments()
    assert form_layout(attachment.get_content()) == form_layout(preview)
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
    await fill_in_recipient(dialog, "Noor Haddad", "noor@example.com")
    await dialog.get_by_label("Email Message").fill("Bring a towel.")
    await dialog.get_by_role("button", name="Send PDF").click()


async def send_pdf_again(desktop: Page) -> None:
    recently_sent = desktop.get_by_role("region", name="Recently sent")
    await expect(recently_sent).to_contain_text("Failed")
    await expect(recently_sent).to_contain_text(MAIL_SERVER_ERROR)
    await recently_sent.get_by_role("button", name="Send again to Noor Haddad").click()
    await expect(desktop.get_by_text("PDF Waiver Sent Successfully", exact=True)).to_be_visible()
    await expect(recently_sent).to_contain_text("Delivered")
    await expect(recently_sent).not_to_contain_text("550")


def form_layout(pdf: bytes) -> list[object]:
    """Returns the number of pages and the positions of the fields, which do not depend on the recipient."""
    with pikepdf.open(io.BytesIO(pdf)) as form:
        fields = [(str(field.T), [float(side) for side in field.Rect]) for field in form.Root.AcroForm.Fields]
        assert {name for name, _ in fields} == {"name", "email", "date", "signature"}
        return [len(form.pages), fields]


async def expect_sending_in_another_browser(browser: Browser, deployment: Deployment, rio: RioRafting) -> None:
    other_browser = await browser.new_context(base_url=deployment.url)
    page = await other_browser.new_page()
    await open_dashboard(page, rio)
    recently_sent = page.get_by_role("region", name="Recently sent")
    await expect(recently_sent).to_contain_text("Noor Haddad")
    await page.evaluate("localStorage.clear()")
    await page.reload()
    await expect(recently_sent).to_contain_text("Noor Haddad")
    [record] = await page.evaluate("JSON.parse(localStorage.getItem('sentWaivers'))")
    assert (record["status"], record["emailStatus"], record["sentAsPdf"]) == ("sent_pdf", "delivered", True)
    await other_browser.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_templates_page_and_its_dialogs_have_no_accessibility_violations(
    rio: RioRafting, desktop: Page, scheme: Literal["light", "dark"]
) -> None:
    """The light theme is checked at the width of a desktop, the dark theme at the width of a phone."""
    template_id = rio.create_template()
    rio.client.patch(f"/rest/v1/waiver_templates?id=eq.{template_id}", json={"content": f"{CONTENT}\n\n- wet"})
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
    await desktop.goto(f"/dashboard/waivers?sign={template_id}")
    await desktop.get_by_role("button", name="Start signing").click()
    await expect(desktop.get_by_label("Your Name")).to_be_visible()
    assert await axe_violations(desktop) == []
