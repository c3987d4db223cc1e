"""The text message that invites a guest to sign. It does not ask for a reply, because no one reads replies."""

from uuid import UUID, uuid4

from cairn.messaging import GuestText, with_sender_name
from cairn.translations import text

_TEXT = text("please sign your waiver before your activity {link}")


def text_invitation(site_url: str, company_id: UUID, company_name: str, session_id: UUID, recipient: str) -> GuestText:
    text = _TEXT.format(link=signing_link(site_url, session_id))
    return GuestText(uuid4(), recipient, with_sender_name(company_name, text), company_id, session_id)


def signing_link(site_url: str, session_id: UUID) -> str:
    return f"{site_url}/waivers/sign/session/{session_id}"
