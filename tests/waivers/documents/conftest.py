"""A fixture that makes signed records without a database."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeAlias
from uuid import UUID

import pytest

from cairn.waivers.documents.record import AuditEvent, SignedRecord
from tests.factories import signature_data_url

MakeRecord: TypeAlias = Callable[..., SignedRecord]

SIGNED_AT = datetime(2026, 11, 15, 9, 30, 12, 345000, tzinfo=UTC)


@pytest.fixture
def make_record() -> MakeRecord:
    """Returns a function that makes a record. A test passes only the fields it cares about."""

    def make_with(**fields: Any) -> SignedRecord:
        defaults: dict[str, Any] = {
            "id": UUID("254ee2e0-f4d3-402b-8297-3a27ca62af27"),
            "session_id": UUID("71605e7f-63a9-4005-a577-67fb29c8f861"),
            "company_id": UUID("5aa83fb6-f27e-4165-8938-8355e614231b"),
            "company_name": "Rio Rafting",
            "template_id": "tpl-river",
            "template_name": "River trip",
            "template_version": 3,
            "template_content": "# Risk\n\nI, [PARTICIPANT NAME], ride with [COMPANY NAME].",
            "content": "# Risk\n\nI, Gil Okafor, ride with Rio Rafting.",
            "recipient_name": "Gil Okafor", "recipient_email": "gil@example.com",
            "signer_name": "Gil Okafor", "signer_email": "gil@example.com",
            "signature": signature_data_url(), "signed_at": SIGNED_AT,
            "ip": "203.0.113.7", "user_agent": "A phone", "time_zone": "Europe/Madrid", "strokes": None,
            "consent_version": None, "consent_language": None, "consent_text": None, "consented_at": None,
            "first_viewed_at": None, "last_viewed_at": None, "scroll_depth": None,
            "record_version": 2, "record_sha256": "ab" * 32,
            "document_path": None, "document_sha256": None, "document_at": None,
            "events": [AuditEvent(1, "session.opened", {"ip": "203.0.113.7"}, SIGNED_AT, None, "cd" * 32)],
            "emails": [],
        }  # fmt: skip
        if "signer_name" in fields and "content" not in fields:
            template = fields.get("template_content", defaults["template_content"])
            with_signer = template.replace("[PARTICIPANT NAME]", fields["signer_name"])
            fields["content"] = with_signer.replace(
                "[COMPANY NAME]", fields.get("company_name", defaults["company_name"])
            )
        return SignedRecord(**{**defaults, **fields})

    return make_with
