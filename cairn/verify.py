"""`cairn verify`: is this PDF the sealed, unchanged document; and, with a database at hand, does the record agree?"""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import UUID

from cryptography.x509 import Certificate, load_pem_x509_certificates

from cairn.db import SERVICE, Connection, Database
from cairn.kit import Problem
from cairn.serve import database_urls
from cairn.settings import Settings
from cairn.waivers import Verdict, all_certificates, broken_evidence, find_stored_document, known_certificates, verify


class FileUnreadable(Problem):
    code = "file_unreadable"
    message = "{path} cannot be read ({reason})."


async def verify_alone(file: Path | None, certificate: Path, say: Callable[[str], None] = print) -> int:
    """Needs nothing of ours but the certificate."""
    if file is None:
        raise FileUnreadable(path="The document", reason="no file was named")
    verdict = await verify(_read(file), load_pem_x509_certificates(_read(certificate)))
    _tell(verdict, say)
    return 0 if verdict.is_unchanged else 1


async def verify_here(
    file: Path | None, settings: Settings, *, offline: bool, say: Callable[[str], None] = print
) -> int:
    if offline:
        return await _by_folder(file, settings, say)
    with database_urls(settings) as (_, login_url):
        async with (
            asyncio.timeout(600),
            Database(login_url, pool_size=1) as database,
            database.acting_as(SERVICE, read_only=True) as connection,
        ):
            if file is None:
                return await _history(connection, None, say)
            return await _with_record(connection, settings, _read(file), say)


async def _by_folder(file: Path | None, settings: Settings, say: Callable[[str], None]) -> int:
    if file is None:
        raise FileUnreadable(path="The document", reason="no file was named")
    verdict = await verify(_read(file), known_certificates(settings.data))
    _tell(verdict, say)
    return 0 if verdict.is_unchanged else 1


async def _with_record(connection: Connection, settings: Settings, pdf: bytes, say: Callable[[str], None]) -> int:
    certificates: Sequence[Certificate] = await all_certificates(connection, settings.data)
    verdict = await verify(pdf, certificates)
    _tell(verdict, say)
    if not verdict.is_unchanged or verdict.waiver_id is None:
        return 1
    filed = await find_stored_document(connection, verdict.waiver_id)
    if filed is None or filed.document_sha256 != hashlib.sha256(pdf).hexdigest():
        say("The database holds no record of this document.")
        return 1
    say("The database holds the same document.")
    return await _history(connection, filed.session_id, say)


async def _history(connection: Connection, session_id: UUID | None, say: Callable[[str], None]) -> int:
    """Names every waiver and event that does not agree with its hash."""
    broken = await broken_evidence(connection, session_id)
    for one in broken:
        event = f", event {one.event_id}" if one.event_id is not None else ""
        say(f"BROKEN  session {one.session_id}, waiver {one.waiver_id or 'none'}{event}: {one.reason}")
    if not broken:
        say("The history is intact.")
    return 1 if broken else 0


def _tell(verdict: Verdict, say: Callable[[str], None]) -> None:
    say(verdict.message)
    if not verdict.is_unchanged:
        return
    say(f"waiver    {verdict.waiver_id}")
    say(f"record    {verdict.record_sha256}")
    say(f"sealed    {verdict.sealed_at}")
    say(f"timestamp {verdict.timestamped_at or 'no external timestamp'}")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileUnreadable(path=path, reason=(error.strerror or str(error)).lower()) from error
