"""Handing a document out, to whoever may have it."""

from datetime import datetime, timedelta
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import DocumentMissing
from cairn.waivers.documents.store import Filed

# The id is printed on the document and in its QR code, so knowing it opens the document only right after signing.
HOLDER_MAY_FETCH_FOR = timedelta(hours=24)


async def fetch_document(
    database: Database, documents: DocumentContext, principal: Principal, waiver_id: UUID, now: datetime
) -> Attachment | None:
    """None while it is being prepared."""
    return await _attachment(documents, await may_fetch(database, principal, waiver_id, now))


async def may_fetch(database: Database, principal: Principal, waiver_id: UUID, now: datetime) -> Filed:
    """The company may, the signer whose address is proven, and whoever holds the id while it is fresh."""
    async with database.acting_as(principal, read_only=True) as connection:
        filed = await store.filed(connection, waiver_id)
        is_signer = filed is None and await store.signed_by_caller(connection, waiver_id)
    return filed or await _as_holder(database, waiver_id, None if is_signer else now - HOLDER_MAY_FETCH_FOR)


async def document_to_attach(database: Database, documents: DocumentContext, waiver_id: UUID) -> Attachment:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        filed = await store.filed(connection, waiver_id)
    attachment = await _attachment(documents, filed) if filed else None
    if attachment is None:
        raise DocumentMissing
    return attachment


async def _as_holder(database: Database, waiver_id: UUID, signed_since: datetime | None) -> Filed:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        filed = await store.filed(connection, waiver_id)
    if filed is None or (signed_since is not None and filed.signed_at < signed_since):
        raise DocumentMissing
    return filed


async def _attachment(documents: DocumentContext, filed: Filed) -> Attachment | None:
    if filed.document_path is None or filed.document_sha256 is None:
        return None
    return Attachment(
        name=f"{file_name(filed.template_name)}.pdf",
        media_type="application/pdf",
        content=await documents.filed(filed.document_path, filed.document_sha256),
    )


def file_name(title: str) -> str:
    """Letters of any script, digits, blanks and dashes; nothing a header or a file system could stumble over."""
    kept = "".join(letter if letter.isalnum() or letter in " -" else " " for letter in title)
    return " ".join(kept.split())[:80] or "waiver"
