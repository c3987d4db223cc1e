"""The signed record with everything that the document and the evidence pack contain."""

import json
from dataclasses import field
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.kit import frozen_dataclass


@frozen_dataclass
class AuditEvent:
    id: int
    name: str
    details: dict[str, Any]
    at: datetime
    previous: str | None
    hash: str
    version: int = 1
    salt: str | None = None
    details_sha256: str | None = None
    """Set only for an erased event: the hash of the details that it had."""
    is_erased: bool = False
    title: str = ""


@frozen_dataclass
class WaiverEmail:
    """An email about this waiver, with its delivery status."""

    recipient: str
    subject: str
    status: str
    created_at: datetime
    sent_at: datetime | None
    message_id: str | None
    id: UUID | None = None


@frozen_dataclass
class Participant:
    """A person of a signed waiver with a form. JSON is text as PostgreSQL prints it, because this text is hashed."""

    id: UUID
    number: int
    takes_part: bool
    name: str
    birth_date: str | None
    kind: str
    answers: str
    signature: str | None
    sensitive_sha256: str | None
    # None if there are no sensitive answers, or if they have been deleted.
    sensitive_answers: str | None
    sensitive_salt: str | None

    @property
    def all_answers(self) -> dict[str, Any]:
        return {**json.loads(self.answers), **json.loads(self.sensitive_answers or "{}")}


@frozen_dataclass
class SignedRecord:
    """The names of its fields are also the keys of `record.json` in the evidence pack."""

    id: UUID
    session_id: UUID
    company_id: UUID | None
    company_name: str
    template_id: str
    template_name: str
    template_version: int | None
    # The text before the names were filled in. It is parsed as Markdown first, so a name is never taken for markup.
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
    emails: list[WaiverEmail]
    # The time zone in the settings of the company today, in which the document also shows its times. It is not part of
    # the record.
    company_time_zone: str | None = None
    # The hash of the company's newest head when the document is prepared. The document names it, so that everyone who
    # has the document can show later that this head existed.
    newest_head_sha256: str | None = None
    # A waiver that was revoked after its document was sealed is marked here and in the history, not in the document.
    revoked_at: datetime | None = None
    revoke_reason: str | None = None
    superseded_by: UUID | None = None
    erased_at: datetime | None = None
    # What was signed with a form, as text like the JSON of a participant. A waiver without a form has none of it.
    form: str | None = None
    initials: str | None = None
    guardian: str | None = None
    participants: list[Participant] = field(default_factory=list)

    @property
    def signing_details(self) -> dict[str, Any]:
        """The details of the event that stored this signature. A session can be signed more than once."""
        details = (event.details for event in self.events if event.name == "waiver.signed")
        return next((detail for detail in details if detail.get("waiver_id") == str(self.id)), {})

    @property
    def is_signed_in_person(self) -> bool:
        """Returns True if an account of the company was signed in on the device that signed."""
        return bool(self.signing_details.get("by_company", "") == str(self.company_id))

    @property
    def is_demo(self) -> bool:
        """Returns True for a waiver of `cairn demo`, whose times are made up."""
        return any(event.name == "session.sampled" for event in self.events)

    @property
    def storage_path(self) -> str:
        return document_path(self.company_id, self.id)


def document_path(company_id: UUID | str | None, waiver_id: UUID | str) -> str:
    """The path of a waiver's document in the bucket `signed-waivers`."""
    return f"{company_id or 'unowned'}/{waiver_id}.pdf"
