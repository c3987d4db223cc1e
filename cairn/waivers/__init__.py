"""Templates, sessions and signatures: the core of the product.

Opening a session and signing it are inserts, which the browser may send directly. Their rules are therefore in SQL.
This package does everything around them: it provides the data of the signing page, notifies the company, creates the
document that proves the signature (`documents`) and sends reminders (`reminders`).
"""

from cairn.waivers.documents import (
    DOCUMENT_LINK_PATH,
    FORM_SOURCE,
    DocumentContext,
    DocumentFailed,
    DocumentSettings,
    FilledForm,
    Seal,
    SealUnusable,
    SignerCopy,
    StuckDocument,
    Verdict,
    all_certificates,
    broken_evidence,
    document_link_page,
    evidence_pack,
    fetch_document,
    find_stored_document,
    form_for_session,
    form_for_template,
    known_certificates,
    latest_copy,
    load_seal,
    look_up_document,
    open_documents,
    open_seal,
    parse_filled_form,
    qr_code_svg,
    request_copy,
    retry_overdue_documents,
    send_copy_again,
    stuck_documents,
    verify,
    verify_with_record,
    wants_copy,
)
from cairn.waivers.invitation import invitation, standard_email
from cairn.waivers.jobs import attachment_sources, cancellation_checks, jobs
from cairn.waivers.reminders import STOP_PATH, queue_scheduled_reminders, stop_page
from cairn.waivers.settings import WaiverSettings
from cairn.waivers.signing_page import embedded_template_data, session_data, template_data
from cairn.waivers.storage_quota import measure_storage
from cairn.waivers.store import owns_session
from cairn.waivers.text_invitation import text_invitation

__all__ = [
    "DOCUMENT_LINK_PATH",
    "FORM_SOURCE",
    "STOP_PATH",
    "DocumentContext",
    "DocumentFailed",
    "DocumentSettings",
    "FilledForm",
    "Seal",
    "SealUnusable",
    "SignerCopy",
    "StuckDocument",
    "Verdict",
    "WaiverSettings",
    "all_certificates",
    "attachment_sources",
    "broken_evidence",
    "cancellation_checks",
    "document_link_page",
    "embedded_template_data",
    "evidence_pack",
    "fetch_document",
    "find_stored_document",
    "form_for_session",
    "form_for_template",
    "invitation",
    "jobs",
    "known_certificates",
    "latest_copy",
    "load_seal",
    "look_up_document",
    "measure_storage",
    "open_documents",
    "open_seal",
    "owns_session",
    "parse_filled_form",
    "qr_code_svg",
    "queue_scheduled_reminders",
    "request_copy",
    "retry_overdue_documents",
    "send_copy_again",
    "session_data",
    "standard_email",
    "stop_page",
    "stuck_documents",
    "template_data",
    "text_invitation",
    "verify",
    "verify_with_record",
    "wants_copy",
]
