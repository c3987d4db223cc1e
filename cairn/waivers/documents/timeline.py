"""Lists the audit events and emails of a waiver in chronological order, as readable text."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cairn.waivers.documents.record import AuditEvent, SignedRecord, WaiverEmail

# Only these details of an event are shown, each with its label.
_DETAIL_LABELS = {
    "signer_name": "by",
    "signer_email": "",
    "reason": "reason:",
    "by_name": "by",
    "replaces": "instead of session",
    "replaced_by": "replaced by session",
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
# Details are separated by this character. The name or the device of a signer must not look like several details.
_SEPARATOR = re.compile(r"\s·\s")
_EMAIL_TITLES = {
    "sending": "Email waiting to be sent",
    "delivered": "Email accepted by the mail server",
    "kept": "Email stored, but not delivered",
    "cancelled": "Email no longer needed, not sent",
    "failed": "Email not sent",
}


def timeline(record: SignedRecord) -> list[dict[str, str]]:
    entries = [(event.at, event.title or event.name, _event_details(event)) for event in record.events]
    if record.consented_at is not None:
        details = (
            f"version {record.consent_version} · language {record.consent_language} · clock of the signer's device"
        )
        entries.append((record.consented_at, "Agreed to electronic records", details))
    # Older emails have no events.
    recorded_emails = {event.details.get("email_id") for event in record.events}
    entries += [
        (email.sent_at or email.created_at, _EMAIL_TITLES[email.status], _email_details(email))
        for email in record.emails
        if str(email.id) not in recorded_emails
    ]
    return [{"at": format_utc(at), "what": title, "details": details} for at, title, details in sorted(entries)]


def _event_details(event: AuditEvent) -> str:
    parts = [
        f"{label} {_SEPARATOR.sub(' - ', str(event.details[name]))}".strip()
        for name, label in _DETAIL_LABELS.items()
        if event.details.get(name) is not None
    ]
    return " · ".join([*parts, f"hash {event.hash[:16]}"])


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
