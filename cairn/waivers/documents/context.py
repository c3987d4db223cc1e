"""The objects that functions for documents need: the processes, the storage, the data folder, the site's URL, the
settings of the emails with copies, the seal, and the key for listed certificates.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Callable
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import ParamSpec

from cairn.kit import LimitExceeded, SandboxFailed, SandboxPool, TooBusy, TookTooLong, frozen_dataclass
from cairn.messaging import MessagingSettings
from cairn.storage import AlreadyExists, BlobStoreFailed, BytesMissing, NoSuchKey, ObjectStorage
from cairn.waivers.documents.download_limits import DownloadLimits
from cairn.waivers.documents.errors import DocumentDamaged, DocumentTooLarge, DocumentUnprintable
from cairn.waivers.documents.processes import reading_processes, rendering_processes
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.render_and_seal import load_fonts, render_and_seal, render_form, timestamp
from cairn.waivers.documents.rendering import FormContent, PrintedParts
from cairn.waivers.documents.sealing import CertificateKey, Seal, open_seal, store_certificates
from cairn.waivers.documents.settings import DocumentSettings

log = logging.getLogger(__name__)

# The bucket is private, encrypted and write-once. A policy lets each company read its own folder in it.
_BUCKET = "signed-waivers"
_CHECK_STORE_EVERY_SECONDS = 2.0

_P = ParamSpec("_P")


@frozen_dataclass
class DocumentContext:
    """`rendering` and `reading` are the processes that render documents and that read uploaded PDFs."""

    rendering: SandboxPool
    reading: SandboxPool
    storage: ObjectStorage
    data_folder: Path
    site_url: str
    messaging: MessagingSettings
    seal: Seal
    """Seals documents, and signs evidence packs and heads. It is loaded when it is first used."""
    certificate_key: CertificateKey
    """Shows which certificates in the database were listed by servers of this deployment."""
    download_limits: DownloadLimits = field(default_factory=DownloadLimits)

    async def get_or_create(self, record: SignedRecord, seal: Seal) -> bytes:
        """Creates and stores the document. If a worker that crashed has already stored it, returns that one instead."""
        return await self.store_once(record.storage_path, await self.render_and_seal(record, seal))

    async def render_and_seal(self, record: SignedRecord, seal: Seal) -> bytes:
        """Documents of different companies take turns. Raises DocumentTooLarge if a retry would fail as well.

        A document that takes too much time or memory, or cannot be rendered, is made without the pictures of the form.
        If that fails too, it is made without the answers.
        """
        fallbacks: tuple[PrintedParts, ...] = ("no pictures", "no answers") if record.form is not None else ()
        parts: PrintedParts = "everything"
        for fallback in fallbacks:
            try:
                return await self._render_and_seal(record, seal, parts)
            except (LimitExceeded, DocumentUnprintable) as error:
                # The message of DocumentUnprintable may quote an answer, so it is not logged.
                reason = str(error) if isinstance(error, LimitExceeded) else "it cannot be rendered"
                log.warning("the document of waiver %s is made with %s: %s", record.id, fallback, reason)
                parts = fallback
        try:
            return await self._render_and_seal(record, seal, parts)
        except LimitExceeded as error:
            raise DocumentTooLarge(reason=str(error)) from error

    async def _render_and_seal(self, record: SignedRecord, seal: Seal, parts: PrintedParts) -> bytes:
        key = str(record.company_id)
        return await self.rendering.run(key, render_and_seal, record, seal, self.site_url, parts)

    async def warm_up(self) -> None:
        """Starts a process and loads the fonts, so that the first document is as fast as the next ones."""
        with contextlib.suppress(SandboxFailed):
            await self.rendering.run("", load_fonts)

    async def close(self) -> None:
        await self.rendering.close()
        await self.reading.close()

    async def render_form(self, content: FormContent, key: str) -> bytes:
        return await self.run_for_caller(key, render_form, content)

    async def run_for_caller(
        self, key: str, function: Callable[_P, bytes], *args: _P.args, **kwargs: _P.kwargs
    ) -> bytes:
        """Runs the function in one of the processes that render documents, while a caller waits for the result.

        `key` is a company or the caller's network. Calls with different keys take turns.
        """
        try:
            return await self.rendering.run(key, function, *args, **kwargs)
        except LimitExceeded as error:
            raise DocumentTooLarge(reason=str(error)) from error
        except TookTooLong as error:
            raise TooBusy from error

    async def request_timestamp(self, url: str, digest: bytes) -> tuple[bytes, datetime]:
        """Returns the token of a timestamp authority and its time. Raises SandboxFailed if there is no valid one."""
        return await self.rendering.run("", timestamp, url, digest)

    async def store_once(self, path: str, document: bytes) -> bytes:
        """Stores the document, unless a concurrent call was faster. Returns the bytes that are stored now."""
        try:
            await self.storage.put(_BUCKET, path, document, content_type="application/pdf")
        except AlreadyExists:
            return await self.storage.get(_BUCKET, path)
        return document

    async def wait_for_store(self) -> None:
        """Returns when files can be stored again, after an attempt has failed."""
        while True:
            await asyncio.sleep(_CHECK_STORE_EVERY_SECONDS)
            with contextlib.suppress(BlobStoreFailed):
                await self.storage.check()
                return

    async def find(self, path: str) -> bytes | None:
        return await self.storage.find(_BUCKET, path)

    async def erase(self, path: str) -> None:
        await self.storage.erase(_BUCKET, path)

    async def load(self, path: str, sha256: str) -> bytes:
        """Returns a stored document. Raises DocumentDamaged if it is missing or its bytes have another hash."""
        try:
            document = await self.storage.get(_BUCKET, path)
        except (NoSuchKey, BytesMissing) as error:
            raise DocumentDamaged(path=path, reason="it is gone") from error
        # In a thread, because hashing a large document would stop all other requests for a moment.
        if await asyncio.to_thread(_sha256, document) != sha256:
            raise DocumentDamaged(path=path, reason="its fingerprint differs")
        return document


def _sha256(document: bytes) -> str:
    return hashlib.sha256(document).hexdigest()


def open_documents(
    storage: ObjectStorage,
    data_folder: Path,
    site_url: str,
    messaging: MessagingSettings,
    settings: DocumentSettings,
    *,
    certificate_secret: str,
) -> DocumentContext:
    """`certificate_secret` is the same on all servers that share a database; see `CertificateKey`."""
    store_certificates(data_folder, settings)
    certificate_key = CertificateKey(certificate_secret)
    return DocumentContext(
        rendering_processes(settings.rendering_processes),
        reading_processes(),
        storage,
        data_folder,
        site_url.rstrip("/"),
        messaging,
        open_seal(data_folder, settings, certificate_key),
        certificate_key,
    )
