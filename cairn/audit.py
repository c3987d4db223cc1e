"""Implements `cairn audit`, which checks all evidence of a company or of the whole database."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from uuid import UUID

from cryptography.x509 import Certificate

from cairn.db import SERVICE, Connection, Database, replaced_functions
from cairn.kit import Problem
from cairn.open_services import open_documents
from cairn.serve import database_urls
from cairn.settings import Settings
from cairn.storage import ObjectStorage, open_blob_store
from cairn.waivers import (
    EVIDENCE_FILES,
    CompanyEvidence,
    DocumentContext,
    check_exported_heads,
    check_heads_and_documents,
    check_records_and_events,
    evidence_by_company,
    trusted_certificates,
    untrusted_certificates,
)

_TIMEOUT_SECONDS = 3600


class CompanyWithoutEvidence(Problem):
    code = "company_without_evidence"
    message = "There is no company {company_id} with waivers."


class FileUnreadable(Problem):
    code = "file_unreadable"
    message = "{path} cannot be read ({reason})."


async def audit(
    settings: Settings, company_id: UUID | None, exported_heads: Path | None, report: Callable[[str], None] = print
) -> int:
    """Reports each finding in one line, and returns the exit code: 0 if nothing is wrong.

    Without `company_id`, all companies are checked. `exported_heads` is a file with heads that was exported earlier.
    """
    exported = None if exported_heads is None else read_file(exported_heads)
    with database_urls(settings) as (admin_url, login_url):
        if await report_replaced_functions(admin_url, report):
            return 1
        # The connection of the audit stays open while documents are read with another one.
        async with asyncio.timeout(_TIMEOUT_SECONDS), Database(login_url, pool_size=2) as database:
            blob_store = open_blob_store(settings.storage, settings.data / "storage")
            documents = open_documents(settings, ObjectStorage(database, blob_store, settings.storage))
            async with database.acting_as(SERVICE, read_only=True) as connection:
                return await audit_database(connection, documents, company_id, exported, report)


async def report_replaced_functions(admin_url: str, report: Callable[[str], None]) -> bool:
    """Reports the functions that someone has replaced, and returns whether there are any.

    Evidence is checked with functions of the database, so no check can be trusted if one of them was replaced.
    """
    names = await replaced_functions(admin_url, EVIDENCE_FILES)
    for name in names:
        report(f"WRONG  The function {name} in the database is not the one of this version of Cairn.")
    if names:
        report("Nothing was checked. See docs/operations.md for how to restore the functions.")
    return bool(names)


async def audit_database(
    connection: Connection,
    documents: DocumentContext,
    company_id: UUID | None,
    exported_heads: bytes | None,
    report: Callable[[str], None],
) -> int:
    companies = await evidence_by_company(connection, company_id)
    if company_id is not None and not companies:
        raise CompanyWithoutEvidence(company_id=company_id)
    certificates = await trusted_certificates(connection, documents.data_folder, documents.certificate_key)
    findings = 0
    for company in companies:
        report(_describe(company))
        async for finding in check_heads_and_documents(connection, documents, certificates, company.company_id):
            report(f"WRONG  {finding}")
            findings += 1
    async for finding in _other_findings(connection, certificates, company_id, exported_heads):
        report(f"WRONG  {finding}")
        findings += 1
    report(_summary(findings))
    return 1 if findings else 0


async def _other_findings(
    connection: Connection, certificates: Sequence[Certificate], company_id: UUID | None, exported_heads: bytes | None
) -> AsyncIterator[str]:
    """Yields what is wrong with the listed certificates, the records, the histories and the exported heads."""
    for finding in await untrusted_certificates(connection, certificates):
        yield finding
    async for finding in check_records_and_events(connection, company_id):
        yield finding
    if exported_heads is not None:
        async for finding in check_exported_heads(connection, exported_heads):
            yield finding


def _describe(company: CompanyEvidence) -> str:
    owner = f"{company.name}, company {company.company_id}" if company.company_id else "Waivers without a company"
    parts = [
        _count(company.sessions, "session"),
        _count(company.waivers, "signed waiver"),
        _count(company.events, "event"),
        _count(company.heads, "signed head"),
    ]
    pending = f" {_count(company.pending_timestamps, 'timestamp')} pending." if company.pending_timestamps else ""
    return f"{owner}: {', '.join(parts)}.{pending}"


def _summary(findings: int) -> str:
    if findings == 0:
        return "Nothing is wrong: every record, event, head and document is as it was signed."
    return f"{_count(findings, 'finding')}. Keep this database as it is, and compare it with a backup."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileUnreadable(path=path, reason=(error.strerror or str(error)).lower()) from error
