"""What working with documents takes: paper, the bucket they are filed in, and where people reach us."""

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import Path

from cairn.storage import AlreadyExists, BytesMissing, NoSuchKey, ObjectStorage
from cairn.waivers.documents.contents import contents
from cairn.waivers.documents.errors import DocumentDamaged
from cairn.waivers.documents.record import Record
from cairn.waivers.documents.render import Renderer
from cairn.waivers.documents.seal import Seal

# Private, encrypted, write-once. The company reads its own folder there, by a policy.
_BUCKET = "signed-waivers"


@dataclass(frozen=True, slots=True)
class DocumentContext:
    renderer: Renderer
    blobs: ObjectStorage
    data: Path
    site_url: str

    async def document(self, record: Record, seal: Seal) -> bytes:
        """The one document of this record. After a crash it may be filed already; then that is the one."""
        earlier = await self.found(record.filed_as)
        if earlier is not None:
            return earlier
        return await self.file(record.filed_as, await self.printed(record, seal))

    async def printed(self, record: Record, seal: Seal) -> bytes:
        words = contents(record, site_url=self.site_url, timestamped=seal.timestamped)
        rendered = await asyncio.to_thread(self.renderer.render, "waiver.typ", words)
        return await seal.sealed(rendered)

    async def file(self, path: str, document: bytes) -> bytes:
        """What is filed there from now on: these bytes, or those of whoever was faster."""
        try:
            await self.blobs.put(_BUCKET, path, document, content_type="application/pdf")
        except AlreadyExists:
            return await self.blobs.get(_BUCKET, path)
        return document

    async def found(self, path: str) -> bytes | None:
        try:
            return await self.blobs.get(_BUCKET, path)
        except NoSuchKey:
            return None

    async def filed(self, path: str, sha256: str) -> bytes:
        """What was filed, or a loud complaint: never other bytes."""
        try:
            document = await self.blobs.get(_BUCKET, path)
        except (NoSuchKey, BytesMissing) as gone:
            raise DocumentDamaged(path=path, reason="it is gone") from gone
        if hashlib.sha256(document).hexdigest() != sha256:
            raise DocumentDamaged(path=path, reason="its fingerprint differs")
        return document


def open_documents(blobs: ObjectStorage, data: Path, site_url: str) -> DocumentContext:
    return DocumentContext(Renderer(), blobs, data, site_url.rstrip("/"))
