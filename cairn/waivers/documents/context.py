"""The objects that functions for documents need: the renderer, the storage, the data folder and the site's URL."""

import asyncio
import hashlib
from pathlib import Path

from cairn.kit import frozen_dataclass
from cairn.storage import AlreadyExists, BytesMissing, NoSuchKey, ObjectStorage
from cairn.waivers.documents.errors import DocumentDamaged
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering import Renderer, document_data
from cairn.waivers.documents.sealing import Seal

# The bucket is private, encrypted and write-once. A policy lets each company read its own folder in it.
_BUCKET = "signed-waivers"


@frozen_dataclass
class DocumentContext:
    renderer: Renderer
    storage: ObjectStorage
    data_folder: Path
    site_url: str

    async def get_or_create(self, record: SignedRecord, seal: Seal) -> bytes:
        """Return the stored document, or create it. A worker that crashed may already have stored it."""
        existing = await self.find(record.storage_path)
        if existing is not None:
            return existing
        return await self.store_once(record.storage_path, await self.render_and_seal(record, seal))

    async def render_and_seal(self, record: SignedRecord, seal: Seal) -> bytes:
        data = document_data(record, site_url=self.site_url, is_timestamped=seal.is_timestamped)
        pdf = await asyncio.to_thread(self.renderer.render, "waiver.typ", data)
        return await seal.apply(pdf)

    async def store_once(self, path: str, document: bytes) -> bytes:
        """Return the stored bytes: the given ones, or those of a concurrent call that was faster."""
        try:
            await self.storage.put(_BUCKET, path, document, content_type="application/pdf")
        except AlreadyExists:
            return await self.storage.get(_BUCKET, path)
        return document

    async def find(self, path: str) -> bytes | None:
        try:
            return await self.storage.get(_BUCKET, path)
        except NoSuchKey:
            return None

    async def load(self, path: str, sha256: str) -> bytes:
        """Return a stored document, or raise DocumentDamaged if it is missing or its bytes have another hash."""
        try:
            document = await self.storage.get(_BUCKET, path)
        except (NoSuchKey, BytesMissing) as error:
            raise DocumentDamaged(path=path, reason="it is gone") from error
        if hashlib.sha256(document).hexdigest() != sha256:
            raise DocumentDamaged(path=path, reason="its fingerprint differs")
        return document


def open_documents(storage: ObjectStorage, data_folder: Path, site_url: str) -> DocumentContext:
    return DocumentContext(Renderer(), storage, data_folder, site_url.rstrip("/"))
