"""Stores blobs by version, in a folder or an S3 bucket. A write is all or nothing."""

import asyncio
import base64
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID, uuid4

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, S3Store

from cairn.kit import frozen_dataclass
from cairn.storage.blobs.encryption import (
    PIECE_BYTES,
    SALT_BYTES,
    BlobCipher,
    DecryptionFailed,
    decrypt_pieces,
    encrypted_range,
    piece_range,
)
from cairn.storage.errors import BlobStoreFailed, BlobStoreFull, BytesMissing, ReadFailed, WriteFailed
from cairn.storage.settings import S3Settings, StorageSettings

if TYPE_CHECKING:
    from obstore import GetResult
    from obstore.store import S3Config

# Blobs are written in parts, of which a few are sent at the same time, and read in chunks. S3 accepts no smaller parts.
# In a folder they are as small as chunks, because each upload that arrives holds a part in memory.
_PART_BYTES = 5 * 1024 * 1024
_CONCURRENT_PARTS = 2
_CHUNK_BYTES = 256 * 1024
# The size of the blob with which `check` tests whether the store can be written to.
_CHECK_BYTES = 4096
# Returns a stream of the same bytes, of which it holds some back.
Buffer: TypeAlias = Callable[[AsyncIterator[bytes]], AsyncIterator[bytes]]
_DISK_FULL_MESSAGES = ("No space left", "os error 28", "os error 27", "quota exceeded")


@frozen_dataclass
class WrittenBlob:
    """The size and hash were computed from the plaintext while the blob was written."""

    version: UUID
    size: int
    md5: str


def open_blob_store(settings: StorageSettings, folder: Path) -> "BlobStore":
    cipher = BlobCipher([base64.urlsafe_b64decode(key) for key in settings.sealing_keys])
    if settings.s3.bucket is not None:
        return BlobStore(open_s3(settings.s3, settings.s3.bucket), cipher, None, folder.parent)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return BlobStore(LocalStore(folder), cipher, folder, folder.parent)


def open_s3(settings: S3Settings, bucket: str) -> S3Store:
    config: S3Config = {
        "bucket": bucket,
        "region": settings.region,
        "virtual_hosted_style_request": not settings.path_style,
    }
    # Values that are not set are left out, so that S3Store uses the credentials of the machine.
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
    """`folder` is the folder of a local store, or None for S3.

    Uploads create files in `temporary_folder`. This is the data folder, because /tmp may be in memory.
    """

    def __init__(self, store: ObjectStore, cipher: BlobCipher, folder: Path | None, temporary_folder: Path) -> None:
        self._store = store
        self._cipher = cipher
        self._folder = folder
        self.part_bytes = _PART_BYTES if folder is None else _CHUNK_BYTES
        self.temporary_folder = temporary_folder

    async def write(
        self, version: UUID, source: AsyncIterator[bytes], *, sealed: bool, buffer: Buffer | None = None
    ) -> WrittenBlob:
        """Writes everything from `source`. Nothing is readable before the end, and a failure leaves nothing behind.

        `buffer` gets the bytes as they are stored, so that those of a sealed blob never reach the disk in plaintext.
        """
        plaintext = _CountingStream(source)
        stream = self._cipher.encrypt(version, plaintext.chunks()) if sealed else plaintext.chunks()
        await self.write_stored(version, stream if buffer is None else buffer(stream))
        return WrittenBlob(version, plaintext.size, plaintext.md5.hexdigest())

    async def write_stored(self, version: UUID, stream: AsyncIterator[bytes]) -> None:
        """Writes the bytes as they are. The bytes of a sealed blob are already encrypted."""
        try:
            await put_stream(self._store, _blob_name(version), stream, part_bytes=self.part_bytes)
            if self._folder is not None:
                await asyncio.to_thread(_fsync, self._folder / _blob_name(version))
        except (BaseError, OSError) as error:
            is_full = any(message in str(error) for message in _DISK_FULL_MESSAGES)
            raise (BlobStoreFull if is_full else WriteFailed) from error

    async def read_stored(self, version: UUID) -> AsyncIterator[bytes]:
        """Streams the bytes as they are stored. The bytes of a sealed blob are encrypted."""
        try:
            result = await obstore.get_async(self._store, _blob_name(version))
        except FileNotFoundError as error:
            raise BytesMissing from error
        except (BaseError, OSError) as error:
            raise ReadFailed from error
        async for chunk in _chunks(result):
            yield chunk

    async def is_empty(self) -> bool:
        try:
            async for blobs in obstore.list(self._store, chunk_size=1):
                if blobs:
                    return False
        except (BaseError, OSError) as error:
            raise BlobStoreFailed from error
        return True

    async def read(self, version: UUID, start: int, end: int, *, size: int, sealed: bool) -> AsyncIterator[bytes]:
        """Streams the bytes from `start` to `end` of a blob with `size` bytes.

        The blob is opened before this returns, so that a missing blob is noticed before the response headers are sent.
        """
        try:
            if sealed:
                return await self._read_sealed(version, start, end, size)
            return await self._stream(version, start, end)
        except FileNotFoundError as error:
            raise BytesMissing from error
        except (BaseError, OSError) as error:
            raise ReadFailed from error

    async def check(self) -> None:
        """Writes and removes a small blob. Raises BlobStoreFailed if that is impossible, for example on a full disk."""
        version = uuid4()
        await self.write(version, _one_chunk(bytes(_CHECK_BYTES)), sealed=False)
        await self.remove([version])

    async def copy(self, source: UUID, target: UUID) -> None:
        """Copies a blob that is not sealed. A sealed blob cannot be copied, because its key depends on its version."""
        try:
            await obstore.copy_async(self._store, _blob_name(source), _blob_name(target))
            if self._folder is not None:
                await asyncio.to_thread(_fsync, self._folder / _blob_name(target))
        except FileNotFoundError as error:
            raise BytesMissing from error
        except (BaseError, OSError) as error:
            raise WriteFailed from error

    async def remove(self, versions: Sequence[UUID]) -> None:
        """Removes the blobs, and the drafts of interrupted writes. Idempotent: a missing blob is not an error."""
        if not versions:
            return
        try:
            if self._folder is None:
                await obstore.delete_async(self._store, [_blob_name(version) for version in versions])
            else:
                await asyncio.to_thread(_remove_files, [self._folder / _blob_name(version) for version in versions])
        except (BaseError, OSError) as error:
            raise BlobStoreFailed from error

    async def has(self, version: UUID) -> bool:
        try:
            await obstore.head_async(self._store, _blob_name(version))
        except FileNotFoundError:
            return False
        except (BaseError, OSError) as error:
            raise ReadFailed from error
        return True

    async def _stream(self, version: UUID, start: int, end: int) -> AsyncIterator[bytes]:
        if start >= end:
            await obstore.head_async(self._store, _blob_name(version))
            return _empty_stream()
        result = await obstore.get_async(self._store, _blob_name(version), options={"range": (start, end)})
        return _chunks(result)

    async def _read_sealed(self, version: UUID, start: int, end: int, size: int) -> AsyncIterator[bytes]:
        salt = bytes(await obstore.get_range_async(self._store, _blob_name(version), start=0, end=SALT_BYTES))
        first, last = piece_range(start, end)
        encrypted_start, encrypted_end = encrypted_range(first, last, size)
        stream = decrypt_pieces(
            self._cipher.ciphers_for(version, salt),
            await self._stream(version, encrypted_start, encrypted_end),
            first=first,
            last=last,
            size=size,
        )
        return _trim(stream, skip_bytes=start - first * PIECE_BYTES, take_bytes=end - start)


class _CountingStream:
    """Computes the size and hash of a stream before it is encrypted."""

    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self._source = source
        self.size = 0
        self.md5 = hashlib.md5(usedforsecurity=False)

    async def chunks(self) -> AsyncIterator[bytes]:
        async for chunk in self._source:
            self.size += len(chunk)
            self.md5.update(chunk)
            yield chunk


async def put_stream(
    store: ObjectStore, name: str, stream: AsyncIterator[bytes], *, part_bytes: int = _PART_BYTES
) -> None:
    """Writes the stream with obstore, which reads it from a queue.

    If the stream fails or this call is cancelled, the queue raises an exception in obstore, which then removes its
    draft file. Cancelling the task of obstore instead would leave the draft behind.
    """
    queue: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue(maxsize=4)

    async def queued_chunks() -> AsyncIterator[bytes]:
        while (chunk := await queue.get()) is not None:
            if isinstance(chunk, BaseException):
                raise chunk
            yield chunk

    async def write() -> None:
        await obstore.put_async(store, name, queued_chunks(), chunk_size=part_bytes, max_concurrency=_CONCURRENT_PARTS)

    write_task = asyncio.create_task(write())
    try:
        async for chunk in stream:
            if chunk and not await _offer(queue, chunk, write_task):
                break
        await _offer(queue, None, write_task)
        await asyncio.shield(write_task)
    except BaseException:
        await _offer(queue, _Abandoned(), write_task)
        await asyncio.wait([write_task])
        if not write_task.cancelled():
            # This marks the exception as retrieved. Otherwise asyncio would log a warning about it.
            write_task.exception()
        raise


class _Abandoned(Exception):
    """Tells obstore that the source failed, so that it drops the partial write."""


async def _offer(
    queue: "asyncio.Queue[bytes | BaseException | None]",
    item: bytes | BaseException | None,
    write_task: "asyncio.Task[None]",
) -> bool:
    """Puts the item into the queue. Returns False if the writer has failed and will never read from the queue again."""
    put_task = asyncio.create_task(queue.put(item))
    await asyncio.wait([put_task, write_task], return_when=asyncio.FIRST_COMPLETED)
    if put_task.done():
        return True
    put_task.cancel()
    return False


async def _chunks(result: "GetResult") -> AsyncIterator[bytes]:
    try:
        async for chunk in result.stream(min_chunk_size=_CHUNK_BYTES):
            yield bytes(chunk)
    except (BaseError, OSError) as error:
        raise ReadFailed from error


async def _trim(stream: AsyncIterator[bytes], *, skip_bytes: int, take_bytes: int) -> AsyncIterator[bytes]:
    try:
        async for piece in stream:
            chunk = piece[skip_bytes : skip_bytes + take_bytes]
            skip_bytes = 0
            take_bytes -= len(chunk)
            if chunk:
                yield chunk
    except DecryptionFailed as error:
        raise ReadFailed from error


async def _one_chunk(chunk: bytes) -> AsyncIterator[bytes]:
    yield chunk


async def _empty_stream() -> AsyncIterator[bytes]:
    return
    # Python treats a function as a generator only if it contains a `yield`.
    yield b""


def _blob_name(version: UUID) -> str:
    """Spreads the blobs over 256 folders, so that no folder becomes too large."""
    return f"{version.hex[:2]}/{version}"


def _fsync(path: Path) -> None:
    """Flushes the file and its folder entry to disk before the caller reports success."""
    for target in (path, path.parent):
        handle = os.open(target, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove_files(paths: Sequence[Path]) -> None:
    for path in paths:
        # obstore writes a draft under the name of the blob followed by `#` and a number, and renames it at the end.
        for file in (path, *path.parent.glob(f"{path.name}#*")):
            file.unlink(missing_ok=True)
