"""Files can be stored in an S3 bucket, and failures of S3 lose nothing.

17A1 is a finding in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Database, Principal
from cairn.storage import open_blob_store, sweep
from tests.people import Person
from tests.storage.client import StorageClient
from tests.storage.conftest import storage_client
from tests.storage.s3 import (
    FlakyProxy,
    count_unfinished_uploads,
    keys_in,
    proxy_to,
    read_object,
    s3_server,
    s3_settings,
)

LARGE_CONTENT = b"0123456789abcdef" * (12 * 1024 * 1024 // 16)


@pytest.fixture(scope="module")
def s3_port() -> Iterator[int]:
    with s3_server() as port:
        yield port


@pytest_asyncio.fixture
async def proxy(s3_port: int) -> AsyncIterator[FlakyProxy]:
    async with proxy_to(s3_port) as proxy:
        yield proxy


@pytest_asyncio.fixture
async def storage(
    database: Database, principals: dict[str, Principal], proxy: FlakyProxy, tmp_path: Path
) -> AsyncIterator[StorageClient]:
    settings = s3_settings(proxy.port)
    async with storage_client(database, open_blob_store(settings, tmp_path / "unused"), settings, principals) as client:
        yield client


async def test_files_are_stored_in_the_s3_bucket(
    storage: StorageClient, photos: str, s3_port: int, tmp_path: Path
) -> None:
    count_before = len(keys_in(s3_port))
    for name, content in (("small", b"content"), ("large", LARGE_CONTENT), ("empty", b"")):
        await storage.put(f"{photos}/{name}", content)
    await storage.fetch(
        "POST", "/object/copy", json={"bucketId": photos, "sourceKey": "small", "destinationKey": "copy"}
    )

    assert len(keys_in(s3_port)) == count_before + 4
    assert (await storage.read(f"{photos}/large")).content == LARGE_CONTENT
    assert (await storage.read(f"{photos}/large", range="bytes=6000000-6000003")).content == LARGE_CONTENT[
        6000000:6000004
    ]
    assert (await storage.read(f"{photos}/copy")).content == b"content"
    assert (await storage.read(f"{photos}/empty")).content == b""
    await storage.fetch("DELETE", f"/object/{photos}", json={"prefixes": ["small", "large", "empty", "copy"]})
    assert len(keys_in(s3_port)) == count_before
    assert not (tmp_path / "unused").exists()


async def test_17a1_an_office_uploads_many_large_files_at_once(
    storage: StorageClient, photos: str, rosa: Person
) -> None:
    """17A1: S3 takes parts of 5 MiB, and a network has memory for three such uploads. The others use the disk."""
    content = LARGE_CONTENT[: 6 * 1024 * 1024]
    paths = [f"{photos}/{rosa.id}/{number}" for number in range(6)]

    responses = await asyncio.gather(*(storage.put(path, content, who="rosa") for path in paths))

    assert {response.status_code for response in responses} == {200}
    for path in paths:
        assert (await storage.read(path, who="rosa")).content == content


async def test_sealed_files_are_encrypted_in_s3(storage: StorageClient, database: Database, s3_port: int) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("insert into storage.buckets (id, name, sealed) values ('safe', 'safe', true)")
    keys_before = set(keys_in(s3_port))
    await storage.put("safe/a", LARGE_CONTENT)

    [key] = set(keys_in(s3_port)) - keys_before
    assert LARGE_CONTENT[:64] not in read_object(s3_port, key)

    assert (await storage.read("safe/a", range="bytes=70000-70009")).content == LARGE_CONTENT[70000:70010]
    assert (await storage.read("safe/a")).content == LARGE_CONTENT


async def test_a_failure_of_s3_stores_nothing_and_is_reported(
    storage: StorageClient, photos: str, proxy: FlakyProxy, s3_port: int, database: Database
) -> None:
    await storage.put(f"{photos}/existing", b"existing")
    keys_before = keys_in(s3_port)
    proxy.break_now()

    upload = await storage.put(f"{photos}/a", b"content")
    download = await storage.read(f"{photos}/existing")
    deletion = await storage.request("DELETE", f"/object/{photos}/existing")
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from storage.objects") == 0
    proxy.repair()

    assert (upload.status_code, upload.json()["code"]) == (500, "InternalError")
    assert "please try again" in upload.json()["message"]
    assert download.status_code == 500
    assert deletion.status_code == 200, "the row is deleted, and its bytes are swept later"
    assert keys_in(s3_port) == keys_before
    assert (await storage.put(f"{photos}/a", b"content")).status_code == 200
    assert (await storage.read(f"{photos}/a")).content == b"content"


async def test_a_failure_of_s3_during_an_upload_leaves_no_partial_object(
    storage: StorageClient, photos: str, proxy: FlakyProxy, s3_port: int
) -> None:
    keys_before = keys_in(s3_port)
    proxy.break_after_bytes = 6 * 1024 * 1024

    upload = await storage.put(f"{photos}/large", LARGE_CONTENT)
    proxy.repair()

    assert upload.status_code == 500
    assert keys_in(s3_port) == keys_before
    assert (await storage.read(f"{photos}/large")).json()["code"] == "NoSuchKey"
    assert (await storage.put(f"{photos}/large", LARGE_CONTENT)).status_code == 200
    # S3 keeps the parts of the failed upload. A lifecycle rule of the S3 bucket removes them (docs/operations.md).
    assert count_unfinished_uploads(s3_port) <= 1


async def test_bytes_that_could_not_be_removed_are_swept_later(
    storage: StorageClient, photos: str, proxy: FlakyProxy, s3_port: int, database: Database, tmp_path: Path
) -> None:
    keys_before = keys_in(s3_port)
    await storage.put(f"{photos}/a")
    proxy.break_now()
    await storage.request("DELETE", f"/object/{photos}/a")
    proxy.repair()
    assert len(keys_in(s3_port)) == len(keys_before) + 1

    await sweep(database, open_blob_store(s3_settings(s3_port), tmp_path), grace_period=timedelta())

    assert keys_in(s3_port) == keys_before
