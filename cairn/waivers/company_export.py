"""Exports the templates, the waivers and the signed heads of a company, for an owner who leaves or wants a copy."""

import asyncio
import csv
import io
import json
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.kit import ZipStream, frozen_dataclass
from cairn.waivers.documents import DocumentContext, DocumentDamaged, export_heads, note_download
from cairn.waivers.person_export import Turn

# This many rows are in memory at the same time.
_PAGE_SIZE = 200
# The participants of this many waivers are in memory at the same time. A waiver can have 31, each with long answers.
_PARTICIPANTS_PAGE_SIZE = 10
_SIGNED_COLUMNS = ("id", "template_name", "signer_name", "signer_email", "signed_at", "document_sha256", "revoked_at")
_SIGNED = f"""
    select {", ".join(_SIGNED_COLUMNS)}, document_path, session_id
      from waivers.signed
     where company_id = $1 and erased_at is null and id > $2
     order by id
     limit $3
"""
_PARTICIPANT_COLUMNS = (
    "waiver_id", "template_name", "signer_name", "signed_at", "name", "kind", "birth_date", "takes_part", "flags",
    "answers",
)  # fmt: skip
# A page contains all people of its waivers, so it may have more rows than waivers. A waiver without a form has only its
# signer.
_PARTICIPANTS = """
    select w.id, w.id as waiver_id, w.template_name, w.signer_name, w.signed_at,
           coalesce(p.name, w.signer_name) as name, coalesce(p.kind, 'adult') as kind, p.birth_date,
           coalesce(p.takes_part, true) as takes_part,
           (select string_agg(f ->> 'text', ', ') from jsonb_array_elements(p.flags) f) as flags,
           nullif(p.answers, '{}') as answers
      from (select id, template_name, signer_name, signed_at
              from waivers.signed
             where company_id = $1 and erased_at is null and id > $2
             order by id
             limit $3) w
      left join lateral waivers.people(w.id, with_sensitive => false) p on true
     order by w.id, p.number
"""
_UNSIGNED_COLUMNS = ("id", "template_name", "recipient_name", "recipient_email", "status", "created_at", "expires_at")
_UNSIGNED = f"""
    select {", ".join(_UNSIGNED_COLUMNS)}
      from waivers.sessions
     where company_id = $1 and status in ('pending', 'cancelled') and id > $2
     order by id
     limit $3
"""
# There is an index for this order. In the order of the primary key, versions of other companies would be read too.
_VERSIONS = """
    select saved_at, template_id, version
      from waiver_template_versions
     where company_id = $1 and (saved_at, template_id, version) > ($2, $3, $4)
     order by saved_at, template_id, version
     limit $5
"""
_BEFORE_THE_FIRST_ID = UUID(int=0)
# The places where a spreadsheet may see a formula. In many countries, spreadsheets also split cells at semicolons, even
# in a file that separates them by commas. They may ignore quotes and spaces before the formula, and some of them take
# the full-width forms of these characters for the same.
_START_OF_FORMULA = re.compile(r"(^|[;\t\r\n])(?=[\" \u00a0\u3000]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")
_BEFORE_THE_FIRST_VERSION = (datetime.min.replace(tzinfo=UTC), "", 0)
_README = """\
These are the records of {company}. They were exported on {exported_at:%Y-%m-%d at %H:%M} UTC.

waivers.csv       the signed waivers that are not erased
participants.csv  the people of these waivers, with flags and answers, but without answers to sensitive questions
unsigned.csv      the waivers that were sent and not signed
waivers/          each signed waiver: the record with all answers and its history, and the sealed document
templates/        each version of each template
heads.json        the signed heads, with which anyone can check later that nothing has disappeared

Anyone can check a sealed document on the page /verify of this service, even after the company has been deleted.
"""


@frozen_dataclass
class CompanyExporter:
    """Who exports a company: its owner, or the operator of the server."""

    principal: Principal
    company_id: UUID
    company_name: str
    ip: str | None


async def export_company(
    database: Database, documents: DocumentContext, exporter: CompanyExporter, now: datetime, turn: Turn
) -> AsyncIterator[bytes]:
    """Returns the parts of a ZIP file. Each file is read when the parts before it have been sent."""
    async with turn(), database.acting_as(SERVICE, read_only=True) as connection:
        heads = await export_heads(connection, exporter.company_id)
    return _in_turns(_parts(database, documents, exporter, heads, now), turn)


async def _in_turns(parts: AsyncIterator[bytes], turn: Turn) -> AsyncIterator[bytes]:
    """Reads each part in a turn of its own, which ends before the part is sent."""
    while True:
        async with turn():
            part = await anext(parts, None)
        if part is None:
            return
        yield part


async def _parts(
    database: Database, documents: DocumentContext, exporter: CompanyExporter, heads: bytes, now: datetime
) -> AsyncIterator[bytes]:
    archive = ZipStream()
    readme = _README.format(company=exporter.company_name or "your company", exported_at=now)
    yield archive.add("README.txt", readme.encode())
    yield await asyncio.to_thread(archive.add, "heads.json", heads)
    for name, query, columns, page_size in (
        ("waivers.csv", _SIGNED, _SIGNED_COLUMNS, _PAGE_SIZE),
        ("participants.csv", _PARTICIPANTS, _PARTICIPANT_COLUMNS, _PARTICIPANTS_PAGE_SIZE),
        ("unsigned.csv", _UNSIGNED, _UNSIGNED_COLUMNS, _PAGE_SIZE),
    ):
        pages = _pages(database, exporter.company_id, query, page_size)
        async for part in archive.add_parts(name, _csv(pages, columns)):
            yield part
    for files in (_template_files(database, exporter), _waiver_files(database, documents, exporter)):
        async for name, content in files:
            yield await asyncio.to_thread(archive.add, name, content)
    yield archive.finish()


async def _csv(pages: AsyncIterator[list[Any]], columns: tuple[str, ...]) -> AsyncIterator[bytes]:
    yield _csv_lines([columns])
    async for page in pages:
        yield await asyncio.to_thread(_csv_lines, [[row[column] for column in columns] for row in page])


def _csv_lines(rows: list[Any]) -> bytes:
    lines = io.StringIO()
    csv.writer(lines).writerows([_cell(value) for value in row] for row in rows)
    return lines.getvalue().encode()


def _cell(value: object) -> str:
    """Puts an apostrophe before each text that a spreadsheet would run as a formula."""
    text = "" if value is None else value.isoformat() if isinstance(value, datetime) else str(value)
    return _START_OF_FORMULA.sub(r"\1'", text)


async def _pages(database: Database, company_id: UUID, query: str, page_size: int) -> AsyncIterator[list[Any]]:
    """Each page is read in its own transaction, because sending the pages may take hours."""
    last_id = _BEFORE_THE_FIRST_ID
    while True:
        async with database.acting_as(SERVICE, read_only=True) as connection:
            page = await connection.fetch(query, company_id, last_id, page_size)
        if not page:
            return
        yield page
        last_id = page[-1]["id"]


async def _template_files(database: Database, exporter: CompanyExporter) -> AsyncIterator[tuple[str, bytes]]:
    last: tuple[object, ...] = _BEFORE_THE_FIRST_VERSION
    while True:
        async with database.acting_as(SERVICE, read_only=True) as connection:
            versions = await connection.fetch(_VERSIONS, exporter.company_id, *last, _PAGE_SIZE)
        for _, template_id, version in versions:
            async with database.acting_as(SERVICE, read_only=True) as connection:
                content = await connection.fetchval(
                    "select to_jsonb(v) from waiver_template_versions v where template_id = $1 and version = $2",
                    template_id, version,
                )  # fmt: skip
            if content is not None:
                yield (
                    f"templates/{_file_name(template_id)} version {version}.json",
                    await asyncio.to_thread(_indented, content),
                )
        if not versions:
            return
        last = tuple(versions[-1])


def _file_name(template_id: str) -> str:
    """Replaces slashes, because a program that unpacks the archive could write the file into another folder."""
    return template_id.replace("/", "_").replace("\\", "_")


async def _waiver_files(
    database: Database, documents: DocumentContext, exporter: CompanyExporter
) -> AsyncIterator[tuple[str, bytes]]:
    async for page in _pages(database, exporter.company_id, _SIGNED, _PAGE_SIZE):
        for waiver in page:
            name = f"waivers/{waiver['signed_at']:%Y-%m-%d} {waiver['id']}"
            record = await _record(database, waiver["id"])
            if record is None:
                # The waiver was erased meanwhile.
                continue
            yield f"{name}.json", await asyncio.to_thread(_indented, record)
            if waiver["document_path"] is not None:
                yield await _document_file(database, documents, exporter, waiver, name)


async def _record(database: Database, waiver_id: UUID) -> str | None:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        record: str | None = await connection.fetchval(
            """
            select to_jsonb(w) - array['document_secret', 'document_status']
                   || jsonb_build_object('events', (
                        select jsonb_agg(jsonb_build_object('name', e.name, 'at', e.at, 'details', e.details)
                                         order by e.id)
                          from waivers.audit_events e where e.session_id = w.session_id))
              from signed_waivers w
             where w.id = $1 and w.erased_at is null
            """,
            waiver_id,
        )
    return record


async def _document_file(
    database: Database, documents: DocumentContext, exporter: CompanyExporter, waiver: Any, name: str
) -> tuple[str, bytes]:
    try:
        document = await documents.load(waiver["document_path"], waiver["document_sha256"])
    except DocumentDamaged:
        return f"{name} document.txt", b"The document could not be read. Please write to us.\n"
    await note_download(database, waiver["id"], "company", exporter.principal, exporter.ip)
    return f"{name}.pdf", document


def _indented(json_text: str) -> bytes:
    return (json.dumps(json.loads(json_text), indent=2, ensure_ascii=False) + "\n").encode()
