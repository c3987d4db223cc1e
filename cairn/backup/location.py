"""Reads and writes the parts of a backup, in a folder or an S3 bucket."""

import asyncio
import atexit
import hashlib
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore

from cairn.backup.errors import BackupDamaged, NoBackup, PlaceUnusable
from cairn.backup.manifest import Entry
from cairn.storage import S3Settings, open_s3, put_stream

_S3_SCHEME = "s3://"
# S3 allows at most 10,000 parts per upload, so a dump can be up to 320 GB.
_PART_BYTES = 32 * 1024 * 1024
_PAUSE_AT_EXIT_SECONDS = 0.2


class Location:
    def __init__(self, name: str, store: ObjectStore, folder: Path | None) -> None:
        self.name = name
        self._store = store
        self._folder = folder

    async def write(self, name: str, chunks: AsyncIterator[bytes]) -> Entry:
        counted = _Counted(chunks)
        try:
            await put_stream(self._store, name, counted.chunks(), part_bytes=_PART_BYTES)
            if self._folder is not None:
                await asyncio.to_thread(_flush, self._folder / name)
        except (BaseError, OSError) as error:
            raise PlaceUnusable(place=self.name, reason=_first_line(error)) from error
        return counted.entry

    async def read(self, name: str) -> AsyncIterator[bytes]:
        """Raises FileNotFoundError if there is no such part."""
        try:
            result = await obstore.get_async(self._store, name)
            async for chunk in result.stream():
                yield bytes(chunk)
        except FileNotFoundError:
            raise
        except (BaseError, OSError) as error:
            raise PlaceUnusable(place=self.name, reason=_first_line(error)) from error

    async def read_small(self, name: str) -> bytes | None:
        try:
            return b"".join([chunk async for chunk in self.read(name)])
        except FileNotFoundError:
            return None

    async def read_checked(self, name: str, entry: Entry) -> AsyncIterator[bytes]:
        """Raises BackupDamaged if there is no such part, or at the end if its size or hash differs from `entry`."""
        counted = _Counted(self.read(name))
        try:
            async for chunk in counted.chunks():
                yield chunk
        except FileNotFoundError as error:
            raise BackupDamaged(name=name, reason="is missing") from error
        if counted.entry != entry:
            raise BackupDamaged(name=name, reason="does not match the manifest")


def open_location(name: str, s3: S3Settings, *, create: bool) -> Location:
    """`name` is a folder, or `s3://bucket/prefix`. S3 uses the same credentials and endpoint as for stored files."""
    # The threads of obstore release Python objects a moment after their result has arrived. If Python were ending
    # already, they would abort the process, and a complete backup would look like a failure.
    atexit.register(time.sleep, _PAUSE_AT_EXIT_SECONDS)
    try:
        if name.startswith(_S3_SCHEME):
            bucket, _, prefix = name.removeprefix(_S3_SCHEME).partition("/")
            return Location(name, open_s3(s3.model_copy(update={"prefix": prefix.strip("/")}), bucket), None)
        folder = Path(name).resolve()
        if create:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not folder.is_dir():
            raise NoBackup(source=name)
        return Location(name, LocalStore(folder), folder)
    except (BaseError, OSError, ValueError) as error:
        raise PlaceUnusable(place=name, reason=_first_line(error)) from error


@contextmanager
def private_files() -> Iterator[None]:
    """Only the owner can read the files and folders that this process creates, even while they are being written."""
    previous = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(previous)


async def one_chunk(content: bytes) -> AsyncIterator[bytes]:
    yield content


class _Counted:
    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self._source = source
        self._size = 0
        self._sha256 = hashlib.sha256()

    @property
    def entry(self) -> Entry:
        return Entry(self._size, self._sha256.hexdigest())

    async def chunks(self) -> AsyncIterator[bytes]:
        async for chunk in self._source:
            self._size += len(chunk)
            self._sha256.update(chunk)
            yield chunk


def _flush(path: Path) -> None:
    """Flushes the file to the disk before it is reported as stored."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
