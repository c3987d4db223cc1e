"""Verifying with the database at hand: the seal, and whether the record behind it still says the same."""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import Certificate, load_pem_x509_certificate

from cairn.db import SERVICE, Connection, Database
from cairn.waivers.documents import store
from cairn.waivers.documents.apart import ReadingFailed, apart
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.keeping import known_certificates
from cairn.waivers.documents.verdict import Verdict
from cairn.waivers.documents.verify import verify

_NOT_ON_RECORD = "No document of this waiver is on record here."
_BEING_PREPARED = "This waiver is signed and stored. Its sealed document is being prepared."
_ON_RECORD = "A sealed document of this waiver is on record here. To check yours, verify the file itself."


async def verify_with_record(database: Database, documents: DocumentContext, pdf: bytes) -> dict[str, Any]:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        certificates = await all_certificates(connection, documents.data)
    verdict = await _judged(pdf, [certificate.public_bytes(Encoding.PEM) for certificate in certificates])
    known = await _looked_up(database, verdict.waiver_id) if verdict.waiver_id else None
    sha256 = hashlib.sha256(pdf).hexdigest()
    told = {
        "state": verdict.state,
        "says": verdict.says,
        "document_sha256": sha256,
        "sealed_at": verdict.sealed_at.isoformat() if verdict.sealed_at else None,
        "timestamped_at": verdict.timestamped_at.isoformat() if verdict.timestamped_at else None,
    }
    if known is None:
        return {**told, "on_record": False}
    return {**told, **known, "document_sha256": sha256, "on_record": known["document_sha256"] == sha256}


async def _judged(pdf: bytes, certificates: list[bytes]) -> Verdict:
    try:
        return await apart(verify_alone, pdf, certificates)
    except ReadingFailed:
        return Verdict("unreadable")


def verify_alone(pdf: bytes, certificates: list[bytes]) -> Verdict:
    return asyncio.run(verify(pdf, [load_pem_x509_certificate(pem) for pem in certificates]))


async def look_up(database: Database, waiver_id: UUID) -> dict[str, Any]:
    """What a printed link tells: that there is such a document, and its fingerprint."""
    known = await _looked_up(database, waiver_id)
    if known is None:
        return {"state": "unknown", "says": _NOT_ON_RECORD, "on_record": False}
    if known["document_sha256"] is None:
        return {"state": "preparing", "says": _BEING_PREPARED, "on_record": False}
    return {"state": "on_record", "says": _ON_RECORD, **known, "on_record": True}


async def all_certificates(connection: Connection, data: Path) -> Sequence[Certificate]:
    """Also those of other machines and of keys since replaced."""
    pems = await store.certificates(connection)
    return [*known_certificates(data), *(load_pem_x509_certificate(pem.encode()) for pem in pems)]


async def _looked_up(database: Database, waiver_id: UUID) -> dict[str, Any] | None:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await _known(connection, waiver_id)


async def _known(connection: Connection, waiver_id: UUID) -> dict[str, Any] | None:
    filed = await store.filed(connection, waiver_id)
    if filed is None:
        return None
    broken = await store.broken_evidence(connection, filed.session_id)
    return {
        "waiver_id": str(filed.waiver_id),
        "template_name": filed.template_name,
        "company_name": filed.company_name,
        "signed_at": filed.signed_at.isoformat(),
        "document_sha256": filed.document_sha256,
        "history": "broken" if broken else "intact",
    }
