"""The blob_store: bytes under a version, in a folder or in an S3 bucket, written whole or not at all."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, S3Store

from cairn.storage.blobs.encryption import PIECE, SALT, BlobCipher, DecryptionFailed, opened, pieces, sealed_range
from cairn.storage.errors import BytesMissing, ReadFailed, StoreFailed, StoreFull
from cairn.storage.model import WrittenBlob
from cairn.storage.settings import S3Settings, StorageSettings

if TYPE_CHECKING:
    from obstore import GetResult
    from obstore.store import S3Config

_PART = 5 * 1024 * 1024
_PARTS_AT_ONCE = 2
_CHUNK = 256 * 1024
_FULL = ("No space left", "os error 28", "os error 27", "quota exceeded")


def open_blob_store(settings: StorageSettings, folder: Path) -> "BlobStore":
    seal = BlobCipher(settings.sealing_bytes)
    if settings.s3.bucket is not None:
        return BlobStore(_s3(settings.s3, settings.s3.bucket), seal, None)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return BlobStore(LocalStore(folder), seal, folder)


def _s3(settings: S3Settings, bucket: str) -> S3Store:
    config: S3Config = {
        "bucket": bucket,
        "region": settings.region,
        "virtual_hosted_style_request": not settings.path_style,
    }
    # Left out when not set, so that the machine's own credentials are found.
    if settings.endpoint is not None:
        config["endpoint"] = settings.endpoint
    if settings.access_key_id is not None:
        config["access_key_id"] = settings.access_key_id.get_secret_value()
    if settings.secret_access_key is not None:
        config["secret_access_key"] = settings.secret_access_key.get_secret_value()
    return S3Store(
        config=config,
        prefix=settings.prefix or None,
        client_options={"allow_http": True, "timeout": settings.timeout},
        retry_config={"max_retries": 2, "retry_timeout": settings.timeout},
    )


class BlobStore:
    def __init__(self, store: ObjectStore, seal: BlobCipher, folder: Path | None) -> None:
        self._store = store
        self._seal = seal
        self._folder = folder

    async def write(self, version: UUID, source: AsyncIterator[bytes], *, sealed: bool) -> WrittenBlob:
        """Everything `source` gives, or nothing: until its end nobody can read it, and its failure leaves nothing."""
        counted = _Counted(source)
        stream = self._seal.sealed(version, counted.pass_on()) if sealed else counted.pass_on()
        try:
            await _put(self._store, _name(version), stream)
            if self._folder is not None:
                await asyncio.to_thread(_settle, self._folder / _name(version))
        except (BaseError, OSError) as failed:
            raise (StoreFull if any(word in str(failed) for word in _FULL) else StoreFailed) from failed
        return WrittenBlob(version, counted.size, counted.md5.hexdigest())

    async def read(self, version: UUID, start: int, end: int, *, size: int, sealed: bool) -> AsyncIterator[bytes]:
        """Opened before it returns, so that what is missing is known before the first header is sent."""
        try:
            if sealed:
                return await self._read_sealed(version, start, end, size)
            return await self._stream(version, start, end)
        except FileNotFoundError as missing:
            raise BytesMissing from missing
        except (BaseError, OSError) as failed:
            raise ReadFailed from failed

    async def copy(self, source: UUID, target: UUID) -> None:
        """Only for what is not sealed: a seal is valid for one version alone."""
        try:
            await obstore.copy_async(self._store, _name(source), _name(target))
            if self._folder is not None:
                await asyncio.to_thread(_settle, self._folder / _name(target))
        except FileNotFoundError as missing:
            raise BytesMissing from missing
        except (BaseError, OSError) as failed:
            raise StoreFailed from failed

    async def remove(self, versions: Sequence[UUID]) -> None:
        """Also what an interrupted write left behind; removing what is not there is no mistake."""
        if not versions:
            return
        try:
            if self._folder is None:
                await obstore.delete_async(self._store, [_name(version) for version in versions])
            else:
                await asyncio.to_thread(_remove_files, [self._folder / _name(version) for version in versions])
        except (BaseError, OSError) as failed:
            raise StoreFailed from failed

    async def has(self, version: UUID) -> bool:
        try:
            await obstore.head_async(self._store, _name(version))
        except FileNotFoundError:
            return False
        except (BaseError, OSError) as failed:
            raise ReadFailed from failed
        return True

    async def _stream(self, version: UUID, start: int, end: int) -> AsyncIterator[bytes]:
        if start >= end:
            await obstore.head_async(self._store, _name(version))
            return _nothing()
        found = await obstore.get_async(self._store, _name(version), options={"range": (start, end)})
        return _chunks(found)

    async def _read_sealed(self, version: UUID, start: int, end: int, size: int) -> AsyncIterator[bytes]:
        salt = bytes(await obstore.get_range_async(self._store, _name(version), start=0, end=SALT))
        first, final = pieces(start, end)
        low, high = sealed_range(first, final, size)
        stream = opened(
            self._seal.cipher(version, salt),
            await self._stream(version, low, high),
            first=first,
            final=final,
            size=size,
        )
        return _trimmed(stream, skip=start - first * PIECE, take=end - start)


class _Counted:
    """Counts and hashes what passes by, before any seal is put on it."""

    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self._source = source
        self.size = 0
        self.md5 = hashlib.md5(usedforsecurity=False)

    async def pass_on(self) -> AsyncIterator[bytes]:
        async for chunk in self._source:
            self.size += len(chunk)
            self.md5.update(chunk)
            yield chunk


async def _put(store: ObjectStore, name: str, stream: AsyncIterator[bytes]) -> None:
    """The library hears of a failure through its own source: cancelled in the middle, it leaves a draft behind."""
    queue: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue(maxsize=4)

    async def fed() -> AsyncIterator[bytes]:
        while (chunk := await queue.get()) is not None:
            if isinstance(chunk, BaseException):
                raise chunk
            yield chunk

    async def write() -> None:
        await obstore.put_async(store, name, fed(), chunk_size=_PART, max_concurrency=_PARTS_AT_ONCE)

    writing = asyncio.create_task(write())
    try:
        async for chunk in stream:
            if chunk and not await _fed(queue, chunk, writing):
                break
        await _fed(queue, None, writing)
        await asyncio.shield(writing)
    except BaseException:
        await _fed(queue, _Abandoned(), writing)
        await asyncio.wait([writing])
        # Looked at, so that it is not reported as never looked at.
        writing.cancelled() or writing.exception()
        raise


class _Abandoned(Exception):
    """The source failed; whatever was written so far is to be thrown away."""


async def _fed(
    queue: "asyncio.Queue[bytes | BaseException | None]",
    item: bytes | BaseException | None,
    writing: "asyncio.Task[None]",
) -> bool:
    """False when the writer has stopped reading: it failed, and nobody will ever empty the queue."""
    offering = asyncio.create_task(queue.put(item))
    await asyncio.wait([offering, writing], return_when=asyncio.FIRST_COMPLETED)
    if offering.done():
        return True
    offering.cancel()
    return False


async def _chunks(found: "GetResult") -> AsyncIterator[bytes]:
    try:
        async for chunk in found.stream(min_chunk_size=_CHUNK):
            yield bytes(chunk)
    except (BaseError, OSError) as failed:
        raise ReadFailed from failed


async def _trimmed(stream: AsyncIterator[bytes], *, skip: int, take: int) -> AsyncIterator[bytes]:
    try:
        async for piece in stream:
            wanted = piece[skip : skip + take]
            skip = 0
            take -= len(wanted)
            if wanted:
                yield wanted
    except DecryptionFailed as broken:
        raise ReadFailed from broken


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield b""


def _name(version: UUID) -> str:
    """Two letters of folder, so that no folder grows without bound."""
    return f"{version.hex[:2]}/{version}"


def _settle(path: Path) -> None:
    """Onto the disk itself, file and folder entry, before anybody is told that it is stored."""
    for target in (path, path.parent):
        handle = os.open(target, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove_files(paths: Sequence[Path]) -> None:
    for path in paths:
        for file in (path, *path.parent.glob(f"{path.name}#*")):
            file.unlink(missing_ok=True)
