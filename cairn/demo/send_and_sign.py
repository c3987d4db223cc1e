"""Creates the sample season: the company writes templates and sends waivers, and guests open and sign them."""

from typing import Any

from cairn.demo.client import ApiClient
from cairn.demo.season import COMPANY, TEMPLATES, SampleGuest, SampleTemplate, guests
from cairn.demo.strokes import draw_strokes, render_strokes
from cairn.kit import frozen_dataclass

EMAIL_BODY = """\
Hello {name},

Please read and sign the waiver "{template}" before your activity. You can do it on any device:

{link}

This is sample data. This email was not delivered to anyone.
"""


@frozen_dataclass
class SentWaiver:
    session_id: str
    guest: SampleGuest


async def send_and_sign(company: ApiClient, site_url: str) -> list[SentWaiver]:
    """Returns the sent waivers, oldest first. The worker prepares the documents of the signed ones afterwards."""
    await company.patch("/rest/v1/companies?id=not.is.null", {"name": COMPANY})
    await company.patch("/rest/v1/profiles?first_steps_hidden=is.false", {"first_steps_hidden": True})
    templates = [await _create_template(company, sample) for sample in TEMPLATES]
    consent = (await company.get("/rest/v1/consent_texts?language=eq.en&order=version.desc&limit=1"))[0]
    sent_waivers = [
        await _send(company, guest, templates[guest.template_index], site_url) for guest in reversed(guests())
    ]
    for sent in sent_waivers:
        if sent.guest.signs:
            await _sign(company.guest(), sent, consent["version"])
    return sent_waivers


async def _create_template(company: ApiClient, sample: SampleTemplate) -> dict[str, Any]:
    row = {"name": sample.name, "description": sample.description, "content": sample.content}
    rows: list[dict[str, Any]] = await company.post("/rest/v1/waiver_templates", row)
    return rows[0]


async def _send(company: ApiClient, guest: SampleGuest, template: dict[str, Any], site_url: str) -> SentWaiver:
    recipient = {"recipient_name": guest.name, "recipient_email": guest.email}
    text = {"template_id": template["id"], "template_content": template["content"]}
    [session] = await company.post("/rest/v1/waiver_sessions", {**text, **recipient})
    record = {**text, **recipient, "session_id": session["id"], "template_name": template["name"]}
    await company.post("/rest/v1/sent_waivers", record)
    body = EMAIL_BODY.format(
        name=guest.name, template=template["name"], link=f"{site_url}/waivers/sign/session/{session['id']}"
    )
    email = {"to": guest.email, "subject": f"Please sign: {template['name']} Waiver", "body": body}
    await company.post("/functions/v1/send-email", {**email, "sessionId": session["id"]})
    return SentWaiver(session["id"], guest)


async def _sign(guest: ApiClient, sent: SentWaiver, consent_version: str) -> None:
    """Signs as the signing page does: first reports that the waiver was opened, then sends the signature."""
    await guest.post("/rest/v1/rpc/note_waiver_view", {"session_id": sent.session_id, "scroll_depth": 100})
    strokes = draw_strokes(sent.guest.name)
    row = {
        "session_id": sent.session_id,
        "signer_name": sent.guest.name,
        "signer_email": sent.guest.email,
        "signature": render_strokes(strokes),
        "strokes": strokes,
        "consent_version": consent_version,
        "consent_language": "en",
        "time_zone": "Europe/Madrid",
        "scroll_depth": 100,
    }
    await guest.post("/rest/v1/signed_waivers", row)


async def mark_older_notifications_read(company: ApiClient) -> None:
    """Leaves only three notifications unread, as in a company that uses the product every day."""
    newest = await company.get("/rest/v1/notifications?select=created_at&order=created_at.desc&limit=4")
    if len(newest) == 4:
        fourth_newest = newest[-1]["created_at"].replace("+", "%2B")
        await company.patch(f"/rest/v1/notifications?created_at=lte.{fourth_newest}", {"read": True})
