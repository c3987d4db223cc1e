"""Files in an S3 bucket, and failures of S3."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Database, Principal
from cairn.storage import open_blob_store, sweep
from tests.storage.client import StorageClient
from tests.storage.conftest import storage_client
from tests.storage.s3 import FlakyProxy, bytes_of, keys_in, proxy_to, s3_server, s3_settings, unfinished_in

LARGE = b"0123456789abcdef" * (12 * 1024 * 1024 // 16)


@pytest.fixture(scope="module")
def s3() -> Iterator[int]:
    with s3_server() as port:
        yield port


@pytest_asyncio.fixture
async def proxy(s3: int) -> AsyncIterator[tuple[FlakyProxy, int]]:
    async with proxy_to(s3) as proxy_and_port:
        yield proxy_and_port


@pytest_asyncio.fixture
async def storage(
    database: Database, people: dict[str, Principal], proxy: tuple[FlakyProxy, int], tmp_path: Path
) -> AsyncIterator[StorageClient]:
    settings = s3_settings(proxy[1])
    async with storage_client(database, open_blob_store(settings, tmp_path / "unused"), settings, people) as client:
        yield client


async def test_files_are_stored_in_the_bucket(storage: StorageClient, photos: str, s3: int, tmp_path: Path) -> None:
    before = len(keys_in(s3))
    for name, content in (("small", b"content"), ("large", LARGE), ("empty", b"")):
        await storage.put(f"{photos}/{name}", content)
    await storage.ok("POST", "/object/copy", json={"bucketId": photos, "sourceKey": "small", "destinationKey": "copy"})

    assert len(keys_in(s3)) == before + 4
    assert (await storage.read(f"{photos}/large")).content == LARGE
    assert (await storage.read(f"{photos}/large", range="bytes=6000000-6000003")).content == LARGE[6000000:6000004]
    assert (await storage.read(f"{photos}/copy")).content == b"content"
    assert (await storage.read(f"{photos}/empty")).content == b""
    await storage.ok("DELETE", f"/object/{photos}", json={"prefixes": ["small", "large", "empty", "copy"]})
    assert len(keys_in(s3)) == before
    assert not (tmp_path / "unused").exists()


async def test_sealed_files_are_encrypted_in_s3_too(storage: StorageClient, database: Database, s3: int) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("insert into storage.buckets (id, name, sealed) values ('safe', 'safe', true)")
    before = set(keys_in(s3))
    await storage.put("safe/a", LARGE)

    [key] = set(keys_in(s3)) - before
    assert LARGE[:64] not in bytes_of(s3, key)

    assert (await storage.read("safe/a", range="bytes=70000-70009")).content == LARGE[70000:70010]
    assert (await storage.read("safe/a")).content == LARGE


async def test_s3_failing_with_500_stores_nothing_reports_it_and_recovers(
    storage: StorageClient, photos: str, proxy: tuple[FlakyProxy, int], s3: int, database: Database
) -> None:
    await storage.put(f"{photos}/there", b"there")
    before = keys_in(s3)
    proxy[0].break_now()

    stored = await storage.put(f"{photos}/a", b"content")
    read = await storage.read(f"{photos}/there")
    removed = await storage.request("DELETE", f"/object/{photos}/there")
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from storage.objects") == 0
    proxy[0].repair()

    assert (stored.status_code, stored.json()["code"]) == (500, "InternalError")
    assert "please try again" in stored.json()["message"]
    assert read.status_code == 500
    assert removed.status_code == 200, "the row decides; its bytes are swept later"
    assert keys_in(s3) == before
    assert (await storage.put(f"{photos}/a", b"content")).status_code == 200
    assert (await storage.read(f"{photos}/a")).content == b"content"


async def test_s3_failing_in_the_middle_leaves_no_partial_object(
    storage: StorageClient, photos: str, proxy: tuple[FlakyProxy, int], s3: int
) -> None:
    before = keys_in(s3)
    proxy[0].break_after = 6 * 1024 * 1024

    stored = await storage.put(f"{photos}/large", LARGE)
    proxy[0].repair()

    assert stored.status_code == 500
    assert keys_in(s3) == before
    assert (await storage.read(f"{photos}/large")).json()["code"] == "NoSuchKey"
    assert (await storage.put(f"{photos}/large", LARGE)).status_code == 200
    # Parts that S3 received before it failed; a lifecycle rule of the S3 bucket removes them (docs/operations.md).
    assert unfinished_in(s3) <= 1


async def test_bytes_that_could_not_be_removed_are_swept_later(
    storage: StorageClient, photos: str, proxy: tuple[FlakyProxy, int], s3: int, database: Database, tmp_path: Path
) -> None:
    before = keys_in(s3)
    await storage.put(f"{photos}/a")
    proxy[0].break_now()
    await storage.request("DELETE", f"/object/{photos}/a")
    proxy[0].repair()
    assert len(keys_in(s3)) == len(before) + 1

    await sweep(database, open_blob_store(s3_settings(s3), tmp_path), grace_period=timedelta())

    assert keys_in(s3) == before
