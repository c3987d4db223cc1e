"""A resumable upload (TUS) continues after a broken connection."""

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
from tests.people import Person
from tests.storage.client import StorageClient, files_in

TUS_HEADERS = {"Tus-Resumable": "1.0.0"}
PATCH_HEADERS = {**TUS_HEADERS, "Content-Type": "application/offset+octet-stream"}


def upload_metadata(**values: str) -> str:
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())


async def start_upload(
    storage: StorageClient, bucket: str, key: str, length: int | None, *, who: str | None = "service", **options: Any
) -> httpx.Response:
    length_header = {"Upload-Defer-Length": "1"} if length is None else {"Upload-Length": str(length)}
    metadata_header = {
        "Upload-Metadata": upload_metadata(
            bucketName=bucket, objectName=key, contentType="text/plain", cacheControl="60"
        )
    }
    headers = {**TUS_HEADERS, **length_header, **metadata_header, **options.pop("headers", {})}
    return await storage.request("POST", options.pop("route", "/upload/resumable"), who=who, headers=headers, **options)


async def send_bytes(
    storage: StorageClient, url: str, offset: int, content: Any, *, who: str | None = "service", **headers: str
) -> httpx.Response:
    extra_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return await storage.request(
        "PATCH", url, who=who, content=content, headers={**PATCH_HEADERS, "Upload-Offset": str(offset), **extra_headers}
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
    creation = await start_upload(storage, photos, key, 10, who="rosa")
    url = creation.headers["location"]

    first_part = await send_bytes(storage, url, 0, b"01234", who="rosa")
    status_between = await storage.request("HEAD", url, who="rosa", headers=TUS_HEADERS)
    partial_read = await storage.read(f"{photos}/{key}", who="rosa")
    last_part = await send_bytes(storage, url, 5, b"56789", who="rosa")
    status_after = await storage.request("HEAD", url, who="rosa", headers=TUS_HEADERS)

    assert (creation.status_code, url.startswith("http://cairn.test/storage/v1/upload/resumable/")) == (201, True)
    assert (first_part.status_code, first_part.headers["upload-offset"]) == (204, "5")
    assert (status_between.headers["upload-offset"], status_between.headers["upload-length"]) == ("5", "10")
    assert partial_read.status_code == 400, "a partial upload is not visible"
    assert last_part.headers["upload-offset"] == "10"
    assert status_after.status_code == 410
    download = await storage.read(f"{photos}/{key}", who="rosa")
    assert (download.content, download.headers["cache-control"]) == (b"0123456789", "max-age=60")
    assert download.headers["etag"] == f'"{hashlib.md5(b"0123456789", usedforsecurity=False).hexdigest()}"'
    assert len(files_in(folder)) == 1, "the parts were removed"


async def test_an_upload_may_be_created_with_its_first_bytes(storage: StorageClient, photos: str) -> None:
    complete_upload = await start_upload(storage, photos, "a", 4, content=b"here", headers=PATCH_HEADERS)
    empty_upload = await start_upload(storage, photos, "empty", 0)

    assert (complete_upload.status_code, complete_upload.headers["upload-offset"]) == (201, "4")
    assert (await storage.read(f"{photos}/a")).content == b"here"
    assert empty_upload.status_code == 201
    assert (await storage.read(f"{photos}/empty")).content == b""


async def test_the_length_of_an_upload_may_be_declared_later(storage: StorageClient, photos: str) -> None:
    url = (await start_upload(storage, photos, "a", None)).headers["location"]

    await send_bytes(storage, url, 0, b"some")
    assert (await storage.request("HEAD", url, headers=TUS_HEADERS)).headers["upload-defer-length"] == "1"
    await send_bytes(storage, url, 4, b"more", upload_length="8")

    assert (await storage.read(f"{photos}/a")).content == b"somemore"


async def test_a_broken_connection_keeps_the_received_bytes(storage: StorageClient, photos: str, folder: Path) -> None:
    url = (await start_upload(storage, photos, "a", 8)).headers["location"]

    async def interrupted_body() -> AsyncIterator[bytes]:
        yield b"some"
        raise ClientDisconnect

    await send_bytes(storage, url, 0, interrupted_body())
    status = await storage.request("HEAD", url, headers=TUS_HEADERS)
    await send_bytes(storage, url, 4, b"more")

    assert status.headers["upload-offset"] == "4"
    assert (await storage.read(f"{photos}/a")).content == b"somemore"
    assert len(files_in(folder)) == 1


async def test_a_wrong_offset_is_rejected_in_plain_text(storage: StorageClient, photos: str) -> None:
    url = (await start_upload(storage, photos, "a", 8)).headers["location"]
    await send_bytes(storage, url, 0, b"some")

    for offset in (0, 5):
        response = await send_bytes(storage, url, offset, b"xxxx")
        assert (response.status_code, response.text) == (409, "Upload-Offset conflict")
        assert response.headers["tus-resumable"] == "1.0.0"


async def test_a_wrong_checksum_stores_nothing(storage: StorageClient, photos: str, folder: Path) -> None:
    url = (await start_upload(storage, photos, "a", 4)).headers["location"]
    digest = base64.b64encode(hashlib.sha256(b"true").digest()).decode()

    wrong_checksum = await send_bytes(storage, url, 0, b"fake", upload_checksum=f"sha256 {digest}")
    unknown_algorithm = await send_bytes(storage, url, 0, b"true", upload_checksum=f"crc8 {digest}")
    assert (wrong_checksum.status_code, unknown_algorithm.status_code) == (460, 400)
    assert files_in(folder) == []
    right_checksum = await send_bytes(storage, url, 0, b"true", upload_checksum=f"sha256 {digest}")

    assert right_checksum.status_code == 204
    assert (await storage.read(f"{photos}/a")).content == b"true"


async def test_an_upload_can_be_terminated(storage: StorageClient, photos: str, folder: Path) -> None:
    url = (await start_upload(storage, photos, "a", 8)).headers["location"]
    await send_bytes(storage, url, 0, b"some")

    assert (await storage.request("DELETE", url, headers=TUS_HEADERS)).status_code == 204
    assert (await storage.request("HEAD", url, headers=TUS_HEADERS)).status_code == 404
    assert files_in(folder) == []


async def test_an_upload_expires_and_is_swept(
    storage: StorageClient, photos: str, database: Database, blob_store: BlobStore, folder: Path, admin: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    url = (await start_upload(storage, photos, "a", 8)).headers["location"]
    await send_bytes(storage, url, 0, b"some")

    with monkeypatch.context() as patch:
        patch.setattr(resumable, "now", lambda: now() + timedelta(hours=25))
        assert (await storage.request("HEAD", url, headers=TUS_HEADERS)).status_code == 410
    await admin.execute("update storage.uploads set expires_at = now() - interval '1 second'")
    await sweep(database, blob_store, grace_period=timedelta())

    assert (await storage.request("HEAD", url, headers=TUS_HEADERS)).status_code == 404
    assert files_in(folder) == []


async def test_an_upload_is_rejected_before_the_first_byte(storage: StorageClient, photos: str, rosa: Person) -> None:
    await storage.put(f"{photos}/existing")
    await storage.fetch("PUT", f"/bucket/{photos}", json={"file_size_limit": 10})

    too_large = await start_upload(storage, photos, "a", 11)
    missing_bucket = await start_upload(storage, "nowhere", "a", 1)
    foreign_folder = await start_upload(storage, photos, f"{rosa.id}/a", 1, who="mallory")
    existing_key = await start_upload(storage, photos, "existing", 1)

    assert (too_large.status_code, too_large.text) == (413, "Maximum size exceeded")
    assert (missing_bucket.status_code, missing_bucket.text) == (404, "Bucket not found")
    assert foreign_folder.status_code == 403
    assert existing_key.status_code == 409


async def test_more_bytes_than_declared_are_rejected(storage: StorageClient, photos: str) -> None:
    url = (await start_upload(storage, photos, "a", 4)).headers["location"]

    assert (await send_bytes(storage, url, 0, b"fives")).status_code == 413
    assert (await storage.read(f"{photos}/a")).status_code == 400


async def test_an_upload_cannot_be_continued_by_someone_else(storage: StorageClient, photos: str, rosa: Person) -> None:
    url = (await start_upload(storage, photos, f"{rosa.id}/a", 4, who="rosa")).headers["location"]

    assert (await send_bytes(storage, url, 0, b"evil", who="mallory")).status_code == 403
    assert (await storage.request("HEAD", url, who="mallory", headers=TUS_HEADERS)).status_code == 403
    assert (await storage.request("DELETE", url, who="mallory", headers=TUS_HEADERS)).status_code == 403


async def test_a_signed_token_replaces_the_bearer_token(storage: StorageClient, photos: str, rosa: Person) -> None:
    key = f"{rosa.id}/signed"
    token = (await storage.fetch("POST", f"/object/upload/sign/{photos}/{key}", who="rosa", json={}))["token"]
    route = "/upload/resumable/sign"

    creation = await start_upload(storage, photos, key, 4, who=None, headers={"x-signature": token}, route=route)
    transfer = await send_bytes(storage, creation.headers["location"], 0, b"sign", who=None, x_signature=token)
    other_object = await start_upload(
        storage, photos, "other", 4, who=None, headers={"x-signature": token}, route=route
    )

    assert (creation.status_code, transfer.status_code, other_object.status_code) == (201, 204, 400)
    assert (await storage.read(f"{photos}/{key}", who="rosa")).content == b"sign"


async def test_an_upload_with_upsert_replaces_the_object(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"old")

    await start_upload(storage, photos, "a", 3, content=b"new", headers={**PATCH_HEADERS, "x-upsert": "true"})

    assert (await storage.read(f"{photos}/a")).content == b"new"


async def test_a_request_without_the_version_of_the_protocol_is_rejected(storage: StorageClient) -> None:
    response = await storage.request("POST", "/upload/resumable", headers={"Upload-Length": "1"})

    assert response.status_code == 412


@pytest.mark.parametrize("name", ["contentType", "cacheControl"])
async def test_17l6_an_upload_whose_content_type_or_cache_control_contains_nul_is_refused(
    storage: StorageClient, photos: str, name: str
) -> None:
    """17L6 in docs/security.md: PostgreSQL cannot store the character, so this was a server error."""
    fields = {"bucketName": photos, "objectName": "a", name: "text/plain\0"}

    response = await start_upload(storage, photos, "a", 4, headers={"Upload-Metadata": upload_metadata(**fields)})

    assert (response.status_code, "NUL" in response.text) == (400, True)


async def test_17l6_a_length_that_is_smaller_than_what_has_arrived_is_refused(
    storage: StorageClient, photos: str
) -> None:
    url = (await start_upload(storage, photos, "a", None)).headers["location"]
    await send_bytes(storage, url, 0, b"ten bytes!")

    refused = await send_bytes(storage, url, 10, b"", upload_length="5")
    finished = await send_bytes(storage, url, 10, b"", upload_length="10")

    assert (refused.status_code, finished.status_code) == (400, 204)
    assert (await storage.read(f"{photos}/a")).content == b"ten bytes!"


async def test_17l6_bytes_beyond_a_length_that_another_request_has_set_meanwhile_are_refused(
    storage: StorageClient, photos: str
) -> None:
    url = (await start_upload(storage, photos, "a", None)).headers["location"]

    async def body_during_which_the_length_is_set() -> AsyncIterator[bytes]:
        yield b"ten "
        assert (await send_bytes(storage, url, 0, b"", upload_length="5")).status_code == 204
        yield b"bytes!"

    response = await send_bytes(storage, url, 0, body_during_which_the_length_is_set())

    assert (response.status_code, response.text) == (409, "Upload-Offset conflict")
