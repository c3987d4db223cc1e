"""The season, played through: templates are written, waivers sent, opened, signed."""

from dataclasses import dataclass
from typing import Any

from cairn.demo.client import ApiClient
from cairn.demo.season import COMPANY, TEMPLATES, SampleGuest, guests
from cairn.demo.strokes import picture_of, strokes_of

LETTER = """\
Hello {name},

Please read and sign the waiver "{template}" before your activity. You can do it on any device:

{link}

This is sample data. Nobody reads this mail.
"""


@dataclass(frozen=True, slots=True)
class Sent:
    session_id: str
    guest: SampleGuest


async def play(company: ApiClient, site_url: str) -> list[Sent]:
    """What was sent, the oldest first. Whoever signs has signed when this returns; the worker has the rest to do."""
    await company.patch("/rest/v1/companies?id=not.is.null", {"name": COMPANY})
    await company.patch("/rest/v1/profiles?first_steps_hidden=is.false", {"first_steps_hidden": True})
    templates = [await _write(company, index) for index in range(len(TEMPLATES))]
    consent = (await company.get("/rest/v1/consent_texts?language=eq.en&order=version.desc&limit=1"))[0]
    sent = [await _send(company, guest, templates[guest.template], site_url) for guest in reversed(guests())]
    for sending in sent:
        if sending.guest.signs:
            await _sign(company.guest(), sending, consent["version"])
    return sent


async def _write(company: ApiClient, index: int) -> dict[str, Any]:
    words = TEMPLATES[index]
    row = {"name": words.name, "description": words.description, "content": words.content}
    [template] = await company.post("/rest/v1/waiver_templates", row)
    written: dict[str, Any] = template
    return written


async def _send(company: ApiClient, guest: SampleGuest, template: dict[str, Any], site_url: str) -> Sent:
    to = {"recipient_name": guest.name, "recipient_email": guest.email}
    text = {"template_id": template["id"], "template_content": template["content"]}
    [session] = await company.post("/rest/v1/waiver_sessions", {**text, **to})
    record = {**text, **to, "session_id": session["id"], "template_name": template["name"]}
    await company.post("/rest/v1/sent_waivers", record)
    words = LETTER.format(
        name=guest.name, template=template["name"], link=f"{site_url}/waivers/sign/session/{session['id']}"
    )
    mail = {"to": guest.email, "subject": f"Please sign: {template['name']} Waiver", "body": words}
    await company.post("/functions/v1/send-email", {**mail, "sessionId": session["id"]})
    return Sent(session["id"], guest)


async def _sign(phone: ApiClient, sending: Sent, consent_version: str) -> None:
    """As the signing page does it: first it says that it was opened, then it sends everything in one row."""
    await phone.post("/rest/v1/rpc/note_waiver_view", {"session_id": sending.session_id, "scroll_depth": 100})
    strokes = strokes_of(sending.guest.name)
    row = {
        "session_id": sending.session_id,
        "signer_name": sending.guest.name,
        "signer_email": sending.guest.email,
        "signature": picture_of(strokes),
        "strokes": strokes,
        "consent_version": consent_version,
        "consent_language": "en",
        "time_zone": "Europe/Madrid",
        "scroll_depth": 100,
    }
    await phone.post("/rest/v1/signed_waivers", row)


async def read_the_older_news(company: ApiClient) -> None:
    """The notifier of a company that is at work shows a few new ones, not all of them."""
    news = await company.get("/rest/v1/notifications?select=created_at&order=created_at.desc&limit=4")
    if len(news) == 4:
        older = news[-1]["created_at"].replace("+", "%2B")
        await company.patch(f"/rest/v1/notifications?created_at=lte.{older}", {"read": True})
