"""Implements `cairn verify`, which checks that a PDF is a sealed and unchanged document.

With the database, it also checks that the PDF is the stored document and that the history of the session is intact.
"""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography.x509 import Certificate, load_pem_x509_certificates

from cairn.audit import FileUnreadable, audit, read_file, report_replaced_functions
from cairn.db import SERVICE, Connection, Database
from cairn.serve import database_urls
from cairn.settings import Settings
from cairn.waivers import (
    CertificateKey,
    SessionEvidence,
    Verdict,
    check_session,
    find_stored_document,
    known_certificates,
    store_certificates,
    trusted_certificates,
    verify,
)

_TIMEOUT_SECONDS = 600


async def verify_by_certificate(file: Path | None, certificate: Path, report: Callable[[str], None] = print) -> int:
    """Verifies the file with this certificate, without the data folder and the database. Returns the exit code."""
    return await _verify_file(file, load_pem_x509_certificates(read_file(certificate)), report)


async def verify_by_data_folder(
    file: Path | None, settings: Settings, *, offline: bool, report: Callable[[str], None] = print
) -> int:
    """Verifies the file with the certificates of the data folder. Without a file, it checks everything."""
    store_certificates(settings.data, settings.documents)
    if offline:
        return await _verify_file(file, known_certificates(settings.data), report)
    if file is None:
        return await audit(settings, company_id=None, exported_heads=None, report=report)
    with database_urls(settings) as (admin_url, login_url):
        if await report_replaced_functions(admin_url, report):
            return 1
        async with (
            asyncio.timeout(_TIMEOUT_SECONDS),
            Database(login_url, pool_size=1) as database,
            database.acting_as(SERVICE, read_only=True) as connection,
        ):
            return await _verify_with_database(connection, settings, read_file(file), report)


async def _verify_file(file: Path | None, certificates: Sequence[Certificate], report: Callable[[str], None]) -> int:
    if file is None:
        raise FileUnreadable(path="The document", reason="no file was given")
    verdict = await verify(read_file(file), certificates)
    _report_verdict(verdict, report)
    return 0 if verdict.is_unchanged else 1


async def _verify_with_database(
    connection: Connection, settings: Settings, pdf: bytes, report: Callable[[str], None]
) -> int:
    certificate_key = CertificateKey(settings.certificate_secret)
    certificates = await trusted_certificates(connection, settings.data, certificate_key)
    verdict = await verify(pdf, certificates)
    _report_verdict(verdict, report)
    if verdict.record is None:
        return 1
    stored = await find_stored_document(connection, verdict.record.waiver_id)
    if stored is None or stored.document_sha256 != hashlib.sha256(pdf).hexdigest():
        report("The database holds no record of this document.")
        return 1
    report("The database holds the same document.")
    evidence = await check_session(connection, stored.session_id, certificates, verdict.head_sha256)
    return _report_history(evidence, report)


def _report_history(evidence: SessionEvidence, report: Callable[[str], None]) -> int:
    """Reports everything about the session that was changed or removed, and returns the exit code."""
    for reason in evidence.broken_reasons:
        report(f"BROKEN  {reason}")
    if not evidence.broken_reasons:
        report("The history is intact.")
    report(f"head      {evidence.head or 'no signed head covers this history yet'}")
    return 1 if evidence.broken_reasons else 0


def _report_verdict(verdict: Verdict, report: Callable[[str], None]) -> None:
    report(verdict.message)
    if not verdict.is_unchanged:
        return
    if verdict.record:
        report(f"waiver    {verdict.record.waiver_id}")
        report(f"record    {verdict.record.record_sha256}")
    report(f"sealed    {verdict.sealed_at}")
    report(f"timestamp {verdict.timestamp or 'no external timestamp'}")
