"""The sweep cleans up after a crash."""

from collections.abc import AsyncIterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from uuid import UUID

import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.storage import BlobStore, ObjectStorage, StorageSettings, sweep
from cairn.storage.store.blobs import register_blob
from cairn.storage.sweep import part_to_check
from tests.storage.client import StorageClient, files_in

NO_GRACE_PERIOD = timedelta()


async def content() -> AsyncIterator[bytes]:
    yield b"content"


async def leave_orphaned_files(database: Database, blob_store: BlobStore, folder: Path) -> None:
    """Simulates two crashes: one after the last byte but before the commit, and one in the middle of a write."""
    async with database.acting_as(SERVICE) as connection:
        complete_blob_id, partial_blob_id = [await register_blob(connection, sealed=False) for _ in range(2)]
    await blob_store.write(complete_blob_id, content(), sealed=False)
    draft = folder / partial_blob_id.hex[:2] / f"{partial_blob_id}#1"
    draft.parent.mkdir(exist_ok=True)
    draft.write_bytes(b"partial")


async def test_bytes_without_an_object_are_removed(
    storage: StorageClient, photos: str, database: Database, blob_store: BlobStore, folder: Path
) -> None:
    await storage.put(f"{photos}/kept", b"kept")
    files_before = files_in(folder)
    await leave_orphaned_files(database, blob_store, folder)
    assert len(files_in(folder)) == 3

    report = await sweep(database, blob_store, grace_period=NO_GRACE_PERIOD)

    assert (report.removed_count, report.missing_paths) == (2, [])
    assert files_in(folder) == files_before
    assert (await storage.read(f"{photos}/kept")).content == b"kept"


async def test_recent_blobs_are_not_swept(database: Database, blob_store: BlobStore, folder: Path) -> None:
    await leave_orphaned_files(database, blob_store, folder)

    assert (await sweep(database, blob_store)).removed_count == 0
    assert len(files_in(folder)) == 2


async def test_the_bytes_of_an_object_deleted_in_the_database_are_swept(
    storage: StorageClient, photos: str, database: Database, blob_store: BlobStore, folder: Path
) -> None:
    await storage.put(f"{photos}/a")
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("delete from storage.objects")

    await sweep(database, blob_store, grace_period=NO_GRACE_PERIOD)

    assert files_in(folder) == []


async def test_an_old_blob_without_an_object_is_found_within_256_hours(
    storage: StorageClient,
    photos: str,
    database: Database,
    admin: Connection,
    blob_store: BlobStore,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await storage.put(f"{photos}/a")
    await admin.execute("update storage.blobs set started_at = now() - interval '90 days'")
    version: UUID = await admin.fetchval("select version from storage.blobs")
    await admin.execute("delete from storage.objects")
    hours = [now() + timedelta(hours=number) for number in range(256)]
    [hour] = [hour for hour in hours if part_to_check(hour) == version.bytes[0]]

    sweep_module = import_module("cairn.storage.sweep")
    monkeypatch.setattr(sweep_module, "now", lambda: hour + timedelta(hours=1))
    assert (await sweep(database, blob_store)).removed_count == 0
    monkeypatch.setattr(sweep_module, "now", lambda: hour)
    assert (await sweep(database, blob_store)).removed_count == 1

    assert files_in(folder) == []


async def test_unknown_files_in_the_folder_are_not_removed(
    database: Database, blob_store: BlobStore, folder: Path
) -> None:
    unknown_file = folder / "ab" / "not ours"
    unknown_file.parent.mkdir()
    unknown_file.write_text("keep me")

    await sweep(database, blob_store, grace_period=NO_GRACE_PERIOD)

    assert unknown_file.read_text() == "keep me"


async def test_an_object_without_bytes_is_reported_and_an_upload_repairs_it(
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

    assert (await sweep(database, blob_store, grace_period=NO_GRACE_PERIOD)).missing_paths == [f"{photos}/a"]
    assert "the bytes of photos/a are missing" in caplog.text
    await storage.request("PUT", f"/object/{photos}/a", content=b"again")
    assert (await sweep(database, blob_store, grace_period=NO_GRACE_PERIOD)).missing_paths == []


async def test_a_failing_source_leaves_nothing_behind(
    database: Database, blob_store: BlobStore, settings: StorageSettings, folder: Path, photos: str
) -> None:
    async def failing_source() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b"x" * 65536
        raise RuntimeError("the connection broke")

    with pytest.raises(RuntimeError, match="the connection broke"):
        await ObjectStorage(database, blob_store, settings).put(photos, "a", failing_source(), content_type="image/png")

    assert files_in(folder) == []
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from storage.blobs") == 0
