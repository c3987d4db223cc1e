"""Everything the database knows about one signature, as the document and the evidence pack tell it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class AuditEvent:
    id: int
    name: str
    facts: dict[str, Any]
    at: datetime
    previous: str | None
    hash: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """A mail about this waiver, and what became of it."""

    recipient: str
    subject: str
    status: str
    created_at: datetime
    sent_at: datetime | None
    message_id: str | None


@dataclass(frozen=True, slots=True)
class Record:
    id: UUID
    session_id: UUID
    company_id: UUID | None
    company_name: str
    template_id: str
    template_name: str
    template_version: int | None
    # As it was before the names were filled in: read as Markdown first, so that a name is never taken for markup.
    template_content: str
    content: str
    recipient_name: str | None
    recipient_email: str | None
    signer_name: str
    signer_email: str
    signature: str
    signed_at: datetime
    ip: str | None
    user_agent: str | None
    time_zone: str | None
    strokes: Any
    consent_version: str | None
    consent_language: str | None
    consent_text: str | None
    consented_at: datetime | None
    first_viewed_at: datetime | None
    last_viewed_at: datetime | None
    scroll_depth: int | None
    record_version: int
    record_sha256: str
    document_path: str | None
    document_sha256: str | None
    document_at: datetime | None
    events: list[AuditEvent]
    deliveries: list[Delivery]

    @property
    def filed_as(self) -> str:
        return f"{self.company_id or 'unowned'}/{self.id}.pdf"
