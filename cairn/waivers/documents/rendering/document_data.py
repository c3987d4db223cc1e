"""Builds the data that `waiver.typ` prints from a signed record."""

from datetime import datetime
from typing import Any

from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.record_reference import RecordReference, head_keyword
from cairn.waivers.documents.rendering.images import qr_code_for_template, signature_image
from cairn.waivers.documents.rendering.waiver_text import cjk_fonts, signed_text_blocks, text_direction
from cairn.waivers.documents.signer_view import record_for_signer
from cairn.waivers.documents.timeline import format_utc, timeline, utc_and_local_time

_NO_CONSENT = "No separate agreement to electronic records was recorded with this signature."
# By version of the record.
_HASHED_FIELDS = {
    1: "It covers the text, the signer's name and email address, and the signature picture.",
    2: "It covers the text, the names of waiver and company, the signer's name and email address, the signature "
    "picture and its strokes, the agreement to electronic records, the time of signing and the signer's time zone.",
    3: "It covers every field of the record: the ids, the text, the names of waiver and company, the version of the "
    "template, the signer's name and email address, the signature picture and its strokes, the agreement to electronic "
    "records, all times, the signer's time zone, IP address and device, and how far the text was read.",
}
_SIGNED_IN_PERSON = "a device on which an account of the company was signed in"
_STATEMENT = [
    "This is a simple electronic signature with integrity protection. The record was stored at the moment of signing "
    "and cannot be changed by anyone who uses the service; its events form a chain in which each holds the hash of "
    "the one before.",
    "The service sealed this document with a PAdES signature over all of it. A change of a single byte can be "
    "detected: open the link beside the QR code, run `cairn verify`, or use any tool that checks PDF signatures.",
]
_HEAD_STATEMENT = (
    "The service also signs heads, which cover the histories of all waivers of the company. The newest one before this "
    "document was sealed has the SHA-256 fingerprint {sha256}."
)
_TIMESTAMPED = "The time of sealing is confirmed by an external RFC 3161 timestamp inside the seal."
_NOT_TIMESTAMPED = "The times are those of the service's own clock; there is no external timestamp."


def document_data(record: SignedRecord, *, site_url: str, is_timestamped: bool) -> dict[str, Any]:
    verify_link = f"{site_url}/verify?waiver={record.id}"
    return {
        "title": f"{record.template_name}: {record.signer_name}",
        "author": record.company_name,
        "keywords": _keywords(record),
        "footer": f"{record.template_name} · waiver {record.id}",
        "cjk": cjk_fonts(record.content + record.signer_name + record.template_name),
        "title_dir": text_direction(record.template_name),
        "template_name": record.template_name,
        "company_name": record.company_name,
        "blocks": signed_text_blocks(record),
        "signature": signature_image(record.signature),
        "signer_name": record.signer_name,
        "name_dir": text_direction(record.signer_name),
        "signer_email": record.signer_email,
        "signed_at": utc_and_local_time(record.signed_at, record.time_zone),
        "details": _details(record),
        "qr": qr_code_for_template(verify_link),
        "verify_link": verify_link,
        "consent": record.consent_text or _NO_CONSENT,
        "consent_dir": text_direction(record.consent_text or _NO_CONSENT),
        "consent_details": _consent_details(record),
        "events": timeline(record_for_signer(record)),
        "record_sha256": record.record_sha256,
        "record_covers": _HASHED_FIELDS[record.record_version],
        "statement": [*_STATEMENT, *_head_statement(record), _TIMESTAMPED if is_timestamped else _NOT_TIMESTAMPED],
    }


def _keywords(record: SignedRecord) -> list[str]:
    keywords = [RecordReference(record.id, record.record_sha256).as_keyword()]
    return keywords if record.newest_head_sha256 is None else [*keywords, head_keyword(record.newest_head_sha256)]


def _head_statement(record: SignedRecord) -> list[str]:
    return [] if record.newest_head_sha256 is None else [_HEAD_STATEMENT.format(sha256=record.newest_head_sha256)]


def _details(record: SignedRecord) -> list[tuple[str, str]]:
    details = {
        "Waiver": record.template_name + (f", version {record.template_version}" if record.template_version else ""),
        "Company": record.company_name,
        "Signer": record.signer_name,
        "Email": record.signer_email,
        "Signed": utc_and_local_time(record.signed_at, record.time_zone),
        "Sent to": _recipient(record),
        "IP address": record.ip,
        "Device": record.user_agent,
        "Signature": _signing_method(record),
        "Signed at": _SIGNED_IN_PERSON if _is_signed_in_person(record) else None,
        "Reading": _reading_details(record),
        "Session": str(record.session_id),
        "Record": str(record.id),
    }
    return [(name, value) for name, value in details.items() if value]


def _recipient(record: SignedRecord) -> str | None:
    parts = [part for part in (record.recipient_name, record.recipient_email) if part]
    return ", ".join(parts) or None


def _is_signed_in_person(record: SignedRecord) -> bool:
    """Returns True if an account of the company was signed in on the device that signed."""
    return bool(record.signing_details.get("by_company", "") == str(record.company_id))


def _signing_method(record: SignedRecord) -> str | None:
    match record.strokes:
        case {"typed": str() as text}:
            return f"typed: {text}"
        case [_, *_] as strokes:
            return f"drawn, {len(strokes)} stroke{'' if len(strokes) == 1 else 's'} recorded with their timing"
    return None


def _reading_details(record: SignedRecord) -> str | None:
    if record.first_viewed_at is None:
        return None
    opening = f"opened {_device_time(record, 'first_viewed_at', record.first_viewed_at)}"
    return opening + (f", read to {record.scroll_depth} %" if record.scroll_depth is not None else "")


def _consent_details(record: SignedRecord) -> str | None:
    if record.consented_at is None:
        return None
    agreed_at = _device_time(record, "consented_at", record.consented_at)
    return f"Agreed {agreed_at} · version {record.consent_version}, language {record.consent_language}"


def _device_time(record: SignedRecord, name: str, stored: datetime) -> str:
    """Says that the time comes from the signer's device, and what the device claimed if that was not plausible."""
    claim = record.signing_details.get(f"claimed_{name}")
    try:
        claimed_at = datetime.fromisoformat(claim) if claim else stored
    except ValueError:
        # A time that only PostgreSQL can store, such as one before the year 1.
        return f"{format_utc(stored)} UTC (the signer's device claimed {claim})"
    if claimed_at == stored:
        return f"{format_utc(stored)} UTC by the clock of the signer's device"
    return f"{format_utc(stored)} UTC (the signer's device claimed {format_utc(claimed_at)})"
