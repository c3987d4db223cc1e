"""Verifies and reads the signed event webhooks of SendGrid."""

import base64
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.hashes import SHA256

from cairn.messaging.errors import ReportMalformed, ReportTooLong, ReportUnsigned
from cairn.messaging.suppression.fields import text_field
from cairn.messaging.suppression.report import MailReport, Reason
from cairn.messaging.suppression.report_keys import sendgrid_public_key
from cairn.messaging.suppression.signed_at import check_signed_at

# SendGrid sends an event again for a day if it could not be delivered.
_TOLERANCE = timedelta(days=1)
# A request of SendGrid contains the events of one second, or 768 kB of them, and each has more than 200 bytes.
MAX_EVENTS = 5_000
# Why SendGrid drops an email: an earlier one to this address came back, or was reported as spam.
_DROPPED: dict[str, Reason] = {"Bounced Address": "bounce", "Invalid": "bounce", "Spam Reporting Address": "complaint"}


def read_sendgrid_reports(headers: Mapping[str, str], body: bytes, key: str, now: datetime) -> list[MailReport]:
    timestamp = headers.get("x-twilio-email-event-webhook-timestamp", "")
    check_signed_at(timestamp, now, _TOLERANCE)
    verify_sendgrid_signature(headers.get("x-twilio-email-event-webhook-signature", ""), timestamp, body, key)
    try:
        events = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ReportMalformed from error
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise ReportMalformed
    if len(events) > MAX_EVENTS:
        raise ReportTooLong(limit=MAX_EVENTS)
    return [report for event in events if (report := _read_event(event)) is not None]


def verify_sendgrid_signature(signature: str, timestamp: str, body: bytes, key: str) -> None:
    try:
        signature_bytes = base64.b64decode(signature, validate=True)
        sendgrid_public_key(key).verify(signature_bytes, timestamp.encode() + body, ECDSA(SHA256()))
    except (InvalidSignature, ValueError) as error:
        raise ReportUnsigned from error


def _read_event(event: dict[str, Any]) -> MailReport | None:
    reason = _reason(event)
    if reason is None:
        return None
    # An email that was sent over SMTP has its own Message-ID, which SendGrid calls `smtp-id`.
    message_ids = (*_accepted_ids(text_field(event, "sg_message_id")), text_field(event, "smtp-id"))
    return MailReport(text_field(event, "email"), reason, text_field(event, "reason"), tuple(filter(None, message_ids)))


def _accepted_ids(sg_message_id: str) -> list[str]:
    """Returns the possible ids with which SendGrid has accepted the email over HTTP.

    `sg_message_id` starts with that id, which consists of one to three parts, and continues with the names of servers.
    """
    parts = sg_message_id.split(".")
    return [".".join(parts[:count]) for count in (1, 2, 3)]


def _reason(event: dict[str, Any]) -> Reason | None:
    kind = event.get("event")
    if kind == "spamreport":
        return "complaint"
    # The type "blocked" means that the address exists, and that the next email may be accepted.
    if kind == "bounce" and event.get("type", "bounce") == "bounce":
        return "bounce"
    return _DROPPED.get(text_field(event, "reason")) if kind == "dropped" else None
