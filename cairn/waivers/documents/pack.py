"""The evidence pack: everything about one waiver in one ZIP, ready for a lawyer."""

import asyncio
import io
import json
import zipfile
from dataclasses import asdict
from pathlib import Path
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import DocumentMissing, DocumentNotReady
from cairn.waivers.documents.fetch import file_name
from cairn.waivers.documents.record import Record
from cairn.waivers.documents.strokes import replayable_svg
from cairn.waivers.documents.timeline import timeline

_HOW_IT_SIGNS = Path(__file__).with_name("how-it-signs.txt")
# Large, or told elsewhere in the pack.
_NOT_IN_THE_SUMMARY = {"signature", "strokes", "events", "deliveries", "content", "template_content"}


async def evidence_pack(
    database: Database, documents: DocumentContext, principal: Principal, waiver_id: UUID
) -> Attachment:
    """For the company of the waiver. The caller's rights decide; what they open is read whole by the service."""
    async with database.acting_as(principal, read_only=True) as connection:
        if await store.filed(connection, waiver_id) is None:
            raise DocumentMissing
    async with database.acting_as(SERVICE, read_only=True) as connection:
        record = await store.record(connection, waiver_id)
        certificates = await store.certificates(connection)
        broken = await store.broken_evidence(connection, record.session_id) if record else []
    if record is None or record.document_path is None or record.document_sha256 is None:
        raise DocumentNotReady
    document = await documents.filed(record.document_path, record.document_sha256)
    files = packed_files(record, certificates, [one.reason for one in broken])
    content = await asyncio.to_thread(_zipped, {"waiver.pdf": document, **files})
    return Attachment(f"{file_name(record.template_name)} evidence.zip", "application/zip", content)


def packed_files(record: Record, certificates: list[str], broken: list[str]) -> dict[str, bytes]:
    summary = {name: value for name, value in asdict(record).items() if name not in _NOT_IN_THE_SUMMARY}
    drawing = replayable_svg(record.strokes)
    history = f"Chain of events: {'BROKEN: ' + '; '.join(broken) if broken else 'intact'}\n"
    lines = [f"{event['at']} UTC  {event['what']}  {event['details']}".rstrip() for event in timeline(record)]
    files = {
        "README.txt": _HOW_IT_SIGNS.read_text("utf-8"),
        "text.md": record.content,
        "record.json": _json(summary),
        "events.json": _json([asdict(event) for event in record.events]),
        "timeline.txt": "\n".join([*lines, "", history]),
        "deliveries.json": _json([asdict(mail) for mail in record.deliveries]),
        "signature.txt": record.signature,
        "certificates.pem": "".join(certificates),
    }
    if record.strokes is not None:
        files["strokes.json"] = _json(record.strokes)
    if drawing is not None:
        files["strokes.svg"] = drawing
    return {name: text.encode() for name, text in files.items()}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str) + "\n"


def _zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()
