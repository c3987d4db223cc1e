"""Documents and evidence packs of waivers with a form."""

from pathlib import Path
from uuid import UUID

from cairn.db import Database
from cairn.waivers import DocumentContext, Seal, evidence_pack
from cairn.waivers.documents import prepare_document
from tests.independent_verifier import read_pack
from tests.people import Person
from tests.waivers.documents.tools import pdftotext


def document_text(pdf: bytes, folder: Path) -> str:
    file = folder / "waiver.pdf"
    file.write_bytes(pdf)
    return " ".join(pdftotext(file).split())


async def pack_of(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, waiver_id: UUID
) -> dict[str, bytes]:
    await prepare_document(database, documents, seal, waiver_id)
    return read_pack((await evidence_pack(database, documents, rosa.principal, waiver_id)).content)
