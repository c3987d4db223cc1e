"""Encryption at rest: stored blobs are not readable, and tampering is detected."""

from collections.abc import AsyncIterator
from os import urandom
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from cairn.db import SERVICE, Database
from cairn.storage import BlobStore, ObjectStorage, StorageSettings, new_sealing_key, open_blob_store
from cairn.storage.blobs.encryption import PIECE_BYTES, TAG_BYTES
from cairn.storage.errors import ReadFailed
from tests.storage.client import StorageClient, files_in


async def chunks(content: bytes, size: int = 50_000) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def read(blob_store: BlobStore, version: UUID, start: int, end: int, size: int, *, sealed: bool = True) -> bytes:
    return b"".join([chunk async for chunk in await blob_store.read(version, start, end, size=size, sealed=sealed)])


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("size", [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 7])
async def test_every_range_is_read_back(blob_store: BlobStore, size: int, sealed: bool) -> None:
    content, version = urandom(size), uuid4()

    written = await blob_store.write(version, chunks(content), sealed=sealed)

    assert written.size == size
    for start, end in ((0, size), (size // 3, size // 2), (max(0, size - 1), size), (size // 2, size)):
        assert await read(blob_store, version, start, end, size, sealed=sealed) == content[start:end]


@pytest.mark.accept("HOME-15")
async def test_a_sealed_file_is_not_readable_on_disk(
    database: Database, blob_store: BlobStore, settings: StorageSettings, folder: Path
) -> None:
    await ObjectStorage(database, blob_store, settings).put(
        "signed-waivers", "c/w.pdf", b"%PDF Gil Okafor", content_type="application/pdf"
    )

    [stored] = files_in(folder)
    assert b"Gil" not in stored.read_bytes()
    assert b"PDF" not in stored.read_bytes()


async def test_another_key_decrypts_nothing(blob_store: BlobStore, folder: Path) -> None:
    version = uuid4()
    await blob_store.write(version, chunks(b"secret"), sealed=True)
    other = open_blob_store(StorageSettings.model_validate({"sealing_key": new_sealing_key()}), folder)

    with pytest.raises(ReadFailed):
        await read(other, version, 0, 6, 6)


@pytest.mark.parametrize("change", ["flip", "cut", "swap", "foreign"])
async def test_tampering_with_a_stored_blob_is_detected(blob_store: BlobStore, folder: Path, change: str) -> None:
    content, version, other = urandom(3 * PIECE_BYTES), uuid4(), uuid4()
    await blob_store.write(version, chunks(content), sealed=True)
    [stored] = files_in(folder)
    sealed = stored.read_bytes()
    salt, first, second = (
        sealed[:16],
        sealed[16 : 16 + PIECE_BYTES + TAG_BYTES],
        sealed[16 + PIECE_BYTES + TAG_BYTES : 16 + 2 * (PIECE_BYTES + TAG_BYTES)],
    )
    match change:
        case "flip":
            stored.write_bytes(sealed[:100] + bytes([sealed[100] ^ 1]) + sealed[101:])
        case "cut":
            stored.write_bytes(sealed[: -(PIECE_BYTES + TAG_BYTES)])
        case "swap":
            stored.write_bytes(salt + second + first + sealed[16 + 2 * (PIECE_BYTES + TAG_BYTES) :])
        case "foreign":
            await blob_store.write(other, chunks(content), sealed=True)
            stored.write_bytes(next(path for path in files_in(folder) if path != stored).read_bytes())

    with pytest.raises(ReadFailed):
        await read(blob_store, version, 0, len(content), len(content))


async def test_moving_into_a_sealed_bucket_encrypts_and_out_of_it_decrypts(
    storage: StorageClient, photos: str, folder: Path, database: Database
) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("insert into storage.buckets (id, name, sealed) values ('safe', 'safe', true)")
    await storage.put(f"{photos}/a", b"plain content")

    for source, target in ((photos, "safe"), ("safe", photos)):
        move = {"bucketId": source, "sourceKey": "a", "destinationKey": "a", "destinationBucket": target}
        await storage.ok("POST", "/object/move", json=move)
        [stored] = files_in(folder)
        assert (b"plain content" in stored.read_bytes()) == (target == photos)
        assert (await storage.read(f"{target}/a")).content == b"plain content"
        assert (await storage.read(f"{target}/a", range="bytes=6-12")).content == b"content"
