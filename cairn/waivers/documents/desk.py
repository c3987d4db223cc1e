"""What working with documents takes: paper, the shelf, and where people reach us."""

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import Path

from cairn.waivers.documents.contents import contents
from cairn.waivers.documents.errors import DocumentDamaged
from cairn.waivers.documents.keeping import open_shelf
from cairn.waivers.documents.record import Record
from cairn.waivers.documents.render import Renderer
from cairn.waivers.documents.seal import Seal
from cairn.waivers.documents.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Desk:
    renderer: Renderer
    shelf: Shelf
    data: Path
    site_url: str

    async def document(self, record: Record, seal: Seal) -> bytes:
        """The one document of this record. After a crash it may lie on the shelf already; then that is the one."""
        filed = await asyncio.to_thread(self.shelf.get, record.shelf_path)
        if filed is not None:
            return filed
        words = contents(record, site_url=self.site_url, timestamped=seal.timestamped)
        rendered = await asyncio.to_thread(self.renderer.render, "waiver.typ", words)
        return await asyncio.to_thread(self.shelf.put, record.shelf_path, await seal.sealed(rendered))

    async def filed(self, path: str, sha256: str) -> bytes:
        """What was filed, or a loud complaint: never other bytes."""
        document = await asyncio.to_thread(self.shelf.get, path)
        if document is None:
            raise DocumentDamaged(path=path, reason="it is gone")
        if hashlib.sha256(document).hexdigest() != sha256:
            raise DocumentDamaged(path=path, reason="its fingerprint differs")
        return document


def open_desk(data: Path, site_url: str) -> Desk:
    return Desk(Renderer(), open_shelf(data), data, site_url.rstrip("/"))
