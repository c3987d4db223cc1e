"""Renders, seals, stores, serves and verifies the document that proves a signature.

`rendering` turns a signed record into PDF pages, `sealing` signs them with the key of this deployment, and `context`
stores the result permanently in the bucket `signed-waivers`. `verification` needs only the bytes and the certificates.
`forms` creates the interactive PDF that a guest can fill in before signing online.
"""

from cairn.waivers.documents.access import note_download
from cairn.waivers.documents.audit import (
    EVIDENCE_FILES,
    CompanyEvidence,
    check_heads_and_documents,
    check_records_and_events,
    evidence_by_company,
)
from cairn.waivers.documents.certificate_trust import (
    save_own_certificates,
    trusted_certificates,
    untrusted_certificates,
)
from cairn.waivers.documents.context import DocumentContext, open_documents
from cairn.waivers.documents.document_link import DOCUMENT_LINK_PATH, document_link_page
from cairn.waivers.documents.download_document import document_to_attach, fetch_document
from cairn.waivers.documents.errors import DocumentDamaged, DocumentFailed, SealUnusable
from cairn.waivers.documents.evidence_pack import evidence_pack
from cairn.waivers.documents.forms import (
    FORM_SOURCE,
    FilledForm,
    interactive_form_for_session,
    interactive_form_for_template,
    interactive_form_to_attach,
    parse_filled_form,
)
from cairn.waivers.documents.heads import (
    check_exported_heads,
    export_heads,
    seal_new_events,
    timestamp_heads,
)
from cairn.waivers.documents.next_document import next_document
from cairn.waivers.documents.prepare_document import (
    MAX_TRIES,
    prepare_document,
    prepare_when_storable,
    retry_overdue_documents,
)
from cairn.waivers.documents.record import document_path
from cairn.waivers.documents.rendering import qr_code_svg
from cairn.waivers.documents.seal_keys import from_pem, new_seal_key
from cairn.waivers.documents.sealing import (
    CertificateKey,
    Seal,
    known_certificates,
    load_seal,
    pem_of,
    read_seal_files,
    store_certificates,
    write_seal_files,
)
from cairn.waivers.documents.settings import DocumentSettings
from cairn.waivers.documents.signer_copy import (
    DOCUMENT_SOURCE,
    latest_copy,
    must_request_copy,
    request_copy,
    send_copy_again,
)
from cairn.waivers.documents.store import (
    SignerCopy,
    StuckDocument,
    broken_evidence,
    find_stored_document,
    stuck_documents,
)
from cairn.waivers.documents.verification import (
    SessionEvidence,
    Verdict,
    check_session,
    look_up_document,
    verify,
    verify_with_record,
)

__all__ = [
    "DOCUMENT_LINK_PATH",
    "DOCUMENT_SOURCE",
    "EVIDENCE_FILES",
    "FORM_SOURCE",
    "MAX_TRIES",
    "CertificateKey",
    "CompanyEvidence",
    "DocumentContext",
    "DocumentDamaged",
    "DocumentFailed",
    "DocumentSettings",
    "FilledForm",
    "Seal",
    "SealUnusable",
    "SessionEvidence",
    "SignerCopy",
    "StuckDocument",
    "Verdict",
    "broken_evidence",
    "check_exported_heads",
    "check_heads_and_documents",
    "check_records_and_events",
    "check_session",
    "document_link_page",
    "document_path",
    "document_to_attach",
    "evidence_by_company",
    "evidence_pack",
    "export_heads",
    "fetch_document",
    "find_stored_document",
    "from_pem",
    "interactive_form_for_session",
    "interactive_form_for_template",
    "interactive_form_to_attach",
    "known_certificates",
    "latest_copy",
    "load_seal",
    "look_up_document",
    "must_request_copy",
    "new_seal_key",
    "next_document",
    "note_download",
    "open_documents",
    "parse_filled_form",
    "pem_of",
    "prepare_document",
    "prepare_when_storable",
    "qr_code_svg",
    "read_seal_files",
    "request_copy",
    "retry_overdue_documents",
    "save_own_certificates",
    "seal_new_events",
    "send_copy_again",
    "store_certificates",
    "stuck_documents",
    "timestamp_heads",
    "trusted_certificates",
    "untrusted_certificates",
    "verify",
    "verify_with_record",
    "write_seal_files",
]
