"""Downloads support ranges, conditional requests and file names, and report errors."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from cairn.db import Database, Principal
from cairn.storage import BlobStore, StorageSettings
from cairn.storage.errors import InvalidRange
from cairn.storage.ranges import parse_range
from tests.storage.client import StorageClient, error_of
from tests.storage.conftest import storage_client


@pytest.mark.parametrize(
    ("header", "expected_range"),
    [
        (None, None),
        ("bytes=0-3", (0, 4)),
        ("bytes=4-", (4, 10)),
        ("bytes=-3", (7, 10)),
        ("bytes=8-99", (8, 10)),
        ("bytes=-99", (0, 10)),
    ],
)
def test_a_range_header_is_parsed(header: str | None, expected_range: tuple[int, int] | None) -> None:
    assert parse_range(header, 10) == expected_range


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=5-4", "bytes=-0", "bytes=-", "lines=1-2", "bytes=0-1,4-5"])
def test_an_invalid_range_is_rejected(header: str) -> None:
    with pytest.raises(InvalidRange):
        parse_range(header, 10)


async def test_a_range_request_returns_the_requested_part(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"0123456789")

    response = await storage.read(f"{photos}/a", range="bytes=2-5")

    assert (response.status_code, response.content) == (206, b"2345")
    assert response.headers["content-range"] == "bytes 2-5/10"
    assert error_of(await storage.read(f"{photos}/a", range="bytes=99-")) == ("400", "InvalidRange")


async def test_an_unchanged_object_is_not_sent_again(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a")
    first_response = await storage.read(f"{photos}/a")

    tag_response = await storage.read(f"{photos}/a", if_none_match=f'"other", {first_response.headers["etag"]}')
    date_response = await storage.read(f"{photos}/a", if_modified_since=first_response.headers["last-modified"])
    other_tag_response = await storage.read(f"{photos}/a", if_none_match='"other"', if_modified_since=_http_date_now())

    assert (tag_response.status_code, tag_response.content) == (304, b"")
    assert date_response.status_code == 304
    assert other_tag_response.status_code == 200


def _http_date_now() -> str:
    return format_datetime(datetime.now(UTC), usegmt=True)


async def test_head_returns_the_headers_of_get(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"0123456789", content_type="text/plain")

    head = await storage.request("HEAD", f"/object/{photos}/a")
    get = await storage.read(f"{photos}/a")

    assert head.content == b""
    assert dict(head.headers) == dict(get.headers)


@pytest.mark.parametrize(
    ("query", "disposition"),
    [
        ("download", "attachment;"),
        ("download=", "attachment;"),
        ("download=Grüße.pdf", "attachment; filename=Gr%C3%BC%C3%9Fe.pdf; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf"),
        ('download=a"%0d%0ab', "attachment; filename=a%22%0D%0Ab; filename*=UTF-8''a%22%0D%0Ab"),
    ],
)
async def test_a_download_has_the_requested_name(
    storage: StorageClient, photos: str, query: str, disposition: str
) -> None:
    await storage.put(f"{photos}/a")

    assert (await storage.read(f"{photos}/a?{query}")).headers["content-disposition"] == disposition


@pytest.mark.accept("STORE-03")
async def test_a_public_bucket_is_read_without_a_token(storage: StorageClient) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "open", "public": True})
    await storage.put("open/a", b"for all")

    assert (await storage.read("public/open/a", who=None)).content == b"for all"
    assert (await storage.fetch("GET", "/object/info/public/open/a", who=None))["size"] == 7
    assert error_of(await storage.read("authenticated/open/a", who=None))[0] == "400"
    assert (await storage.read("authenticated/open/a", who="service")).content == b"for all"


@pytest.mark.accept("STORE-07")
async def test_info_describes_an_object(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/b/a.txt", b"bytes", content_type="text/plain", cache_control="max-age=3600")

    info = await storage.fetch("GET", f"/object/info/{photos}/b/a.txt")

    assert list(info) == [
        "id", "name", "version", "bucket_id", "size", "content_type", "cache_control", "etag", "metadata",
        "last_modified", "created_at",
    ]  # fmt: skip
    assert (info["name"], info["bucket_id"], info["size"], info["metadata"]) == ("b/a.txt", photos, 5, {})


@pytest.mark.parametrize("route", ["object/info", "object/info/authenticated", "object/info/public"])
async def test_the_head_of_info_says_whether_an_object_has_changed(
    storage: StorageClient, photos: str, route: str
) -> None:
    await storage.fetch("PUT", f"/bucket/{photos}", json={"public": True})
    await storage.put(f"{photos}/a", b"one")
    first = await storage.request("HEAD", f"/{route}/{photos}/a")
    download = await storage.read(f"{photos}/a")
    await storage.put(f"{photos}/a", b"two", x_upsert="true")
    second = await storage.request("HEAD", f"/{route}/{photos}/a")

    assert (first.status_code, first.content) == (200, b"")
    assert first.headers["etag"] == download.headers["etag"] != second.headers["etag"]
    assert first.headers["last-modified"] == download.headers["last-modified"]


async def test_authenticated_info_needs_a_token(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a")

    assert (await storage.fetch("GET", f"/object/info/authenticated/{photos}/a"))["size"] == 5
    assert error_of(await storage.request("GET", f"/object/info/authenticated/{photos}/a", who=None))[0] == "400"


async def test_a_missing_bucket_and_a_missing_object_are_different_errors(storage: StorageClient, photos: str) -> None:
    assert error_of(await storage.read("nowhere/a")) == ("404", "NoSuchBucket")
    assert error_of(await storage.read(f"{photos}/a")) == ("404", "NoSuchKey")
    assert error_of(await storage.put("nowhere/a")) == ("404", "NoSuchBucket")


async def test_an_unknown_route_is_not_found(storage: StorageClient) -> None:
    response = await storage.request("GET", "/nonsense")

    assert (response.status_code, response.json()["statusCode"]) == (404, "404")


async def test_status_and_version_respond(storage: StorageClient) -> None:
    assert (await storage.request("GET", "/status")).status_code == 200
    assert (await storage.request("GET", "/version")).headers["content-type"].startswith("text/plain")


async def test_only_the_service_can_purge_the_cache(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a")

    assert (await storage.request("DELETE", f"/cdn/{photos}/a", who="rosa")).status_code == 403
    assert await storage.fetch("DELETE", f"/cdn/{photos}/a") == {"message": "success"}


async def test_errors_have_their_actual_status_if_the_operator_enables_true_status(
    database: Database, blob_store: BlobStore, settings: StorageSettings, principals: dict[str, Principal]
) -> None:
    async with storage_client(
        database, blob_store, settings.model_copy(update={"true_status": True}), principals
    ) as storage:
        response = await storage.read("nowhere/a")

    assert (response.status_code, response.json()["statusCode"]) == (404, "404")
