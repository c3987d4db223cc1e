"""Encryption at rest: nothing readable on the blob_store, and nothing changed without being noticed."""

from collections.abc import AsyncIterator
from os import urandom
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from cairn.db import SERVICE, Database
from cairn.storage import BlobStore, ObjectStorage, StorageSettings, new_sealing_key, open_blob_store
from cairn.storage.blobs.encryption import PIECE, TAG
from cairn.storage.errors import ReadFailed
from tests.storage.client import StorageClient, files_in


async def pieces(content: bytes, size: int = 50_000) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def read(blob_store: BlobStore, version: UUID, start: int, end: int, size: int, *, sealed: bool = True) -> bytes:
    return b"".join([chunk async for chunk in await blob_store.read(version, start, end, size=size, sealed=sealed)])


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7])
async def test_every_part_is_read_back(blob_store: BlobStore, size: int, sealed: bool) -> None:
    content, version = urandom(size), uuid4()

    written = await blob_store.write(version, pieces(content), sealed=sealed)

    assert written.size == size
    for start, end in ((0, size), (size // 3, size // 2), (max(0, size - 1), size), (size // 2, size)):
        assert await read(blob_store, version, start, end, size, sealed=sealed) == content[start:end]


@pytest.mark.accept("HOME-15")
async def test_the_shelf_holds_nothing_readable(
    database: Database, blob_store: BlobStore, settings: StorageSettings, folder: Path
) -> None:
    await ObjectStorage(database, blob_store, settings).put(
        "signed-waivers", "c/w.pdf", b"%PDF Gil Okafor", content_type="application/pdf"
    )

    [stored] = files_in(folder)
    assert b"Gil" not in stored.read_bytes()
    assert b"PDF" not in stored.read_bytes()


async def test_another_key_opens_nothing(blob_store: BlobStore, folder: Path) -> None:
    version = uuid4()
    await blob_store.write(version, pieces(b"secret"), sealed=True)
    other = open_blob_store(StorageSettings.model_validate({"sealing_key": new_sealing_key()}), folder)

    with pytest.raises(ReadFailed):
        await read(other, version, 0, 6, 6)


@pytest.mark.parametrize("change", ["flip", "cut", "swap", "foreign"])
async def test_a_change_on_the_shelf_is_noticed(blob_store: BlobStore, folder: Path, change: str) -> None:
    content, version, other = urandom(3 * PIECE), uuid4(), uuid4()
    await blob_store.write(version, pieces(content), sealed=True)
    [stored] = files_in(folder)
    sealed = stored.read_bytes()
    salt, first, second = sealed[:16], sealed[16 : 16 + PIECE + TAG], sealed[16 + PIECE + TAG : 16 + 2 * (PIECE + TAG)]
    match change:
        case "flip":
            stored.write_bytes(sealed[:100] + bytes([sealed[100] ^ 1]) + sealed[101:])
        case "cut":
            stored.write_bytes(sealed[: -(PIECE + TAG)])
        case "swap":
            stored.write_bytes(salt + second + first + sealed[16 + 2 * (PIECE + TAG) :])
        case "foreign":
            await blob_store.write(other, pieces(content), sealed=True)
            stored.write_bytes(next(path for path in files_in(folder) if path != stored).read_bytes())

    with pytest.raises(ReadFailed):
        await read(blob_store, version, 0, len(content), len(content))


async def test_a_move_into_a_sealed_bucket_seals_and_out_of_it_unseals(
    storage: StorageClient, photos: str, folder: Path, database: Database
) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("insert into storage.buckets (id, name, sealed) values ('safe', 'safe', true)")
    await storage.put(f"{photos}/a", b"plain words")

    for ends in ((photos, "safe"), ("safe", photos)):
        move = {"bucketId": ends[0], "sourceKey": "a", "destinationKey": "a", "destinationBucket": ends[1]}
        await storage.ok("POST", "/object/move", json=move)
        [stored] = files_in(folder)
        assert (b"plain words" in stored.read_bytes()) == (ends[1] == photos)
        assert (await storage.read(f"{ends[1]}/a")).content == b"plain words"
        assert (await storage.read(f"{ends[1]}/a", range="bytes=6-10")).content == b"words"
