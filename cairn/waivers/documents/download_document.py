"""Delivers a stored document to callers who may read it."""

from datetime import datetime, timedelta
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.access import Right, note_download, right_of_company
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import DocumentFailed, DocumentMissing, WaiverErased
from cairn.waivers.documents.store import StoredDocument

# The signer's browser opens the document with the secret that it chose when it signed.
_ACCESS_BY_SECRET_LASTS = timedelta(hours=24)


async def fetch_document(
    database: Database,
    documents: DocumentContext,
    principal: Principal,
    waiver_id: UUID,
    now: datetime,
    *,
    secret: str | None = None,
    ip: str | None = None,
) -> Attachment | None:
    """Returns None while the document is being prepared. Raises DocumentFailed if it cannot be made.

    The download is recorded in the history of the waiver, with the IP address `ip` of the caller.
    """
    document, right = await find_readable_document(database, principal, waiver_id, now, secret=secret)
    attachment = await _attachment(documents, document)
    if attachment is not None:
        await note_download(database, waiver_id, right, principal, ip)
    return attachment


async def find_readable_document(
    database: Database, principal: Principal, waiver_id: UUID, now: datetime, *, secret: str | None = None
) -> tuple[StoredDocument, Right]:
    """Returns the document, and the right by which the caller may read it.

    The company may always read the document, and so may a signed-in signer who has proven their email address.

    The browser in which the waiver was signed may read it for a day, with its secret. The id alone opens nothing,
    because it is printed on the document and in its QR code.
    """
    async with database.acting_as(principal, read_only=True) as connection:
        document = await store.find_stored_document(connection, waiver_id)
        if document is not None:
            return document, right_of_company(principal)
        is_entitled = await store.signed_by_caller(connection, waiver_id)
    right: Right = "signer" if is_entitled else "browser that signed"
    async with database.acting_as(SERVICE, read_only=True) as connection:
        if not is_entitled and secret is not None:
            signed_since = now - _ACCESS_BY_SECRET_LASTS
            is_entitled = await store.is_document_secret(connection, waiver_id, secret, signed_since)
        document = await store.find_stored_document(connection, waiver_id) if is_entitled else None
    if document is None:
        raise DocumentMissing
    return document, right


async def document_to_attach(database: Database, documents: DocumentContext, waiver_id: UUID) -> Attachment:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        document = await store.find_stored_document(connection, waiver_id)
    attachment = await _attachment(documents, document) if document else None
    if attachment is None:
        raise DocumentMissing
    return attachment


async def _attachment(documents: DocumentContext, document: StoredDocument) -> Attachment | None:
    if document.erased_at is not None:
        raise WaiverErased(date=f"{document.erased_at:%Y-%m-%d}")
    if document.has_failed:
        raise DocumentFailed
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
