"""Verifies and reads the webhooks of Resend, which are signed in the format of Svix."""

import base64
import hmac
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from cairn.messaging.errors import ReportMalformed, ReportUnsigned
from cairn.messaging.suppression.fields import text_field
from cairn.messaging.suppression.report import MailReport, Reason
from cairn.messaging.suppression.report_keys import resend_secret
from cairn.messaging.suppression.signed_at import check_signed_at

_TOLERANCE = timedelta(minutes=5)
# Resend accepts no email with more recipients.
_MAX_RECIPIENTS = 50


def read_resend_reports(headers: Mapping[str, str], body: bytes, key: str, now: datetime) -> list[MailReport]:
    """Returns one report for each recipient if the event is a bounce or a complaint. Other events contain none."""
    verify_svix_signature(headers, body, key, now)
    event = _parse(body)
    data = event.get("data")
    recipients = data.get("to") if isinstance(data, dict) else None
    reason = _reason(event)
    if reason is None:
        return []
    if not isinstance(data, dict) or not isinstance(recipients, list) or len(recipients) > _MAX_RECIPIENTS:
        raise ReportMalformed
    message_ids = tuple(filter(None, (text_field(data, "email_id"), text_field(data, "message_id"))))
    detail = text_field(_object(data.get("bounce")), "message")
    subject = text_field(data, "subject") or None
    return [
        MailReport(text_field({"to": recipient}, "to"), reason, detail, message_ids, subject)
        for recipient in recipients
    ]


def verify_svix_signature(headers: Mapping[str, str], body: bytes, key: str, now: datetime) -> None:
    message_id, timestamp = headers.get("svix-id", ""), headers.get("svix-timestamp", "")
    check_signed_at(timestamp, now, _TOLERANCE)
    content = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(resend_secret(key), content, sha256).digest())
    # While a secret is being replaced, there are two signatures, and one of them must match.
    signatures = [part.partition(",") for part in headers.get("svix-signature", "").split()]
    if not any(
        version == "v1" and hmac.compare_digest(signature.encode(), expected) for version, _, signature in signatures
    ):
        raise ReportUnsigned


def _parse(body: bytes) -> dict[str, Any]:
    try:
        event = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ReportMalformed from error
    if not isinstance(event, dict):
        raise ReportMalformed
    return event


def _reason(event: dict[str, Any]) -> Reason | None:
    kind = event.get("type")
    if kind == "email.complained":
        return "complaint"
    bounce = _object(_object(event.get("data")).get("bounce"))
    # A mailbox that is full, for example, is a transient bounce: the next email may arrive.
    if kind == "email.bounced" and bounce.get("type", "Permanent") == "Permanent":
        return "bounce"
    return None


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
