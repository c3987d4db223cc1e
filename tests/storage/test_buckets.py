"""Buckets are managed by the service, and uploads respect the limits of their bucket."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cairn.storage import StorageSettings
from tests.storage.client import StorageClient, error_of, files_in


@pytest.mark.accept("STORE-11")
async def test_a_bucket_is_created_read_updated_emptied_and_deleted(storage: StorageClient) -> None:
    assert await storage.fetch("POST", "/bucket", json={"name": "trips", "public": False}) == {"name": "trips"}
    await storage.fetch("PUT", "/bucket/trips", json={"id": "trips", "name": "trips", "public": True})
    bucket = await storage.fetch("GET", "/bucket/trips")
    assert list(bucket) == [
        "id", "name", "owner", "public", "file_size_limit", "allowed_mime_types", "created_at", "updated_at",
    ]  # fmt: skip
    assert (bucket["public"], bucket["owner"]) == (True, "")

    await storage.put("trips/a")
    rejection = await storage.request("DELETE", "/bucket/trips", json={})
    assert error_of(rejection) == ("409", "ResourceNotEmpty")
    emptied = await storage.fetch("POST", "/bucket/trips/empty", json={})
    assert emptied == {"message": "Empty bucket has been queued. Completion may take up to an hour."}
    assert await storage.fetch("DELETE", "/bucket/trips", json={}) == {"message": "Successfully deleted"}
    assert error_of(await storage.request("GET", "/bucket/trips")) == ("404", "NoSuchBucket")


@pytest.mark.accept("STORE-11")
async def test_buckets_are_listed_searched_and_sorted(storage: StorageClient) -> None:
    for name in ("Rafting", "rafts", "lakes"):
        await storage.fetch("POST", "/bucket", json={"name": name})

    search_results = await storage.fetch("GET", "/bucket?search=RAFT&sortColumn=name&sortOrder=desc&limit=1&offset=1")
    all_buckets = await storage.fetch("GET", "/bucket")

    assert [bucket["name"] for bucket in search_results] == ["Rafting"]
    assert {"lakes", "signed-waivers", "profile-pictures"} < {bucket["id"] for bucket in all_buckets}
    assert {bucket["type"] for bucket in all_buckets} == {"STANDARD"}


async def test_creating_a_bucket_twice_fails(storage: StorageClient) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "trips"})

    second_response = await storage.request("POST", "/bucket", json={"name": "trips"})

    assert error_of(second_response) == ("409", "BucketAlreadyExists")
    assert second_response.json()["error"] == "Duplicate"


@pytest.mark.parametrize("who", ["rosa", "anon"])
async def test_only_the_service_creates_buckets(storage: StorageClient, who: str) -> None:
    assert error_of(await storage.request("POST", "/bucket", who=who, json={"name": "mine"})) == ("403", "AccessDenied")
    assert await storage.fetch("GET", "/bucket", who=who) == []


@pytest.mark.parametrize(
    ("limit", "expected_bytes"), [("20mb", 20_000_000), ("1.5 GB", 1_500_000_000), ("3B", 3), (7, 7), (None, None)]
)
async def test_a_size_limit_may_have_a_unit(storage: StorageClient, limit: object, expected_bytes: int | None) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "trips", "file_size_limit": limit})

    assert (await storage.fetch("GET", "/bucket/trips"))["file_size_limit"] == expected_bytes


async def test_a_malformed_size_limit_is_rejected(storage: StorageClient) -> None:
    response = await storage.request("POST", "/bucket", json={"name": "trips", "file_size_limit": "a lot"})

    assert response.json()["message"] == "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B"


@pytest.mark.accept("STORE-12")
async def test_the_size_limit_of_a_bucket_is_enforced_while_streaming(storage: StorageClient, folder: Path) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "small", "file_size_limit": 10})

    async def endless_body() -> AsyncIterator[bytes]:
        for _ in range(1000):
            yield b"x" * 1024
        raise AssertionError("the server kept reading after the limit was exceeded")

    declared_upload = await storage.put("small/declared", b"eleven byte")
    streamed_upload = await storage.request("POST", "/object/small/streamed", content=endless_body())
    multipart_upload = await storage.request(
        "POST", "/object/small/form", files={"": ("blob", b"eleven byte", "text/plain")}
    )
    small_upload = await storage.put("small/ok", b"ten bytes!")

    for upload in (declared_upload, streamed_upload, multipart_upload):
        assert error_of(upload) == ("413", "EntityTooLarge")
    assert small_upload.status_code == 200
    assert len(files_in(folder)) == 1


async def test_the_server_limit_applies_even_if_the_bucket_limit_is_higher(
    storage: StorageClient, settings: StorageSettings
) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "vast", "file_size_limit": "900GB"})
    length = str(settings.file_size_limit + 1)

    assert error_of(await storage.put("vast/a", content_length=length)) == ("413", "EntityTooLarge")


@pytest.mark.accept("STORE-12")
@pytest.mark.parametrize(
    ("content_type", "is_accepted"),
    [
        ("image/png", True),
        ("IMAGE/webp", True),
        ("text/plain;charset=UTF-8", True),
        ("text/html", False),
        ("application/imageish", False),
    ],
)
async def test_a_bucket_accepts_only_its_allowed_types(
    storage: StorageClient, content_type: str, is_accepted: bool
) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "mixed", "allowed_mime_types": ["image/*", "text/plain"]})

    raw_upload = await storage.put("mixed/raw", content_type=content_type)
    multipart_upload = await storage.request("POST", "/object/mixed/form", files={"": ("blob", b"x", content_type)})

    if is_accepted:
        assert (raw_upload.status_code, multipart_upload.status_code) == (200, 200)
    else:
        assert error_of(raw_upload) == error_of(multipart_upload) == ("415", "InvalidMimeType")


async def test_moving_or_copying_cannot_bypass_bucket_limits(storage: StorageClient) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "wide"})
    await storage.fetch(
        "POST", "/bucket", json={"name": "narrow", "file_size_limit": 3, "allowed_mime_types": ["image/*"]}
    )
    await storage.put("wide/long", b"four", content_type="image/png")
    await storage.put("wide/text", b"abc", content_type="text/plain")

    for operation in ("move", "copy"):
        for key, expected_error in (("long", ("413", "EntityTooLarge")), ("text", ("415", "InvalidMimeType"))):
            request = {"bucketId": "wide", "sourceKey": key, "destinationKey": key, "destinationBucket": "narrow"}
            assert error_of(await storage.request("POST", f"/object/{operation}", json=request)) == expected_error


async def test_an_update_keeps_absent_fields_and_clears_null_fields(storage: StorageClient) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "trips", "file_size_limit": 5, "allowed_mime_types": ["a/b"]})

    await storage.fetch("PUT", "/bucket/trips", json={"file_size_limit": None})

    bucket = await storage.fetch("GET", "/bucket/trips")
    assert (bucket["file_size_limit"], bucket["allowed_mime_types"]) == (None, ["a/b"])
