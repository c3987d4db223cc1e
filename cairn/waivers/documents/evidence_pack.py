"""Creates the evidence pack: a ZIP file with everything about one waiver, for a lawyer."""

import asyncio
import io
import json
import zipfile
from dataclasses import asdict
from dataclasses import fields as dataclass_fields
from datetime import datetime
from pathlib import Path
from uuid import UUID

from asyncpg import QueryCanceledError

from cairn.db import SERVICE, Database, Principal
from cairn.kit import frozen_dataclass
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.access import note_export
from cairn.waivers.documents.certificate_trust import trusted_certificates
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.download_document import file_name
from cairn.waivers.documents.errors import DocumentMissing, DocumentNotReady, HistoryNotChecked, WaiverErased
from cairn.waivers.documents.heads import HeadProof, head_proof, seal_session, utc_text
from cairn.waivers.documents.manifest import with_manifest
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.sealing import Seal, pem_of
from cairn.waivers.documents.signature_replay import replayable_svg
from cairn.waivers.documents.timeline import timeline
from cairn.waivers.documents.verification.check_session import check_session

_README = Path(__file__).with_name("evidence_pack_readme.txt")
_IN_FORM_JSON = ("form", "initials", "guardian", "participants")
# These fields are large, or another file of the pack contains them, or they are not part of the signed record.
_NOT_IN_RECORD_JSON = {
    "signature",
    "strokes",
    "events",
    "emails",
    "content",
    "template_content",
    "newest_head_sha256",
    "company_time_zone",
    "erased_at",
    *_IN_FORM_JSON,
}


@frozen_dataclass
class PackContent:
    """What an evidence pack is built from.

    `strokes_text` is None if the signature has no strokes, and `document` is None if the text of the waiver is too long
    for a PDF. `proof` is None if the check found something wrong, so that a pack never confirms a forged history.
    """

    record: SignedRecord
    strokes_text: str | None
    document: bytes | None
    proof: HeadProof | None
    certificates: list[str]
    broken_reasons: list[str]


async def evidence_pack(
    database: Database, documents: DocumentContext, principal: Principal, waiver_id: UUID, *, ip: str | None = None
) -> Attachment:
    """Only the company and the service key get the pack, because row-level security shows the waiver to no one else.

    After that check, the content of the pack is read with all privileges. If the text of the waiver is too long for a
    PDF, the pack contains everything except the PDF. The export is recorded with the caller's address `ip`, and a new
    head covers it, so that the pack shows a complete history.
    """
    async with database.acting_as(principal, read_only=True) as connection:
        stored = await store.find_stored_document(connection, waiver_id)
        company_id = await store.company_of(connection, waiver_id)
    if stored is None:
        raise DocumentMissing
    if stored.erased_at is not None:
        raise WaiverErased(date=f"{stored.erased_at:%Y-%m-%d}")
    if stored.document_path is None and not stored.has_failed:
        raise DocumentNotReady
    await note_export(database, waiver_id, principal, ip)
    await seal_session(database, documents.seal, company_id, stored.session_id)
    try:
        async with (
            database.acting_as(SERVICE, store.HISTORY_STATEMENT_TIMEOUT, read_only=True) as connection,
            asyncio.timeout(store.HISTORY_CHECK_SECONDS),
        ):
            proof = await head_proof(connection, stored.session_id)
            record = await signed_record(connection, waiver_id)
            strokes_text = await store.strokes_text(connection, waiver_id)
            trusted = await trusted_certificates(connection, documents.data_folder, documents.certificate_key)
            reasons = (await check_session(connection, stored.session_id, trusted)).broken_reasons
    except (QueryCanceledError, TimeoutError) as error:
        raise HistoryNotChecked from error
    assert record is not None, "signed waivers are never deleted"
    document = None
    if record.document_path is not None and record.document_sha256 is not None:
        document = await documents.load(record.document_path, record.document_sha256)
    certificates = [pem_of(certificate).decode() for certificate in trusted]
    content = PackContent(record, strokes_text, document, None if reasons else proof, certificates, reasons)
    # A drawn signature can have thousands of points. Building the pack in this process would block it for a moment.
    pack = await documents.run_for_caller(str(record.company_id), build_pack, content, documents.seal)
    return Attachment(f"{file_name(record.template_name)} evidence.zip", "application/zip", pack)


def build_pack(content: PackContent, seal: Seal) -> bytes:
    """Returns the ZIP file. `seal` signs its manifest."""
    return _zip(with_manifest(pack_files(content), seal))


def pack_files(content: PackContent) -> dict[str, bytes]:
    record, proof, broken_reasons = content.record, content.proof, content.broken_reasons
    # `asdict` would copy each point of the drawing.
    fields = {field.name: getattr(record, field.name) for field in dataclass_fields(record)}
    fields = {name: value for name, value in fields.items() if name not in _NOT_IN_RECORD_JSON}
    replay = replayable_svg(record.strokes)
    chain_state = f"BROKEN: {'; '.join(broken_reasons)}" if broken_reasons else "intact"
    lines = [f"{entry['at']} UTC  {entry['what']}  {entry['details']}".rstrip() for entry in timeline(record)]
    # An event that was added after the head is not part of this pack.
    covered_events = record.events[: proof.entry.event_count] if proof else record.events
    files = {
        "README.txt": _README.read_text("utf-8"),
        "text.md": record.content,
        "record.json": _json(fields),
        "events.json": _json([asdict(event) for event in covered_events]),
        "timeline.txt": "\n".join([*lines, "", f"Chain of events: {chain_state}\n"]),
        "deliveries.json": _json([asdict(email) for email in record.emails]),
        "signature.txt": record.signature,
        "certificates.pem": "".join(content.certificates),
    }
    if record.form is not None:
        participants = [asdict(participant) for participant in record.participants]
        values = {"form": record.form, "initials": record.initials, "guardian": record.guardian}
        files["form.json"] = _json({**values, "participants": participants})
    if proof is not None:
        files["head.json"] = _json(proof.as_json())
    if content.strokes_text is not None:
        files["strokes.json"] = content.strokes_text
    if replay is not None:
        files["strokes.svg"] = replay
    document = {} if content.document is None else {"waiver.pdf": content.document}
    return {**{name: text.encode() for name, text in files.items()}, **document}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=_as_text) + "\n"


def _as_text(value: object) -> str:
    """Writes times as they are hashed, and ids as text."""
    return utc_text(value) if isinstance(value, datetime) else str(value)


def _zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
