"""A company writes, revises, sends and archives its waivers, and has one signed at the desktop."""

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

from tests.e2e.accessible import complaints
from tests.e2e.company import remember
from tests.e2e.conftest import Place
from tests.e2e.faults import refusing
from tests.e2e.guest import see_it_stored
from tests.e2e.line import Line
from tests.e2e.test_first_story import downloaded, draw
from tests.mail_server import plain

WORDS = "# River\n\nI, [PARTICIPANT NAME], ride with [COMPANY NAME]."
REFUSED = "The mail server answered 550: No such person"


@dataclass(frozen=True, slots=True)
class Rio:
    """Rio Rafting, seen through its own token."""

    client: httpx.Client
    session: dict[str, Any]

    def template(self, **words: str) -> str:
        row = {"name": "Gorge trip", "description": "A day on the water", "content": WORDS, **words}
        answer = self.client.post("/rest/v1/waiver_templates", json=row).raise_for_status()
        return str(answer.json()[0]["id"])

    def rows(self, path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.client.get(f"/rest/v1/{path}").raise_for_status().json()
        return found


@pytest.fixture
def rio(place: Place) -> Iterator[Rio]:
    with httpx.Client(base_url=place.url, headers={"apikey": place.served.anon_key}, timeout=20) as client:
        yield found_rio_rafting(client)


def found_rio_rafting(client: httpx.Client) -> Rio:
    person = {
        "email": f"rosa.{uuid4().hex}@example.com",
        "password": "a long walk by the river",
        "data": {"name": "Rosa Marín", "role": "company"},
    }
    session = client.post("/auth/v1/signup", json=person).raise_for_status().json()
    client.headers.update({"Authorization": f"Bearer {session['access_token']}", "Prefer": "return=representation"})
    client.patch("/rest/v1/companies?name=eq.", json={"name": "Rio Rafting"}).raise_for_status()
    return Rio(client, session)


async def sit_down(page: Page, rio: Rio, path: str = "/dashboard/waivers") -> None:
    """As someone who signed in yesterday."""
    await remember(page, rio.session)
    await page.goto(path)


async def choose(page: Page, template: str, action: str) -> None:
    await page.get_by_role("button", name=f"More for {template}").click()
    await page.get_by_role("menuitem", name=action).click()


async def address(dialog: Locator, first: str, last: str, email: str) -> None:
    await dialog.get_by_label("First Name").fill(first)
    await dialog.get_by_label("Last Name").fill(last)
    await dialog.get_by_label("Recipient Email").fill(email)


@pytest.mark.accept("TPL-11", "TPL-12")
async def test_a_template_revised_while_an_old_session_is_open_is_signed_as_it_was_sent(
    rio: Rio, desktop: Page, phone: Page
) -> None:
    await sit_down(desktop, rio)
    await make_a_sample_ones_own(desktop, rio)
    session = send(rio, "Gorge trip")
    await phone.goto(f"/waivers/sign/session/{session}")
    await expect(phone.get_by_role("region", name="Waiver text")).to_contain_text("rivers are wet")

    await revise(desktop)

    await phone.reload()
    await phone.get_by_label("Your Name").fill("Gil Okafor")
    await draw(phone)
    await phone.get_by_role("checkbox").check()
    await phone.get_by_role("button", name="Sign Waiver").click()
    await see_it_stored(phone)
    [signed] = rio.rows("signed_waivers?select=content,template_version")
    assert signed == {"content": "I, Gil Okafor, know that rivers are wet.", "template_version": 1}
    await bring_back_the_first_words(desktop, rio)


async def make_a_sample_ones_own(desktop: Page, rio: Rio) -> None:
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
    """With the toolbar, a reload in the middle, and the preview beside it."""
    await desktop.get_by_role("button", name="View Gorge trip").click()
    dialog = desktop.get_by_role("dialog", name="Waiver Template Details")
    await dialog.get_by_role("button", name="Edit").click()
    words = dialog.get_by_label("Waiver Content")
    await words.fill("rivers are deep")
    await words.press("Control+a")
    await words.press("Control+b")
    await desktop.reload()
    await desktop.get_by_role("button", name="View Gorge trip").click()
    await dialog.get_by_role("button", name="Continue editing").click()
    await expect(words).to_have_value("**rivers are deep**")
    await expect(dialog.get_by_role("region", name="Preview").locator("strong")).to_have_text("rivers are deep")
    await words.press("End")
    await dialog.get_by_role("button", name="Insert [COMPANY NAME]").click()
    await words.press("Control+z")
    await expect(words).to_have_value("**rivers are deep**")
    await dialog.get_by_role("button", name="Save Changes").click()
    await expect(dialog).to_be_hidden()


async def bring_back_the_first_words(desktop: Page, rio: Rio) -> None:
    await desktop.get_by_role("button", name="View Gorge trip").click()
    await desktop.get_by_role("button", name="Version 2 · History").click()
    await expect(desktop.get_by_role("list", name="Versions, newest first")).to_contain_text("by Rosa Marín")
    await desktop.get_by_role("button", name="Restore version 1").click()
    await expect(desktop.get_by_text("Version 1 restored", exact=True)).to_be_visible()
    kept = rio.rows("waiver_template_versions?select=version,content&template_id=like.tpl-*&order=version")
    wet = "I, [PARTICIPANT NAME], know that rivers are wet."
    assert [row["content"] for row in kept] == [wet, "**rivers are deep**", wet]


@pytest.mark.accept("TPL-13", "TPL-14", "TPL-24", "TPL-25", "TPL-26", "TPL-27", "ERR-09", "ERR-10")
async def test_a_guest_at_the_desk_signs_there_and_what_cannot_be_opened_is_told(
    place: Place, rio: Rio, line: Line, far_desktop: Page
) -> None:
    template = rio.template()
    await sit_down(far_desktop, rio)

    await choose(far_desktop, "Gorge trip", "Sign on this device")
    await sign_in_the_dialog(far_desktop, rio, line)
    await open_by_address(far_desktop, rio)
    await lose_the_connection(far_desktop, line, template)
    await be_refused(far_desktop, place, template)


async def sign_in_the_dialog(desktop: Page, rio: Rio, line: Line) -> None:
    dialog = desktop.get_by_role("dialog", name="Sign Waiver")
    [session] = await only_when_there(desktop, rio, "waiver_sessions?select=id&status=eq.pending")
    await expect(dialog).to_contain_text(f"Session {session['id'][:8]}")
    await expect(desktop).to_have_url(re.compile(rf"\?sign={session['id']}$"))
    await dialog.get_by_label("Your Name").fill("Gil Okafor")
    await dialog.get_by_label("Your Email").fill("gil@example.com")
    words = dialog.get_by_role("region", name="Waiver text")
    await expect(words).to_contain_text("I, Gil Okafor, ride with Rio Rafting.")
    pad = dialog.get_by_role("img", name=re.compile("^Signature pad"))
    box = await pad.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (600, 200)
    await draw(desktop)
    await dialog.get_by_role("checkbox").check()
    async with line.held("POST /rest/v1/signed_waivers"):
        await dialog.get_by_role("button", name="Sign Waiver").click()
        await expect(dialog.get_by_role("button", name="Signing...")).to_be_visible()
    await expect(dialog).to_be_hidden()
    await expect(desktop).to_have_url(re.compile("/dashboard/waivers$"))
    [signed] = rio.rows("signed_waivers?select=signer_name,content,template_version,consent_version,scroll_depth")
    assert signed["content"] == "# River\n\nI, Gil Okafor, ride with Rio Rafting."
    assert (signed["template_version"], signed["scroll_depth"]) == (1, 100)
    assert signed["consent_version"] is not None


async def only_when_there(desktop: Page, rio: Rio, path: str) -> list[dict[str, Any]]:
    await expect(desktop.get_by_label("Your Name")).to_be_visible()
    return rio.rows(path)


async def open_by_address(desktop: Page, rio: Rio) -> None:
    """A session's id opens that session; a sample's long id opens the sample; closing takes the parameter away."""
    session = send(rio, "Gorge trip")
    for value, said in [
        (session, f"Session {session[:8]}"),
        ("template-medical-emergency-authorization", "Medical Emergency Authorization · Session"),
    ]:
        await desktop.goto(f"/dashboard/waivers?sign={value}")
        dialog = desktop.get_by_role("dialog", name="Sign Waiver")
        await expect(dialog).to_contain_text(said)
        await dialog.get_by_role("button", name="Close").click()
        await expect(desktop).to_have_url(re.compile("/dashboard/waivers$"))
    await desktop.goto(f"/dashboard/waivers?sign={uuid4()}")
    await expect(desktop.get_by_text("Could not find the waiver session.", exact=True)).to_be_visible()


async def lose_the_connection(desktop: Page, line: Line, template: str) -> None:
    async with line.cut("POST /rest/v1/waiver_sessions"):
        await choose(desktop, "Gorge trip", "Sign on this device")
        await expect(desktop.get_by_text("Something went wrong. Please try again.", exact=True)).to_be_visible()
    await desktop.wait_for_url(f"**/waivers/sign/{template}")
    await expect(desktop.get_by_role("heading", name="Gorge trip")).to_be_visible()


async def be_refused(desktop: Page, place: Place, template: str) -> None:
    """The database takes no session from the desktop; whoever has the link can still sign."""
    await desktop.goto("/dashboard/waivers")
    await expect(desktop.get_by_role("button", name="View Gorge trip")).to_be_visible()
    async with refusing(place.served, "insert", "public.waiver_sessions"):
        await choose(desktop, "Gorge trip", "Sign on this device")
        await expect(
            desktop.get_by_text("Could not create waiver session. Please try again.", exact=True)
        ).to_be_visible()
        await expect(desktop.get_by_text("Error", exact=True)).to_be_visible()
    await desktop.wait_for_url(f"**/waivers/sign/{template}")
    await expect(desktop.get_by_role("heading", name="Gorge trip")).to_be_visible()


@pytest.mark.accept("TPL-17", "TPL-18", "TPL-22", "TPL-23", "TPL-29", "MAIL-18", "ERR-29")
async def test_a_pdf_is_previewed_refused_by_the_mail_server_and_sent_again(
    place: Place, rio: Rio, desktop: Page, browser: Browser
) -> None:
    rio.template()
    await sit_down(desktop, rio)

    preview = await look_at_the_pdf(desktop)
    place.office.answer = "550 No such person"
    try:
        await send_the_pdf(desktop)
        await expect(desktop.get_by_text("Failed to Send PDF Waiver", exact=True)).to_be_visible(timeout=15_000)
        await expect(desktop.get_by_text(f"Error: {REFUSED}", exact=True)).to_be_visible()
    finally:
        place.office.answer = "250 OK"
    await desktop.wait_for_url("**/dashboard/sent-waivers")
    await desktop.goto("/dashboard/waivers")
    await send_again(desktop)

    [letter] = [mail for mail in place.office.emails if "Bring a towel." in plain(mail)]
    assert "Noor Haddad" in plain(letter)
    assert "is attached as a PDF" in plain(letter)
    [attached] = letter.iter_attachments()
    assert layout(attached.get_content()) == layout(preview)
    await see_it_in_another_browser(browser, place, rio)


async def look_at_the_pdf(desktop: Page) -> bytes:
    await desktop.get_by_role("button", name="Send PDF of Gorge trip").click()
    await desktop.get_by_role("button", name="Preview PDF Template").click()
    dialog = desktop.get_by_role("dialog", name="PDF Template Preview")
    await expect(dialog.get_by_title("PDF of Gorge trip")).to_be_visible()
    preview = await downloaded(desktop, dialog.get_by_role("button", name="Download"))
    await dialog.get_by_role("button", name="Close").click()
    return preview


async def send_the_pdf(desktop: Page) -> None:
    dialog = desktop.get_by_role("dialog", name="Send Fillable PDF Waiver")
    await address(dialog, "Noor", "Haddad", "noor@example.com")
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
    """Pages and fields: what is the same before and after a name is filled in."""
    with pikepdf.open(io.BytesIO(pdf)) as form:
        fields = [(str(field.T), [float(side) for side in field.Rect]) for field in form.Root.AcroForm.Fields]
        assert {name for name, _ in fields} == {"name", "email", "date", "signature"}
        return [len(form.pages), fields]


async def see_it_in_another_browser(browser: Browser, place: Place, rio: Rio) -> None:
    elsewhere = await browser.new_context(base_url=place.url)
    page = await elsewhere.new_page()
    await sit_down(page, rio)
    sent = page.get_by_role("region", name="Recently sent")
    await expect(sent).to_contain_text("Noor Haddad")
    await page.evaluate("localStorage.clear()")
    await page.reload()
    await expect(sent).to_contain_text("Noor Haddad")
    [record] = await page.evaluate("JSON.parse(localStorage.getItem('sentWaivers'))")
    assert (record["status"], record["emailStatus"], record["sentAsPdf"]) == ("sent_pdf", "delivered", True)
    await elsewhere.close()


@pytest.mark.parametrize("light", ["light", "dark"])
async def test_axe_finds_nothing_on_the_page_or_in_its_dialogs(
    rio: Rio, desktop: Page, light: Literal["light", "dark"]
) -> None:
    """Bright on a desktop, dark on a phone's width: each look once."""
    template = rio.template()
    rio.client.patch(f"/rest/v1/waiver_templates?id=eq.{template}", json={"content": f"{WORDS}\n\n- wet"})
    await desktop.emulate_media(color_scheme=light)
    if light == "dark":
        await desktop.set_viewport_size({"width": 390, "height": 844})
    await sit_down(desktop, rio)
    await expect(desktop.get_by_role("button", name="View Gorge trip")).to_be_visible()
    assert await complaints(desktop) == []

    await desktop.get_by_role("button", name="View Gorge trip").click()
    await desktop.get_by_role("button", name="Version 2 · History").click()
    await desktop.get_by_role("button", name="Version 1", exact=True).click()
    assert await complaints(desktop) == []
    await desktop.get_by_role("button", name="Back", exact=True).click()
    await desktop.get_by_role("button", name="Edit").click()
    await desktop.get_by_label("Waiver Content").fill("I, [TOWN]")
    assert await complaints(desktop) == []
    await desktop.get_by_role("button", name="Close").click()

    await desktop.get_by_role("button", name="Send PDF of Gorge trip").click()
    await desktop.get_by_role("button", name="Send PDF", exact=True).click()
    assert await complaints(desktop) == []
    await desktop.goto(f"/dashboard/waivers?sign={template}")
    await expect(desktop.get_by_label("Your Name")).to_be_visible()
    assert await complaints(desktop) == []
