"""Lists the audit events and emails of a waiver in chronological order, as readable text."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cairn.kit import frozen_dataclass
from cairn.waivers.documents.record import AuditEvent, SignedRecord, WaiverEmail

# Only these details of an event are shown, each with its label.
_DETAIL_LABELS = {
    "signer_name": "by",
    "signer_email": "",
    "reason": "reason:",
    "by_name": "by",
    "replaces": "instead of session",
    "replaced_by": "replaced by session",
    "invites": "invites session",
    "invited_by": "invited with session",
    "superseded_by": "replaced by waiver",
    "ip": "IP",
    "user_agent": "",
    "by": "account",
    "access": "as",
    "email_kind": "email:",
    "text_kind": "text message:",
    "recipient": "to",
    "message_id": "",
    "language": "language",
    "consent_version": "agreement to electronic records, version",
    "consent_language": "in",
    "scroll_depth": "read %",
    "claimed_first_viewed_at": "first view, as the device claimed",
    "claimed_last_viewed_at": "last view, as the device claimed",
    "claimed_consented_at": "agreed, as the device claimed",
    "document_sha256": "SHA-256",
}
# The certificate shows only these details. The technical details show all that have a label.
_SUMMARY_DETAILS = {"signer_name", "by_name", "recipient"}
# Details are separated by a middle dot. The name or the device of a signer must not look like several details, so
# middle dots between spaces are replaced, also those of other scripts that look the same.
_SEPARATOR = re.compile(r"(?:^|\s)(?:[·\u0387\u2219\u22c5\u30fb]+(?:\s+|$))+")
_EMAIL_TITLES = {
    "sending": "Email waiting to be sent",
    "delivered": "Email accepted by the mail server",
    "kept": "Email stored, but not delivered",
    "cancelled": "Email no longer needed, not sent",
    "failed": "Email not sent",
}


@frozen_dataclass
class Entry:
    """`summary` are the details that everyone understands. `details` are all of them."""

    at: datetime
    title: str
    details: str
    summary: str


def timeline(record: SignedRecord) -> list[dict[str, str]]:
    return [
        {"at": format_utc(entry.at), "what": entry.title, "details": entry.details}
        for entry in timeline_entries(record)
    ]


def timeline_entries(record: SignedRecord) -> list[Entry]:
    entries = [_event_entry(event) for event in record.events]
    if record.consented_at is not None:
        details = (
            f"version {record.consent_version} · language {record.consent_language} · clock of the signer's device"
        )
        entries.append(
            Entry(record.consented_at, "Agreed to electronic records", details, "by the clock of the signer's device")
        )
    # Older emails have no events.
    recorded_emails = {event.details.get("email_id") for event in record.events}
    entries += [
        Entry(
            email.sent_at or email.created_at,
            _EMAIL_TITLES[email.status],
            _email_details(email),
            f"to {email.recipient}",
        )
        for email in record.emails
        if str(email.id) not in recorded_emails
    ]
    return sorted(entries, key=lambda entry: (entry.at, entry.title, entry.details))


def _event_entry(event: AuditEvent) -> Entry:
    parts = {
        name: f"{label} {_SEPARATOR.sub(' - ', str(event.details[name]))}".strip()
        for name, label in _DETAIL_LABELS.items()
        if event.details.get(name) is not None
    }
    details = " · ".join([*parts.values(), f"hash {event.hash[:16]}"])
    summary = " · ".join(part for name, part in parts.items() if name in _SUMMARY_DETAILS)
    return Entry(event.at, event.title or event.name, details, summary)


def _email_details(email: WaiverEmail) -> str:
    return " · ".join(part for part in (email.recipient, email.subject, email.message_id) if part)


def format_utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03}"


def utc_and_local_time(moment: datetime, time_zone: str | None) -> str:
    """Returns the time in UTC, and in the signer's time zone if that is known and valid."""
    in_utc = f"{moment:%Y-%m-%d %H:%M:%S} UTC"
    if time_zone in (None, "", "UTC"):
        return in_utc
    try:
        return f"{in_utc} ({moment.astimezone(ZoneInfo(time_zone)):%Y-%m-%d %H:%M:%S} {time_zone})"
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return in_utc
