"""What the document says, put into the plain data its template prints. Pure: everything it needs is in the record."""

from typing import Any

from cairn.waivers.documents.pictures import qr_code, signature_picture
from cairn.waivers.documents.record import Record
from cairn.waivers.documents.timeline import both_times, timeline, utc
from cairn.waivers.documents.verify import keywords
from cairn.waivers.documents.words import cjk_faces, direction, filled_blocks

_NO_CONSENT = "No separate agreement to electronic records was recorded with this signature."
_COVERS = {
    1: "It covers the text, the signer's name and email address, and the signature picture.",
    2: "It covers the text, the names of waiver and company, the signer's name and email address, the signature "
    "picture and its strokes, the agreement to electronic records, the time of signing and the signer's time zone.",
}
_AT_THE_DESK = "a device on which an account of the company was signed in"
_STATEMENT = [
    "This is a simple electronic signature with integrity protection. The record was stored at the moment of signing "
    "and cannot be changed by anyone who uses the service; its events form a chain in which each holds the hash of "
    "the one before.",
    "The service sealed this document with a PAdES signature over all of it. A change of a single byte can be "
    "detected: open the link beside the QR code, run `cairn verify`, or use any tool that checks PDF signatures.",
]
_TIMESTAMPED = "The time of sealing is confirmed by an external RFC 3161 timestamp inside the seal."
_NOT_TIMESTAMPED = "The times are those of the service's own clock; there is no external timestamp."


def contents(record: Record, *, site_url: str, timestamped: bool) -> dict[str, Any]:
    verify_link = f"{site_url}/verify?waiver={record.id}"
    return {
        "title": f"{record.template_name}: {record.signer_name}",
        "author": record.company_name,
        "keywords": [keywords(record.id, record.record_sha256)],
        "footer": f"{record.template_name} · waiver {record.id}",
        "cjk": cjk_faces(record.content + record.signer_name + record.template_name),
        "title_dir": direction(record.template_name),
        "template_name": record.template_name,
        "company_name": record.company_name,
        "blocks": filled_blocks(record),
        "signature": signature_picture(record.signature),
        "signer_name": record.signer_name,
        "name_dir": direction(record.signer_name),
        "signer_email": record.signer_email,
        "signed_at": both_times(record.signed_at, record.time_zone),
        "facts": _facts(record),
        "qr": qr_code(verify_link),
        "verify_link": verify_link,
        "consent": record.consent_text or _NO_CONSENT,
        "consent_dir": direction(record.consent_text or _NO_CONSENT),
        "consent_facts": _consent_facts(record),
        "events": timeline(record),
        "record_sha256": record.record_sha256,
        "record_covers": _COVERS[record.record_version],
        "statement": [*_STATEMENT, _TIMESTAMPED if timestamped else _NOT_TIMESTAMPED],
    }


def _facts(record: Record) -> list[tuple[str, str]]:
    facts = {
        "Waiver": record.template_name + (f", version {record.template_version}" if record.template_version else ""),
        "Company": record.company_name,
        "Signer": record.signer_name,
        "Email": record.signer_email,
        "Signed": both_times(record.signed_at, record.time_zone),
        "Sent to": _asked(record),
        "IP address": record.ip,
        "Device": record.user_agent,
        "Signature": _ink(record),
        "Signed at": _AT_THE_DESK if _is_assisted(record) else None,
        "Reading": _reading(record),
        "Session": str(record.session_id),
        "Record": str(record.id),
    }
    return [(name, value) for name, value in facts.items() if value]


def _asked(record: Record) -> str | None:
    who = [part for part in (record.recipient_name, record.recipient_email) if part]
    return ", ".join(who) or None


def _is_assisted(record: Record) -> bool:
    signed = [event for event in record.events if event.facts.get("waiver_id") == str(record.id)]
    return any(event.facts.get("by_company", "") == str(record.company_id) for event in signed)


def _ink(record: Record) -> str | None:
    match record.strokes:
        case {"typed": str() as typed}:
            return f"typed: {typed}"
        case [_, *_] as strokes:
            return f"drawn, {len(strokes)} stroke{'' if len(strokes) == 1 else 's'} recorded with their timing"
    return None


def _reading(record: Record) -> str | None:
    if record.first_viewed_at is None:
        return None
    told = f"opened {utc(record.first_viewed_at)} UTC by the signer's device"
    return told + (f", read to {record.scroll_depth} %" if record.scroll_depth is not None else "")


def _consent_facts(record: Record) -> str | None:
    if record.consented_at is None:
        return None
    return (
        f"Agreed {utc(record.consented_at)} UTC · version {record.consent_version}, language {record.consent_language}"
    )
