"""The five lessons of the tutorials page, as a viewer sees them."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from playwright.async_api import FilePayload, expect

from cairn.kit import frozen_dataclass
from tests.e2e.company import (
    Company,
    open_signed_in,
    registered_company,
    wait_for_subscriptions,
    watch_subscriptions,
)
from tests.e2e.conftest import Deployment
from tests.e2e.guest import signature_pad
from tools.picture_cards import SIGNATURE_POINTS, point_in
from tools.videos.recording import Recording

_WAIVER_TEXT = (
    "I, [PARTICIPANT NAME], join this trip with [COMPANY NAME].\n\n"
    "I know that rivers are cold and rocks are hard. I wear the vest and the helmet that I am given."
)
_SIGNED_GUESTS = ("Hana Sato", "Piotr Zieliński", "Amara Diallo")
_PENDING_GUESTS = ("Noor Haddad", "Tomás Vega", "Gil Okafor")


@frozen_dataclass
class Scene:
    """The running product, one of its companies, and the recording of what the owner does."""

    deployment: Deployment
    company: Company
    recording: Recording


Lesson = Callable[[Scene], Awaitable[None]]


@asynccontextmanager
async def open_scene(deployment: Deployment, recording: Recording) -> AsyncIterator[Scene]:
    """Creates a company with a few guests, and opens its dashboard."""
    with registered_company(deployment.server) as company:
        for name in (*_SIGNED_GUESTS, *_PENDING_GUESTS):
            session_id = company.send_to(name)
            if name in _SIGNED_GUESTS:
                company.sign_as_guest(session_id, name, f"{name.split()[0].lower()}@example.com")
        all_subscribed = watch_subscriptions(recording.page)
        await open_signed_in(recording.page, company, "/dashboard")
        await expect(recording.page.get_by_role("table", name="Recent Waivers")).to_contain_text("Noor Haddad")
        greeting = recording.page.get_by_role("button", name="Dismiss")
        await greeting.click()
        await greeting.wait_for(state="hidden")
        # A signature shows a message only on a page that already receives live updates.
        await wait_for_subscriptions(all_subscribed)
        yield Scene(deployment, company, recording)


async def first_waiver(scene: Scene) -> None:
    recording, page = scene.recording, scene.recording.page
    await _begin(recording, "Your first waiver, from an empty page to a signature.", page_name="Add/Edit Waivers")
    await recording.say("Press Create Waiver.")
    await recording.click(page.get_by_role("button", name="Create Waiver"))
    dialog = page.get_by_role("dialog", name="Create New Waiver Template")
    await recording.say("Give it a name, and write or paste your text.")
    await recording.write(dialog.get_by_label("Template Name"), "River trip")
    await recording.click(dialog.get_by_label("Waiver Content"))
    await page.keyboard.insert_text(_WAIVER_TEXT)
    await recording.say("[PARTICIPANT NAME] becomes the name of your guest. The preview shows what they will read.")
    await recording.click(dialog.get_by_role("button", name=re.compile("^(Create|Save)")))
    await recording.say("Send it to yourself first, to see what your guests will see.")
    await _send(recording, "River trip", "Rosa", "Marín", "rosa@example.com")
    await recording.say("The email contains a link. It opens the waiver, on any phone, without an account.")
    link = await scene.deployment.wait_for_signing_link("rosa@example.com")
    await page.goto(link)
    await recording.say("Read, draw your signature, and press Sign Waiver.")
    await _sign(recording)
    await page.goto("/dashboard")
    await expect(page.get_by_role("table", name="Recent Waivers").get_by_role("row").nth(1)).to_contain_text(
        "signed", ignore_case=True
    )
    await recording.say("On the dashboard, the waiver is now signed. That is all.")


async def send(scene: Scene) -> None:
    recording, page = scene.recording, scene.recording.page
    await _begin(recording, "Send a waiver to a guest.", page_name="Add/Edit Waivers")
    await recording.say("Press Send on the card of the waiver, and write the guest's name and email.")
    await _send(recording, "General Liability Waiver", "Ingrid", "Solheim", "ingrid@example.com")
    await recording.say("The email is on its way.")
    await page.goto("/dashboard/waivers")
    sent = page.get_by_role("region", name="Recently sent")
    await recording.scroll_to(sent)
    await expect(sent).to_contain_text("Delivered")
    await recording.say("Below the cards, Recently sent shows whether the email was delivered.")


async def in_person(scene: Scene) -> None:
    recording, page = scene.recording, scene.recording.page
    await _begin(
        recording, "Have a waiver signed on this device, for example on a tablet.", page_name="Add/Edit Waivers"
    )
    await recording.say("Open the menu on the card of the waiver, and choose Sign on this device.")
    await recording.click(page.get_by_role("button", name="More for General Liability Waiver"))
    await recording.click(page.get_by_role("menuitem", name="Sign on this device"))
    await recording.click(page.get_by_role("button", name="Start signing"))
    await recording.say("Now hand over the device. The guest writes name and email, reads, and signs.")
    await recording.write(page.get_by_label("Your Name"), "Ingrid Solheim")
    await recording.write(page.get_by_label("Your Email"), "ingrid@example.com")
    await _sign(recording)
    await recording.say("The signature is stored at once, and the device is ready for the next guest.")


async def morning(scene: Scene) -> None:
    recording, page = scene.recording, scene.recording.page
    session_id = scene.company.send_to("Ingrid Solheim")
    await recording.say("A morning at the office: who has not signed yet?")
    await recording.click(page.get_by_role("link", name="See who is missing"))
    await expect(page.get_by_text("Ingrid Solheim").first).to_be_visible()
    await recording.say("These guests have not signed. Tick those who come today.")
    for name in ("Noor Haddad", "Tomás Vega"):
        await recording.click(page.get_by_role("checkbox", name=f"Select waiver of {name}"))
    await recording.say("Press Remind. Each of them gets an email with their link.")
    await recording.click(page.get_by_role("button", name="Remind 2"))
    await recording.say("Leave the page open. When Ingrid signs on her phone ...")
    await asyncio.to_thread(scene.company.sign_as_guest, session_id, "Ingrid Solheim", "ingrid@example.com")
    await expect(page.get_by_text(re.compile("Ingrid Solheim has signed a waiver")).first).to_be_visible()
    await recording.say("... you see it immediately, and she leaves the list of those who are missing.")


async def proof(scene: Scene) -> None:
    recording, page = scene.recording, scene.recording.page
    await _begin(recording, "Prove what was signed, and when.", page_name="Waiver Management")
    await recording.say("Find the guest, and press Download.")
    button = page.get_by_role("button", name=re.compile("^Download.*Hana Sato")).first
    async with page.expect_download() as download:
        await recording.click(button)
    file = await download.value
    await recording.say("The PDF contains the text, the signature, and a page that shows when and how it was signed.")
    await page.goto("/verify")
    await recording.say("Anyone can check the file here, without an account.")
    document = await asyncio.to_thread((await file.path()).read_bytes)
    await page.get_by_label("Choose a PDF").set_input_files(
        FilePayload(name=file.suggested_filename, mimeType="application/pdf", buffer=document)
    )
    heading = page.get_by_role("heading", name="Sealed and unchanged")
    await expect(heading).to_be_visible()
    await recording.scroll_to(heading)
    await recording.say("It says whether the file is the sealed record, and that nothing in it was changed.")


async def _begin(recording: Recording, title: str, *, page_name: str) -> None:
    """Says what the lesson is about, and opens a page with the menu."""
    await recording.say(title)
    await recording.click(recording.page.get_by_role("navigation").get_by_role("link", name=page_name).first)


async def _send(recording: Recording, template: str, first_name: str, last_name: str, email: str) -> None:
    page = recording.page
    await recording.click(page.get_by_role("button", name=f"Send {template}"))
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await recording.write(dialog.get_by_label("First Name"), first_name)
    await recording.write(dialog.get_by_label("Last Name"), last_name)
    await recording.write(dialog.get_by_label("Recipient Email"), email)
    await recording.click(dialog.get_by_role("button", name="Send Waiver"))
    await expect(page.get_by_text("Waiver Sent Successfully").first).to_be_visible()


async def _sign(recording: Recording) -> None:
    page = recording.page
    pad = signature_pad(page)
    await recording.scroll_to(pad)
    box = await pad.bounding_box()
    assert box is not None
    await page.mouse.move(*point_in(box, SIGNATURE_POINTS[0]))
    await page.mouse.down()
    for point in SIGNATURE_POINTS[1:]:
        await page.mouse.move(*point_in(box, point), steps=3)
        await recording.pause(0.05)
    await page.mouse.up()
    await recording.click(page.get_by_role("checkbox", name=re.compile("sign this waiver electronically")))
    button = page.get_by_role("button", name="Sign Waiver")
    await recording.click(button)
    await expect(button).to_be_hidden()
    await recording.pause(1.5)


# The names are those of the files in web/app/videos.
LESSONS: Mapping[str, Lesson] = {
    "first": first_waiver,
    "send": send,
    "in-person": in_person,
    "morning": morning,
    "proof": proof,
}
