"""Turns a signed record into a sealed document, which is stored once and emailed once, even if the job is retried."""

import hashlib
import logging
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.kit import Problem, count
from cairn.storage import BlobStoreFailed
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import DocumentTooLarge
from cairn.waivers.documents.heads import newest_head, seal_session
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.sealing import Seal
from cairn.waivers.documents.signer_copy import queue_copy

log = logging.getLogger(__name__)

# After this many failures the job of a document ends, and `retry_overdue_documents` continues.
MAX_TRIES = 4
# If a document is missing this long after the signature, `retry_overdue_documents` prepares it, even if no job ran.
_OVERDUE_AFTER = timedelta(minutes=10)


async def prepare_document(database: Database, documents: DocumentContext, seal: Seal, waiver_id: UUID) -> bool:
    """Returns False if there was nothing to prepare, because another job has done it or the waiver is erased.

    A failure is recorded for `cairn doctor` and raised so that the job is retried; the signature is safe.

    A text that is too long for the renderer is recorded as well, but never tried again.
    """
    try:
        async with database.acting_as(SERVICE, read_only=True) as connection:
            record = await signed_record(connection, waiver_id)
            head = await newest_head(connection, record.company_id) if record else None
        assert record is not None, "signed waivers are never deleted"
        if record.erased_at is not None:
            # A worker that ended while it stored the document may have left the file.
            await documents.erase(record.storage_path)
        if record.document_path is not None or record.erased_at is not None:
            return False
        if head is not None:
            record = replace(record, newest_head_sha256=head.hash.hex())
        document = await documents.get_or_create(record, seal)
    except DocumentTooLarge as error:
        log.warning("waiver %s gets no document: %s", waiver_id, error)
        async with database.acting_as(SERVICE) as connection:
            await store.record_failure(connection, waiver_id, str(error), is_final=True)
        return True
    except Exception as error:
        count("seal_failures", "document")
        async with database.acting_as(SERVICE) as connection:
            await store.record_failure(connection, waiver_id, f"{type(error).__name__}: {error}"[:1000], is_final=False)
        raise
    sha256 = hashlib.sha256(document).hexdigest()
    async with database.acting_as(SERVICE) as connection:
        await store.save_certificate(connection, seal.fingerprint, seal.certificate_pem.decode(), seal.certificate_mac)
        is_new = await store.store_document(
            connection, waiver_id, record.storage_path, sha256,
            certificate=seal.fingerprint, byte_count=len(document),
        )  # fmt: skip
        if is_new is None:
            await documents.erase(record.storage_path)
        if is_new and await store.wants_copy(connection, waiver_id):
            await queue_copy(connection, record, documents)
    if is_new:
        await _seal_head(database, seal, record)
    return is_new is True


async def prepare_when_storable(database: Database, documents: DocumentContext, seal: Seal, waiver_id: UUID) -> bool:
    """Waits while files cannot be stored. That uses up no tries, and no other job prepares this document meanwhile."""
    while True:
        try:
            return await prepare_document(database, documents, seal, waiver_id)
        except BlobStoreFailed as error:
            log.warning("the document of waiver %s waits until files can be stored: %s", waiver_id, error)
        await documents.wait_for_store()


async def _seal_head(database: Database, seal: Seal, record: SignedRecord) -> None:
    """Covers the new events with a head. A failure is only logged: `seal_new_events` covers them within a minute."""
    try:
        await seal_session(database, seal, record.company_id, record.session_id)
    except Exception:
        count("seal_failures", "head")
        log.exception("the events of waiver %s are not covered by a head yet", record.id)


async def retry_overdue_documents(database: Database, documents: DocumentContext, seal: Seal) -> None:
    """Retries every waiver that has no document because its job failed, with backoff and as often as needed."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        waiver_ids = await store.overdue_waivers(connection, older_than=_OVERDUE_AFTER, tries=MAX_TRIES)
    for waiver_id in waiver_ids:
        try:
            await prepare_document(database, documents, seal, waiver_id)
        except BlobStoreFailed as problem:
            log.error("documents wait until files can be stored: %s", problem)
            return
        except Problem as problem:
            log.error("the document of waiver %s cannot be prepared: %s", waiver_id, problem)
        except Exception:
            log.exception("preparing the document of waiver %s failed", waiver_id)
