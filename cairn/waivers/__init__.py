"""Templates, sessions and signatures: what the product is for.

Floor 8. Opening a session and signing it are inserts whose rules live in the database (migrations 0007 to 0009,
0014, 0019 and 0020), because the browser may write there directly; this room holds what surrounds them: what the
signing page shows, what follows from a signature, and the document that proves it (`documents`).
"""

from cairn.waivers.documents import (
    FORM_SOURCE,
    Answers,
    Desk,
    DocumentSettings,
    Seal,
    StuckDocument,
    Verdict,
    all_certificates,
    broken_evidence,
    chase_documents,
    evidence_pack,
    fetch_document,
    filed_document,
    form_of_session,
    form_of_template,
    known_certificates,
    load_seal,
    look_up,
    open_desk,
    read_form,
    stuck_documents,
    verify,
    verify_with_record,
)
from cairn.waivers.jobs import attachment_sources, jobs
from cairn.waivers.show import show_session, show_template
from cairn.waivers.store import owns_session

__all__ = [
    "FORM_SOURCE",
    "Answers",
    "Desk",
    "DocumentSettings",
    "Seal",
    "StuckDocument",
    "Verdict",
    "all_certificates",
    "attachment_sources",
    "broken_evidence",
    "chase_documents",
    "evidence_pack",
    "fetch_document",
    "filed_document",
    "form_of_session",
    "form_of_template",
    "jobs",
    "known_certificates",
    "load_seal",
    "look_up",
    "open_desk",
    "owns_session",
    "read_form",
    "show_session",
    "show_template",
    "stuck_documents",
    "verify",
    "verify_with_record",
]
