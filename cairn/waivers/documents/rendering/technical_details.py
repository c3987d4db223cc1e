"""Builds the technical details at the end of a document: ids, hashes, the chain of events, and what the seal shows."""

from typing import Any

from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.signer_view import record_for_signer
from cairn.waivers.documents.timeline import timeline, utc_and_local_time

# What the hash of a record covers, by version of the record.
_HASHED_FIELDS = {
    1: "It covers the text, the signer's name and email address, and the signature picture.",
    2: "It covers the text, the names of waiver and company, the signer's name and email address, the signature "
    "picture and its strokes, the agreement to electronic records, the time of signing and the signer's time zone.",
    4: "It covers every field of the record: what it covers without a form, and also the form with its questions, the "
    "initials, the guardian, and every participant with name, birth date, answers and signature.",
    3: "It covers every field of the record: the ids, the text, the names of waiver and company, the version of the "
    "template, the signer's name and email address, the signature picture and its strokes, the agreement to electronic "
    "records, all times, the signer's time zone, IP address and device, and how far the text was read.",
}
_STATEMENT = [
    "This is a simple electronic signature with integrity protection. The record was stored at the moment of signing "
    "and cannot be changed by anyone who uses the service; its events form a chain in which each holds the hash of "
    "the one before.",
    "The service sealed this document with a PAdES signature over all of it. A change of a single byte can be "
    "detected: open the link of the QR code, run `cairn verify`, or use any tool that checks PDF signatures.",
]
_HEAD_STATEMENT = (
    "The service also signs heads, which cover the histories of all waivers of the company. The newest one before this "
    "document was sealed has the SHA-256 fingerprint {sha256}."
)
_TIMESTAMPED = "The time of sealing is confirmed by an external RFC 3161 timestamp inside the seal."
_DEMO_TIMES = "The times are made up, because this is sample data. Only the seal has a real time."
_NOT_TIMESTAMPED = "The times are those of the service's own clock; there is no external timestamp."


def technical_data(record: SignedRecord, verify_link: str, *, is_timestamped: bool) -> dict[str, Any]:
    return {
        "technical_details": _details(record, verify_link),
        "record_sha256": record.record_sha256,
        "record_covers": _HASHED_FIELDS[record.record_version],
        "events": timeline(record_for_signer(record)),
        "statement": [*_STATEMENT, *_head_statement(record), *_time_statement(record, is_timestamped=is_timestamped)],
    }


def _details(record: SignedRecord, verify_link: str) -> list[tuple[str, str]]:
    details = {
        "Waiver id": str(record.id),
        "Session id": str(record.session_id),
        "Link to check": verify_link,
        "Signed": utc_and_local_time(record.signed_at, record.time_zone),
        "IP address": record.ip,
        "Device": record.user_agent,
        "Strokes": _strokes(record),
        "Consent": _consent(record),
    }
    return [(name, value) for name, value in details.items() if value]


def _strokes(record: SignedRecord) -> str | None:
    return f"{len(record.strokes)}, recorded with their timing" if isinstance(record.strokes, list) else None


def _consent(record: SignedRecord) -> str | None:
    if record.consent_version is None:
        return None
    return f"version {record.consent_version}, language {record.consent_language}"


def _time_statement(record: SignedRecord, *, is_timestamped: bool) -> list[str]:
    if not record.is_demo:
        return [_TIMESTAMPED if is_timestamped else _NOT_TIMESTAMPED]
    return [_DEMO_TIMES, *([_TIMESTAMPED] if is_timestamped else [])]


def _head_statement(record: SignedRecord) -> list[str]:
    return [] if record.newest_head_sha256 is None else [_HEAD_STATEMENT.format(sha256=record.newest_head_sha256)]
