"""What happened, in order, in words."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cairn.waivers.documents.record import AuditEvent, Delivery, Record

_NAMES = {
    "session.opened": "Session opened",
    "session.viewed": "Waiver opened",
    "waiver.signed": "Signed",
    "document.sealed": "Document sealed",
}
# Which facts of an event are told, and the word before each.
_TOLD = {
    "signer_name": "by",
    "signer_email": "",
    "ip": "IP",
    "user_agent": "",
    "by": "account",
    "scroll_depth": "read %",
    "document_sha256": "SHA-256",
}


def timeline(record: Record) -> list[dict[str, str]]:
    """Audit events and mails in one order."""
    told = [(event.at, _NAMES.get(event.name, event.name), _details(event)) for event in record.events]
    told += [(mail.sent_at or mail.created_at, *_mail(mail)) for mail in record.deliveries]
    return [{"at": utc(at), "what": what, "details": details} for at, what, details in sorted(told)]


def _details(event: AuditEvent) -> str:
    parts = [f"{word} {event.facts[key]}".strip() for key, word in _TOLD.items() if event.facts.get(key) is not None]
    return " · ".join([*parts, f"hash {event.hash[:16]}"])


_BECAME = {
    "sending": "Mail waiting to be sent",
    "delivered": "Mail accepted by the mail server",
    "kept": "Mail kept, it went to nobody",
    "cancelled": "Mail not needed any more, not sent",
    "failed": "Mail not sent",
}


def _mail(mail: Delivery) -> tuple[str, str]:
    return _BECAME[mail.status], " · ".join(part for part in (mail.recipient, mail.subject, mail.message_id) if part)


def utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03}"


def both_times(moment: datetime, time_zone: str | None) -> str:
    """UTC, and what the signer's own clock showed, when the signer's zone is known and is one."""
    told = f"{moment:%Y-%m-%d %H:%M:%S} UTC"
    if time_zone in (None, "", "UTC"):
        return told
    try:
        return f"{told} ({moment.astimezone(ZoneInfo(time_zone)):%Y-%m-%d %H:%M:%S} {time_zone})"
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return told
