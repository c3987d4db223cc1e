"""TUS: uploads that survive a broken connection."""

import base64
import hashlib
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import ClientDisconnect

from cairn.db import Database
from cairn.kit import now
from cairn.storage import BlobStore, resumable, sweep
from tests.cast import Person
from tests.storage.client import StorageClient, files_in

TUS = {"Tus-Resumable": "1.0.0"}
PATCH = {**TUS, "Content-Type": "application/offset+octet-stream"}


def upload_metadata(**values: str) -> str:
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())


async def begin(
    storage: StorageClient, bucket: str, key: str, length: int | None, *, who: str | None = "service", **more: Any
) -> httpx.Response:
    size = {"Upload-Defer-Length": "1"} if length is None else {"Upload-Length": str(length)}
    metadata = {
        "Upload-Metadata": upload_metadata(
            bucketName=bucket, objectName=key, contentType="text/plain", cacheControl="60"
        )
    }
    headers = {**TUS, **size, **metadata, **more.pop("headers", {})}
    return await storage.request("POST", more.pop("route", "/upload/resumable"), who=who, headers=headers, **more)


async def send(
    storage: StorageClient, url: str, offset: int, content: Any, *, who: str | None = "service", **headers: str
) -> httpx.Response:
    renamed = {name.replace("_", "-"): value for name, value in headers.items()}
    return await storage.request(
        "PATCH", url, who=who, content=content, headers={**PATCH, "Upload-Offset": str(offset), **renamed}
    )


async def test_options_lists_the_supported_extensions(storage: StorageClient) -> None:
    response = await storage.request("OPTIONS", "/upload/resumable", who=None)

    assert response.status_code == 204
    assert response.headers["tus-version"] == "1.0.0"
    assert set(response.headers["tus-extension"].split(",")) >= {
        "creation", "creation-with-upload", "termination", "checksum", "expiration",
    }  # fmt: skip


async def test_the_parts_of_an_upload_become_one_object(
    storage: StorageClient, photos: str, rosa: Person, folder: Path
) -> None:
    key = f"{rosa.id}/long.txt"
    created = await begin(storage, photos, key, 10, who="rosa")
    url = created.headers["location"]

    first = await send(storage, url, 0, b"01234", who="rosa")
    between = await storage.request("HEAD", url, who="rosa", headers=TUS)
    partial = await storage.read(f"{photos}/{key}", who="rosa")
    last = await send(storage, url, 5, b"56789", who="rosa")
    after = await storage.request("HEAD", url, who="rosa", headers=TUS)

    assert (created.status_code, url.startswith("http://cairn.test/storage/v1/upload/resumable/")) == (201, True)
    assert (first.status_code, first.headers["upload-offset"]) == (204, "5")
    assert (between.headers["upload-offset"], between.headers["upload-length"]) == ("5", "10")
    assert partial.status_code == 400, "a partial upload is not visible"
    assert last.headers["upload-offset"] == "10"
    assert after.status_code == 410
    read = await storage.read(f"{photos}/{key}", who="rosa")
    assert (read.content, read.headers["cache-control"]) == (b"0123456789", "max-age=60")
    assert read.headers["etag"] == f'"{hashlib.md5(b"0123456789", usedforsecurity=False).hexdigest()}"'
    assert len(files_in(folder)) == 1, "the parts were removed"


async def test_an_upload_may_be_created_with_its_first_bytes(storage: StorageClient, photos: str) -> None:
    whole = await begin(storage, photos, "a", 4, content=b"here", headers=PATCH)
    empty = await begin(storage, photos, "empty", 0)

    assert (whole.status_code, whole.headers["upload-offset"]) == (201, "4")
    assert (await storage.read(f"{photos}/a")).content == b"here"
    assert empty.status_code == 201
    assert (await storage.read(f"{photos}/empty")).content == b""


async def test_the_length_may_be_declared_later(storage: StorageClient, photos: str) -> None:
    url = (await begin(storage, photos, "a", None)).headers["location"]

    await send(storage, url, 0, b"some")
    assert (await storage.request("HEAD", url, headers=TUS)).headers["upload-defer-length"] == "1"
    await send(storage, url, 4, b"more", upload_length="8")

    assert (await storage.read(f"{photos}/a")).content == b"somemore"


async def test_a_broken_connection_keeps_the_received_bytes(storage: StorageClient, photos: str, folder: Path) -> None:
    url = (await begin(storage, photos, "a", 8)).headers["location"]

    async def breaking() -> AsyncIterator[bytes]:
        yield b"some"
        raise ClientDisconnect

    await send(storage, url, 0, breaking())
    cut = await storage.request("HEAD", url, headers=TUS)
    await send(storage, url, 4, b"more")

    assert cut.headers["upload-offset"] == "4"
    assert (await storage.read(f"{photos}/a")).content == b"somemore"
    assert len(files_in(folder)) == 1


async def test_a_wrong_offset_is_rejected_in_plain_text(storage: StorageClient, photos: str) -> None:
    url = (await begin(storage, photos, "a", 8)).headers["location"]
    await send(storage, url, 0, b"some")

    for offset in (0, 5):
        response = await send(storage, url, offset, b"xxxx")
        assert (response.status_code, response.text) == (409, "Upload-Offset conflict")
        assert response.headers["tus-resumable"] == "1.0.0"


async def test_a_wrong_checksum_stores_nothing(storage: StorageClient, photos: str, folder: Path) -> None:
    url = (await begin(storage, photos, "a", 4)).headers["location"]
    digest = base64.b64encode(hashlib.sha256(b"true").digest()).decode()

    wrong = await send(storage, url, 0, b"fake", upload_checksum=f"sha256 {digest}")
    unknown = await send(storage, url, 0, b"true", upload_checksum=f"crc8 {digest}")
    assert (wrong.status_code, unknown.status_code) == (460, 400)
    assert files_in(folder) == []
    right = await send(storage, url, 0, b"true", upload_checksum=f"sha256 {digest}")

    assert right.status_code == 204
    assert (await storage.read(f"{photos}/a")).content == b"true"


async def test_an_upload_can_be_terminated(storage: StorageClient, photos: str, folder: Path) -> None:
    url = (await begin(storage, photos, "a", 8)).headers["location"]
    await send(storage, url, 0, b"some")

    assert (await storage.request("DELETE", url, headers=TUS)).status_code == 204
    assert (await storage.request("HEAD", url, headers=TUS)).status_code == 404
    assert files_in(folder) == []


async def test_an_upload_expires_and_is_swept(
    storage: StorageClient, photos: str, database: Database, blob_store: BlobStore, folder: Path, admin: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    url = (await begin(storage, photos, "a", 8)).headers["location"]
    await send(storage, url, 0, b"some")

    with monkeypatch.context() as later:
        later.setattr(resumable, "now", lambda: now() + timedelta(hours=25))
        assert (await storage.request("HEAD", url, headers=TUS)).status_code == 410
    await admin.execute("update storage.uploads set expires_at = now() - interval '1 second'")
    await sweep(database, blob_store, grace_period=timedelta())

    assert (await storage.request("HEAD", url, headers=TUS)).status_code == 404
    assert files_in(folder) == []


async def test_an_upload_is_rejected_before_the_first_byte(storage: StorageClient, photos: str, rosa: Person) -> None:
    await storage.put(f"{photos}/there")
    await storage.ok("PUT", f"/bucket/{photos}", json={"file_size_limit": 10})

    large = await begin(storage, photos, "a", 11)
    nowhere = await begin(storage, "nowhere", "a", 1)
    stranger = await begin(storage, photos, f"{rosa.id}/a", 1, who="mallory")
    exists = await begin(storage, photos, "there", 1)

    assert (large.status_code, large.text) == (413, "Maximum size exceeded")
    assert (nowhere.status_code, nowhere.text) == (404, "Bucket not found")
    assert stranger.status_code == 403
    assert exists.status_code == 409


async def test_more_bytes_than_declared_are_rejected(storage: StorageClient, photos: str) -> None:
    url = (await begin(storage, photos, "a", 4)).headers["location"]

    assert (await send(storage, url, 0, b"fives")).status_code == 413
    assert (await storage.read(f"{photos}/a")).status_code == 400


async def test_an_upload_cannot_be_continued_by_someone_else(storage: StorageClient, photos: str, rosa: Person) -> None:
    url = (await begin(storage, photos, f"{rosa.id}/a", 4, who="rosa")).headers["location"]

    assert (await send(storage, url, 0, b"evil", who="mallory")).status_code == 403
    assert (await storage.request("HEAD", url, who="mallory", headers=TUS)).status_code == 403
    assert (await storage.request("DELETE", url, who="mallory", headers=TUS)).status_code == 403


async def test_a_signed_token_replaces_the_bearer_token(storage: StorageClient, photos: str, rosa: Person) -> None:
    key = f"{rosa.id}/signed"
    token = (await storage.ok("POST", f"/object/upload/sign/{photos}/{key}", who="rosa", json={}))["token"]
    route = "/upload/resumable/sign"

    created = await begin(storage, photos, key, 4, who=None, headers={"x-signature": token}, route=route)
    sent = await send(storage, created.headers["location"], 0, b"sign", who=None, x_signature=token)
    other = await begin(storage, photos, "other", 4, who=None, headers={"x-signature": token}, route=route)

    assert (created.status_code, sent.status_code, other.status_code) == (201, 204, 400)
    assert (await storage.read(f"{photos}/{key}", who="rosa")).content == b"sign"


async def test_an_upload_with_upsert_replaces_the_object(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"old")

    await begin(storage, photos, "a", 3, content=b"new", headers={**PATCH, "x-upsert": "true"})

    assert (await storage.read(f"{photos}/a")).content == b"new"


async def test_other_versions_of_the_protocol_are_rejected(storage: StorageClient) -> None:
    response = await storage.request("POST", "/upload/resumable", headers={"Upload-Length": "1"})

    assert response.status_code == 412
