"""Leaves out of a record what its signer must not learn about other people who opened or signed the same session."""

from dataclasses import replace
from typing import Any

from cairn.waivers.documents.record import AuditEvent, SignedRecord

# These details name no one, so the document shows them for every event of the session.
_NEUTRAL_DETAILS = frozenset({"scroll_depth", "language", "email_kind", "text_kind", "replaces"})


def record_for_signer(record: SignedRecord) -> SignedRecord:
    """Returns the record with the events and emails that its document shows.

    Anyone with the link can sign a session again, so a document contains no events of other signatures. Of an event of
    the session itself, such as an opening, it shows the IP address, the device and the account only if they are also
    those of the signature. The evidence pack, which only the company gets, contains everything.
    """
    addresses = {address.lower() for address in (record.signer_email, record.recipient_email) if address}
    return replace(
        record,
        events=[_event_for_signer(event, record) for event in record.events if _concerns(event, record, addresses)],
        emails=[email for email in record.emails if email.recipient.lower() in addresses],
    )


def _concerns(event: AuditEvent, record: SignedRecord, addresses: set[str]) -> bool:
    """Returns False for an event of another signature, or about an email to none of these lower-case addresses."""
    if event.details.get("waiver_id") not in (None, str(record.id)):
        return False
    return not _is_about_email(event) or str(event.details.get("recipient", "")).lower() in addresses


def _event_for_signer(event: AuditEvent, record: SignedRecord) -> AuditEvent:
    if _is_about_email(event):
        return event
    if "waiver_id" in event.details:
        # Why the company revoked a waiver is not for the signer.
        return replace(event, details={name: value for name, value in event.details.items() if name != "reason"})
    own_details = record.signing_details
    details: dict[str, Any] = {
        name: value
        for name, value in event.details.items()
        if name in _NEUTRAL_DETAILS or own_details.get(name) == value
    }
    return replace(event, details=details)


def _is_about_email(event: AuditEvent) -> bool:
    return "email_id" in event.details
