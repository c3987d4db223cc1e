"""Templates, sessions and signatures: what the product is for.

Floor 8. Opening a session and signing it are inserts whose rules live in the database (migrations 0007 to 0009,
0014, 0019 to 0021), because the browser may write there directly; this room holds what surrounds them: what the
signing page shows, what follows from a signature, the document that proves it (`documents`), and asking again
(`reminders`).
"""

from cairn.waivers.documents import (
    FORM_SOURCE,
    Answers,
    DocumentContext,
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
    latest_copy,
    load_seal,
    look_up,
    open_documents,
    qr_picture,
    read_form,
    send_copy_again,
    stuck_documents,
    verify,
    verify_with_record,
)
from cairn.waivers.jobs import attachment_sources, jobs, objections
from cairn.waivers.reminders import STOP_ADDRESS, remind_by_schedule, stopping
from cairn.waivers.show import show_framed_template, show_session, show_template
from cairn.waivers.store import owns_session
from cairn.waivers.texts import invitation

__all__ = [
    "FORM_SOURCE",
    "STOP_ADDRESS",
    "Answers",
    "DocumentContext",
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
    "invitation",
    "jobs",
    "known_certificates",
    "latest_copy",
    "load_seal",
    "look_up",
    "objections",
    "open_documents",
    "owns_session",
    "qr_picture",
    "read_form",
    "remind_by_schedule",
    "send_copy_again",
    "show_framed_template",
    "show_session",
    "show_template",
    "stopping",
    "stuck_documents",
    "verify",
    "verify_with_record",
]
