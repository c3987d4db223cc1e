"""Delivers a stored document to callers who may read it."""

from datetime import datetime, timedelta
from uuid import UUID

from cairn.db import ANON, SERVICE, Database, Principal
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
    return await _download(database, documents, document, right=right, principal=principal, ip=ip)


async def fetch_linked_document(
    database: Database, documents: DocumentContext, secret: str, ip: str | None
) -> Attachment | None:
    """Returns the document that the link in an email opens, or None if there is no such link. Records the download."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        waiver_id = await store.find_linked_waiver(connection, secret)
        document = await store.find_stored_document(connection, waiver_id) if waiver_id else None
    if document is None:
        return None
    return await _download(database, documents, document, right="link in an email", principal=ANON, ip=ip)


async def _download(
    database: Database,
    documents: DocumentContext,
    document: StoredDocument,
    *,
    right: Right,
    principal: Principal,
    ip: str | None,
) -> Attachment | None:
    if not _is_ready(document):
        return None
    async with documents.download_limits.turn(ip):
        attachment = await _attachment(documents, document)
        documents.download_limits.count(ip, len(attachment.content))
        await note_download(database, document.waiver_id, right, principal, ip)
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
    if document is None or not _is_ready(document):
        raise DocumentMissing
    return await _attachment(documents, document)


def _is_ready(document: StoredDocument) -> bool:
    """Returns False while the document is being prepared. Raises WaiverErased or DocumentFailed if there is none."""
    if document.erased_at is not None:
        raise WaiverErased(date=f"{document.erased_at:%Y-%m-%d}")
    if document.has_failed:
        raise DocumentFailed
    return document.document_path is not None


async def _attachment(documents: DocumentContext, document: StoredDocument) -> Attachment:
    assert document.document_path is not None
    assert document.document_sha256 is not None
    return Attachment(
        name=f"{file_name(document.template_name)}.pdf",
        media_type="application/pdf",
        content=await documents.load(document.document_path, document.document_sha256),
    )


def file_name(title: str) -> str:
    """Keeps only characters that are safe in headers and file systems: alphanumeric ones, spaces and hyphens."""
    safe = "".join(character if character.isalnum() or character in " -" else " " for character in title)
    return " ".join(safe.split())[:80] or "waiver"
