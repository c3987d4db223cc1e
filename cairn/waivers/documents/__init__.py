"""The document that proves a signature: rendered, sealed, filed, handed out and verified.

A record becomes plain data (`contents`), the data becomes pages (`render`), the pages get the service's seal (`seal`)
and are stored permanently in the bucket `signed-waivers` (`context`). `verify` needs bytes and
certificates only.
"""

from cairn.waivers.documents.context import DocumentContext, open_documents
from cairn.waivers.documents.copies import latest_copy, send_copy_again
from cairn.waivers.documents.fetch import document_to_attach, fetch_document
from cairn.waivers.documents.filled import Answers, read_form
from cairn.waivers.documents.judge import all_certificates, look_up, verify_with_record
from cairn.waivers.documents.keeping import known_certificates, load_seal
from cairn.waivers.documents.offer import FORM_SOURCE, form_of_session, form_of_template, form_to_attach
from cairn.waivers.documents.pack import evidence_pack
from cairn.waivers.documents.pictures import qr_picture
from cairn.waivers.documents.prepare import DOCUMENT_SOURCE, chase_documents, prepare_document
from cairn.waivers.documents.seal import Seal
from cairn.waivers.documents.settings import DocumentSettings
from cairn.waivers.documents.store import StuckDocument, broken_evidence, stuck_documents
from cairn.waivers.documents.store import filed as filed_document
from cairn.waivers.documents.verdict import Verdict
from cairn.waivers.documents.verify import verify

__all__ = [
    "DOCUMENT_SOURCE",
    "FORM_SOURCE",
    "Answers",
    "DocumentContext",
    "DocumentSettings",
    "Seal",
    "StuckDocument",
    "Verdict",
    "all_certificates",
    "broken_evidence",
    "chase_documents",
    "document_to_attach",
    "evidence_pack",
    "fetch_document",
    "filed_document",
    "form_of_session",
    "form_of_template",
    "form_to_attach",
    "known_certificates",
    "latest_copy",
    "load_seal",
    "look_up",
    "open_documents",
    "prepare_document",
    "qr_picture",
    "read_form",
    "send_copy_again",
    "stuck_documents",
    "verify",
    "verify_with_record",
]
