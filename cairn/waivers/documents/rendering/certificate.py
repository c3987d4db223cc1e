"""Builds the certificate of a signed waiver: who signed what, when and how, in words that everyone understands."""

from datetime import datetime
from typing import Any

from cairn.kit import LocalZone, local_zone
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering.images import qr_code_for_template
from cairn.waivers.documents.rendering.waiver_text import text_direction
from cairn.waivers.documents.signer_view import record_for_signer
from cairn.waivers.documents.timeline import format_utc, timeline_entries

_SUMMARY = (
    "{signer} signed “{waiver}” electronically for {company}. This page says when and how. The technical details are "
    "at the end."
)
_DEMO_SUMMARY = (
    "This is sample data of cairn demo: no one has signed this waiver, and its times are made up. A real certificate "
    "says here who signed what, and below when and how."
)
_NO_CONSENT = "No separate agreement to electronic records was recorded with this signature."
_SIGNED_IN_PERSON = "On a device that was signed in to the company's account"
_HOW_TO_CHECK = [
    "Scan the code above or open its link. The page shows whether this waiver is on record, and whether your copy of "
    "this document is unchanged. You do not need an account. Programs that check signatures in PDF files show it too.",
    "This is a simple electronic signature with integrity protection: the record was stored when it was signed, and "
    "this document was sealed afterwards, so that any later change can be detected.",
]


def certificate_data(record: SignedRecord, verify_link: str) -> dict[str, Any]:
    zone = document_zone(record)
    consent = record.consent_text or _NO_CONSENT
    names = {"signer": record.signer_name, "waiver": record.template_name, "company": record.company_name}
    return {
        "summary": _DEMO_SUMMARY if record.is_demo else _SUMMARY.format(**names),
        "details": _details(record, zone),
        "qr": qr_code_for_template(verify_link),
        "verify_link": verify_link,
        "consent": consent,
        "consent_dir": text_direction(consent),
        "consent_details": _consent_details(record, zone),
        "zone": None if zone is None else zone.name,
        "history": _history(record, zone),
        "how_to_check": _HOW_TO_CHECK,
    }


def document_zone(record: SignedRecord) -> LocalZone | None:
    """Returns the zone in which a document shows its times beside UTC: the company's, or else the signer's."""
    return local_zone(record.company_time_zone, record.time_zone)


def seconds_utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def _details(record: SignedRecord, zone: LocalZone | None) -> list[tuple[str, str]]:
    details = {
        "Signed by": record.signer_name,
        "Email": record.signer_email,
        "Waiver": record.template_name + (f", version {record.template_version}" if record.template_version else ""),
        "Company": record.company_name,
        "Signed on": None if zone is None else zone.date_and_time_with_zone(record.signed_at, with_seconds=True),
        "Signed on (UTC)": seconds_utc(record.signed_at),
        "Signer's local time": _signers_own_time(record, zone),
        "Sent to": _recipient(record),
        "Signature": _signing_method(record),
        "Signed in person": _SIGNED_IN_PERSON if record.is_signed_in_person else None,
        "Reading": _reading_details(record, zone),
    }
    return [(name, value) for name, value in details.items() if value]


def _signers_own_time(record: SignedRecord, zone: LocalZone | None) -> str | None:
    """Returns the time of signing in the signer's zone, or None if it is unknown or the document shows it anyway."""
    own_zone = local_zone(record.time_zone)
    if own_zone is None or own_zone == zone:
        return None
    return own_zone.date_and_time_with_zone(record.signed_at, with_seconds=True)


def _recipient(record: SignedRecord) -> str | None:
    parts = [part for part in (record.recipient_name, record.recipient_email) if part]
    return ", ".join(parts) or None


def _signing_method(record: SignedRecord) -> str | None:
    match record.strokes:
        case {"typed": str() as text}:
            return f"Typed: {text}"
        case [_, *_] as strokes:
            return f"Drawn by hand, in {len(strokes)} stroke{'' if len(strokes) == 1 else 's'}"
    return None


def _reading_details(record: SignedRecord, zone: LocalZone | None) -> str | None:
    if record.first_viewed_at is None:
        return None
    opening = f"First opened {_device_time(record, 'first_viewed_at', record.first_viewed_at, zone)}"
    return opening + (
        f"; scrolled through {record.scroll_depth} % of the text" if record.scroll_depth is not None else ""
    )


def _consent_details(record: SignedRecord, zone: LocalZone | None) -> str | None:
    if record.consented_at is None:
        return None
    return f"Agreed {_device_time(record, 'consented_at', record.consented_at, zone)}"


def _device_time(record: SignedRecord, name: str, stored: datetime, zone: LocalZone | None) -> str:
    """Says that the time comes from the signer's device, and what the device claimed if that was not plausible."""
    times = seconds_utc(stored) if zone is None else f"{zone.date_and_time_with_zone(stored)}, {seconds_utc(stored)}"
    claim = record.signing_details.get(f"claimed_{name}")
    try:
        claimed_at = datetime.fromisoformat(claim) if claim else stored
    except ValueError:
        # A time that only PostgreSQL can store, such as one before the year 1.
        return f"{times} (the signer's device claimed {claim})"
    if claimed_at == stored:
        return f"{times} by the clock of the signer's device"
    return f"{times} (the signer's device claimed {format_utc(claimed_at)})"


def _history(record: SignedRecord, zone: LocalZone | None) -> list[dict[str, str | None]]:
    return [
        {
            "local": None if zone is None else zone.date_and_time(entry.at, with_seconds=True),
            "utc": f"{entry.at:%Y-%m-%d %H:%M:%S}",
            "what": entry.title,
            "details": entry.summary,
        }
        for entry in timeline_entries(record_for_signer(record))
    ]
