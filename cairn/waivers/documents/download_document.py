"""Delivers a stored document to callers who may read it."""

from datetime import datetime, timedelta
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import DocumentMissing
from cairn.waivers.documents.store import StoredDocument

# The id is printed on the document and in its QR code, so it gives access only shortly after signing.
_ACCESS_BY_ID_LASTS = timedelta(hours=24)


async def fetch_document(
    database: Database, documents: DocumentContext, principal: Principal, waiver_id: UUID, now: datetime
) -> Attachment | None:
    """Returns None while the document is being prepared."""
    return await _attachment(documents, await find_readable_document(database, principal, waiver_id, now))


async def find_readable_document(
    database: Database, principal: Principal, waiver_id: UUID, now: datetime
) -> StoredDocument:
    """The company and the signer with a verified address may always read it; anyone who knows the id, for a day."""
    async with database.acting_as(principal, read_only=True) as connection:
        document = await store.find_stored_document(connection, waiver_id)
        is_signer = document is None and await store.signed_by_caller(connection, waiver_id)
    return document or await _find_by_id(database, waiver_id, None if is_signer else now - _ACCESS_BY_ID_LASTS)


async def document_to_attach(database: Database, documents: DocumentContext, waiver_id: UUID) -> Attachment:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        document = await store.find_stored_document(connection, waiver_id)
    attachment = await _attachment(documents, document) if document else None
    if attachment is None:
        raise DocumentMissing
    return attachment


async def _find_by_id(database: Database, waiver_id: UUID, signed_since: datetime | None) -> StoredDocument:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        document = await store.find_stored_document(connection, waiver_id)
    if document is None or (signed_since is not None and document.signed_at < signed_since):
        raise DocumentMissing
    return document


async def _attachment(documents: DocumentContext, document: StoredDocument) -> Attachment | None:
    if document.document_path is None or document.document_sha256 is None:
        return None
    return Attachment(
        name=f"{file_name(document.template_name)}.pdf",
        media_type="application/pdf",
        content=await documents.load(document.document_path, document.document_sha256),
    )


def file_name(title: str) -> str:
    """Keeps only characters that are safe in headers and file systems: alphanumeric ones, spaces and hyphens."""
    safe = "".join(character if character.isalnum() or character in " -" else " " for character in title)
    return " ".join(safe.split())[:80] or "waiver"
