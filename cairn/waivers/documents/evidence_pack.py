"""Creates the evidence pack: a ZIP file with everything about one waiver, for a lawyer."""

import io
import json
import zipfile
from dataclasses import asdict
from dataclasses import fields as dataclass_fields
from pathlib import Path
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.download_document import file_name
from cairn.waivers.documents.errors import DocumentMissing, DocumentNotReady
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.signature_replay import replayable_svg
from cairn.waivers.documents.timeline import timeline

_README = Path(__file__).with_name("evidence_pack_readme.txt")
# These fields are large, or another file of the pack contains them.
_NOT_IN_RECORD_JSON = {"signature", "strokes", "events", "emails", "content", "template_content"}


async def evidence_pack(
    database: Database, documents: DocumentContext, principal: Principal, waiver_id: UUID
) -> Attachment:
    """Only the company gets the pack, because only the company's role can read the waiver.

    After that check, the content of the pack is read with all privileges. If the text of the waiver is too long for a
    PDF, the pack contains everything except the PDF.
    """
    async with database.acting_as(principal, read_only=True) as connection:
        stored = await store.find_stored_document(connection, waiver_id)
    if stored is None:
        raise DocumentMissing
    if stored.document_path is None and not stored.has_failed:
        raise DocumentNotReady
    async with database.acting_as(SERVICE, read_only=True) as connection:
        record = await store.signed_record(connection, waiver_id)
        certificates = await store.certificates(connection)
        breaks = await store.broken_evidence(connection, stored.session_id)
    assert record is not None, "signed waivers are never deleted"
    document = None
    if record.document_path is not None and record.document_sha256 is not None:
        document = await documents.load(record.document_path, record.document_sha256)
    reasons = [evidence_break.reason for evidence_break in breaks]
    # The drawing of a signature can have thousands of points, so building the pack would stop the server for a moment.
    content = await documents.run_for_caller(
        str(record.company_id), build_pack, record, document, certificates, reasons
    )
    return Attachment(f"{file_name(record.template_name)} evidence.zip", "application/zip", content)


def build_pack(
    record: SignedRecord, document: bytes | None, certificates: list[str], broken_reasons: list[str]
) -> bytes:
    """Returns the ZIP file. `document` is None if the text of the waiver is too long for a PDF."""
    files = pack_files(record, certificates, broken_reasons)
    return _zip(files if document is None else {**files, "waiver.pdf": document})


def pack_files(record: SignedRecord, certificates: list[str], broken_reasons: list[str]) -> dict[str, bytes]:
    # `asdict` would copy each point of the drawing.
    fields = {field.name: getattr(record, field.name) for field in dataclass_fields(record)}
    fields = {name: value for name, value in fields.items() if name not in _NOT_IN_RECORD_JSON}
    replay = replayable_svg(record.strokes)
    chain_state = f"BROKEN: {'; '.join(broken_reasons)}" if broken_reasons else "intact"
    lines = [f"{entry['at']} UTC  {entry['what']}  {entry['details']}".rstrip() for entry in timeline(record)]
    files = {
        "README.txt": _README.read_text("utf-8"),
        "text.md": record.content,
        "record.json": _json(fields),
        "events.json": _json([asdict(event) for event in record.events]),
        "timeline.txt": "\n".join([*lines, "", f"Chain of events: {chain_state}\n"]),
        "deliveries.json": _json([asdict(email) for email in record.emails]),
        "signature.txt": record.signature,
        "certificates.pem": "".join(certificates),
    }
    if record.strokes is not None:
        # With an indentation, this takes ten times as long.
        files["strokes.json"] = json.dumps(record.strokes) + "\n"
    if replay is not None:
        files["strokes.svg"] = replay
    return {name: text.encode() for name, text in files.items()}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str) + "\n"


def _zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
