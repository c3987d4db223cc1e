"""What a crash left behind."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from cairn.db import SERVICE, Database
from cairn.storage import BlobStore, ObjectStorage, StorageSettings, sweep
from cairn.storage.store.blobs import register_blob
from tests.storage.client import StorageClient, files_in

NOW = timedelta()


async def words() -> AsyncIterator[bytes]:
    yield b"words"


async def leave_bytes(database: Database, blob_store: BlobStore, folder: Path) -> None:
    """As after a crash between the last byte and the row, and another in the middle of writing."""
    async with database.acting_as(SERVICE) as connection:
        whole, half = [await register_blob(connection, sealed=False) for _ in range(2)]
    await blob_store.write(whole, words(), sealed=False)
    draft = folder / half.hex[:2] / f"{half}#1"
    draft.parent.mkdir(exist_ok=True)
    draft.write_bytes(b"half")


async def test_bytes_without_a_row_are_removed(
    storage: StorageClient, photos: str, database: Database, blob_store: BlobStore, folder: Path
) -> None:
    await storage.put(f"{photos}/kept", b"kept")
    kept = files_in(folder)
    await leave_bytes(database, blob_store, folder)
    assert len(files_in(folder)) == 3

    swept = await sweep(database, blob_store, grace=NOW)

    assert (swept.removed, swept.missing) == (2, [])
    assert files_in(folder) == kept
    assert (await storage.read(f"{photos}/kept")).content == b"kept"


async def test_what_may_still_be_written_is_left_alone(database: Database, blob_store: BlobStore, folder: Path) -> None:
    await leave_bytes(database, blob_store, folder)

    assert (await sweep(database, blob_store)).removed == 0
    assert len(files_in(folder)) == 2


async def test_a_row_deleted_in_the_database_takes_its_bytes_along(
    storage: StorageClient, photos: str, database: Database, blob_store: BlobStore, folder: Path
) -> None:
    await storage.put(f"{photos}/a")
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("delete from storage.objects")

    await sweep(database, blob_store, grace=NOW)

    assert files_in(folder) == []


async def test_files_of_others_in_the_folder_are_never_touched(
    database: Database, blob_store: BlobStore, folder: Path
) -> None:
    stranger = folder / "ab" / "not ours"
    stranger.parent.mkdir()
    stranger.write_text("keep me")

    await sweep(database, blob_store, grace=NOW)

    assert stranger.read_text() == "keep me"


async def test_a_row_without_bytes_is_reported_and_an_upload_mends_it(
    storage: StorageClient,
    photos: str,
    database: Database,
    blob_store: BlobStore,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await storage.put(f"{photos}/a")
    for path in files_in(folder):
        path.unlink()

    assert (await sweep(database, blob_store, grace=NOW)).missing == [f"{photos}/a"]
    assert "the bytes of photos/a are missing" in caplog.text
    await storage.request("PUT", f"/object/{photos}/a", content=b"again")
    assert (await sweep(database, blob_store, grace=NOW)).missing == []


async def test_a_source_that_fails_leaves_nothing(
    database: Database, blob_store: BlobStore, settings: StorageSettings, folder: Path, photos: str
) -> None:
    async def failing() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b"x" * 65536
        raise RuntimeError("the line broke")

    with pytest.raises(RuntimeError, match="the line broke"):
        await ObjectStorage(database, blob_store, settings).put(photos, "a", failing(), content_type="image/png")

    assert files_in(folder) == []
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from storage.blobs") == 0
