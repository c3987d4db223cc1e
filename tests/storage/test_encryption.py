"""Sealed blobs are encrypted, and tampering with them is detected."""

from collections.abc import AsyncIterator
from itertools import pairwise
from os import urandom
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from cairn.db import SERVICE, Database
from cairn.storage import BlobStore, ObjectStorage, StorageSettings, new_sealing_key, open_blob_store
from cairn.storage.blobs.encryption import PIECE_BYTES, SALT_BYTES, TAG_BYTES
from cairn.storage.errors import ReadFailed
from tests.storage.client import StorageClient, files_in


async def chunks(content: bytes, size: int = 50_000) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def read(blob_store: BlobStore, blob_id: UUID, start: int, end: int, size: int, *, sealed: bool = True) -> bytes:
    return b"".join([chunk async for chunk in await blob_store.read(blob_id, start, end, size=size, sealed=sealed)])


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("size", [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 7])
async def test_every_range_of_a_blob_can_be_read(blob_store: BlobStore, size: int, sealed: bool) -> None:
    content, blob_id = urandom(size), uuid4()

    blob = await blob_store.write(blob_id, chunks(content), sealed=sealed)

    assert blob.size == size
    for start, end in ((0, size), (size // 3, size // 2), (max(0, size - 1), size), (size // 2, size)):
        assert await read(blob_store, blob_id, start, end, size, sealed=sealed) == content[start:end]


@pytest.mark.accept("HOME-15")
async def test_a_sealed_file_is_not_readable_on_disk(
    database: Database, blob_store: BlobStore, settings: StorageSettings, folder: Path
) -> None:
    await ObjectStorage(database, blob_store, settings).put(
        "signed-waivers", "c/w.pdf", b"%PDF Gil Okafor", content_type="application/pdf"
    )

    [file] = files_in(folder)
    assert b"Gil" not in file.read_bytes()
    assert b"PDF" not in file.read_bytes()


async def test_another_key_decrypts_nothing(blob_store: BlobStore, folder: Path) -> None:
    blob_id = uuid4()
    await blob_store.write(blob_id, chunks(b"secret"), sealed=True)
    other_store = open_blob_store(StorageSettings.model_validate({"sealing_key": new_sealing_key()}), folder)

    with pytest.raises(ReadFailed):
        await read(other_store, blob_id, 0, 6, 6)


@pytest.mark.parametrize("change", ["flip a bit", "cut a piece", "swap pieces", "use another blob"])
async def test_tampering_with_a_stored_blob_is_detected(blob_store: BlobStore, folder: Path, change: str) -> None:
    content, blob_id = urandom(3 * PIECE_BYTES), uuid4()
    await blob_store.write(blob_id, chunks(content), sealed=True)
    [file] = files_in(folder)
    sealed_bytes = file.read_bytes()
    piece_boundaries = [SALT_BYTES + number * (PIECE_BYTES + TAG_BYTES) for number in range(4)]
    salt = sealed_bytes[:SALT_BYTES]
    first_piece, second_piece, third_piece = (sealed_bytes[start:end] for start, end in pairwise(piece_boundaries))
    match change:
        case "flip a bit":
            file.write_bytes(sealed_bytes[:100] + bytes([sealed_bytes[100] ^ 1]) + sealed_bytes[101:])
        case "cut a piece":
            file.write_bytes(salt + first_piece + second_piece)
        case "swap pieces":
            file.write_bytes(salt + second_piece + first_piece + third_piece)
        case "use another blob":
            await blob_store.write(uuid4(), chunks(content), sealed=True)
            [other_file] = set(files_in(folder)) - {file}
            file.write_bytes(other_file.read_bytes())

    with pytest.raises(ReadFailed):
        await read(blob_store, blob_id, 0, len(content), len(content))


async def test_a_cut_off_blob_is_detected_even_if_its_size_in_the_database_was_changed(
    blob_store: BlobStore, folder: Path
) -> None:
    content, blob_id = urandom(3 * PIECE_BYTES), uuid4()
    await blob_store.write(blob_id, chunks(content), sealed=True)
    [file] = files_in(folder)

    file.write_bytes(file.read_bytes()[: SALT_BYTES + 2 * (PIECE_BYTES + TAG_BYTES)])

    with pytest.raises(ReadFailed):
        await read(blob_store, blob_id, 0, 2 * PIECE_BYTES, 2 * PIECE_BYTES)


async def test_a_move_into_or_out_of_a_sealed_bucket_encrypts_or_decrypts_the_bytes(
    storage: StorageClient, photos: str, folder: Path, database: Database
) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("insert into storage.buckets (id, name, sealed) values ('safe', 'safe', true)")
    await storage.put(f"{photos}/a", b"plain content")

    for source, target in ((photos, "safe"), ("safe", photos)):
        move = {"bucketId": source, "sourceKey": "a", "destinationKey": "a", "destinationBucket": target}
        await storage.fetch("POST", "/object/move", json=move)
        [file] = files_in(folder)
        assert (b"plain content" in file.read_bytes()) == (target == photos)
        assert (await storage.read(f"{target}/a")).content == b"plain content"
        assert (await storage.read(f"{target}/a", range="bytes=6-12")).content == b"content"
