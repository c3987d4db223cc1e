"""Verifies the seal of a document, and checks in the database whether its record still agrees."""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any
from uuid import UUID

from asyncpg import QueryCanceledError
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import Certificate, load_pem_x509_certificate

from cairn.db import SERVICE, Database
from cairn.kit import SandboxFailed
from cairn.waivers.documents import store
from cairn.waivers.documents.certificate_trust import trusted_certificates
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import HistoryNotChecked
from cairn.waivers.documents.store import StoredDocument
from cairn.waivers.documents.verification.check_session import SessionEvidence, check_session
from cairn.waivers.documents.verification.verdict import Verdict
from cairn.waivers.documents.verification.verify_seal import verify

_NOT_ON_RECORD = "No document of this waiver is on record here."
_BEING_PREPARED = "This waiver is signed and stored. Its sealed document is being prepared."
_TOO_LONG = "This waiver is signed and stored. Its text is too long for a sealed document."
_ERASED = "This waiver was signed here and was erased later. Its history and the fingerprint of its document are kept."
_ON_RECORD = "A sealed document of this waiver is on record here. To check yours, verify the file itself."

# A look-up needs no account, so it checks at most this many entries of heads. `cairn verify` and `cairn audit` check
# all of them.
_MAX_ENTRIES = 20_000


async def verify_with_record(
    database: Database,
    documents: DocumentContext,
    pdf: bytes,
    *,
    network: str,
    turn: AbstractAsyncContextManager[None],
) -> dict[str, Any]:
    """Returns the response body of the function `verify-document` for an uploaded file.

    `turn` is entered while the history is checked, but not while the file is read, which takes longer.
    """
    async with database.acting_as(SERVICE, read_only=True) as connection:
        certificates = await trusted_certificates(connection, documents.data_folder, documents.certificate_key)
    verdict = await _verify_in_sandbox(documents, pdf, certificates, network)
    document = await _find_document(database, verdict.record.waiver_id) if verdict.record else None
    sha256 = hashlib.sha256(pdf).hexdigest()
    response = {
        "state": verdict.state,
        "says": verdict.message,
        "document_sha256": sha256,
        "sealed_at": verdict.sealed_at.isoformat() if verdict.sealed_at else None,
        "timestamped_at": verdict.timestamp.at.isoformat() if verdict.timestamp else None,
    }
    if document is None:
        return {**response, "on_record": False}
    async with turn:
        record = await _public_record(database, document, certificates, verdict.head_sha256)
    return {**record, **response, "on_record": document.document_sha256 == sha256}


async def _verify_in_sandbox(
    documents: DocumentContext, pdf: bytes, certificates: Sequence[Certificate], network: str
) -> Verdict:
    pems = [certificate.public_bytes(Encoding.PEM) for certificate in certificates]
    try:
        return await documents.reading.run(network, verify_synchronously, pdf, pems)
    except SandboxFailed:
        return Verdict("unreadable")


def verify_synchronously(pdf: bytes, certificates: list[bytes]) -> Verdict:
    """Runs in a separate process. Its arguments are pickled, so the certificates are PEM, and it has no event loop."""
    return asyncio.run(verify(pdf, [load_pem_x509_certificate(pem) for pem in certificates]))


async def look_up_document(database: Database, documents: DocumentContext, waiver_id: UUID) -> dict[str, Any]:
    """Returns the response body for the link printed on a document: whether it is on record, and its fingerprint."""
    document = await _find_document(database, waiver_id)
    if document is None:
        return {"state": "unknown", "says": _NOT_ON_RECORD, "on_record": False}
    if document.has_failed:
        return {"state": "failed", "says": _TOO_LONG, "on_record": False}
    if document.document_sha256 is None and document.erased_at is None:
        return {"state": "preparing", "says": _BEING_PREPARED, "on_record": False}
    async with database.acting_as(SERVICE, read_only=True) as connection:
        certificates = await trusted_certificates(connection, documents.data_folder, documents.certificate_key)
    record = await _public_record(database, document, certificates)
    if document.erased_at is not None:
        return {"state": "erased", "says": _ERASED, **record, "on_record": False}
    return {"state": "on_record", "says": _ON_RECORD, **record, "on_record": True}


async def _find_document(database: Database, waiver_id: UUID) -> StoredDocument | None:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await store.find_stored_document(connection, waiver_id)


async def _public_record(
    database: Database,
    document: StoredDocument,
    certificates: Sequence[Certificate],
    named_head: str | None = None,
) -> dict[str, Any]:
    """Returns what anyone may know. It contains no name of a person, of the company or of the template."""
    try:
        async with (
            database.acting_as(SERVICE, store.HISTORY_STATEMENT_TIMEOUT, read_only=True) as connection,
            asyncio.timeout(store.HISTORY_CHECK_SECONDS),
        ):
            evidence = await check_session(
                connection, document.session_id, certificates, named_head, max_entries=_MAX_ENTRIES
            )
    except (QueryCanceledError, TimeoutError) as error:
        raise HistoryNotChecked from error
    head = evidence.head
    return {
        "waiver_id": str(document.waiver_id),
        "document_sha256": document.document_sha256,
        "sealed_at": document.document_at.isoformat() if document.document_at else None,
        "erased_at": document.erased_at.isoformat() if document.erased_at else None,
        "history": _history(evidence),
        "head_signed_at": head.at.isoformat() if head else None,
        "head_timestamp": head.timestamp_status if head else None,
        "head_timestamped_at": head.timestamped_at.isoformat() if head and head.timestamped_at else None,
        "revoked_at": document.revoked_at.isoformat() if document.revoked_at else None,
    }


def _history(evidence: SessionEvidence) -> str:
    if evidence.broken_reasons:
        return "broken"
    return "intact" if evidence.is_complete else "unchecked"
