"""What a guest first reads on the phone: who asks for what, and the link. No answer is asked for: nobody reads it."""

from uuid import UUID, uuid4

from cairn.messaging import GuestText, from_sender

WORDS = "please sign your waiver before your activity {link}"


def invitation(site_url: str, company_id: UUID, company_name: str, session_id: UUID, recipient: str) -> GuestText:
    words = WORDS.format(link=signing_link(site_url, session_id))
    return GuestText(uuid4(), recipient, from_sender(company_name, words), company_id, session_id)


def signing_link(site_url: str, session_id: UUID) -> str:
    return f"{site_url}/waivers/sign/session/{session_id}"
