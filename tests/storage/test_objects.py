"""Storing, reading, replacing, moving, copying and deleting objects."""

import base64
import hashlib
import json
from pathlib import Path

import pytest

from cairn.db import SERVICE, Database
from tests.cast import Person
from tests.storage.client import StorageClient, error_of, files_in


@pytest.mark.accept("STORE-01")
async def test_a_stored_object_is_read_back(storage: StorageClient, photos: str, rosa: Person) -> None:
    path = f"{photos}/{rosa.id}/raft.txt"

    stored = await storage.put(path, b"a raft", who="rosa", content_type="text/plain", cache_control="max-age=3600")
    read = await storage.read(path, who="rosa")

    assert stored.json()["Key"] == path
    assert read.content == b"a raft"
    assert read.headers["content-type"] == "text/plain"
    assert read.headers["cache-control"] == "max-age=3600"
    assert read.headers["etag"] == f'"{hashlib.md5(b"a raft", usedforsecurity=False).hexdigest()}"'
    assert read.headers["accept-ranges"] == "bytes"


async def test_a_form_with_a_nameless_file_is_stored_with_its_fields(
    storage: StorageClient, photos: str, rosa: Person
) -> None:
    path = f"{photos}/{rosa.id}/form.txt"
    fields = {"cacheControl": "60", "metadata": json.dumps({"trip": "river"})}

    stored = await storage.request(
        "POST", f"/object/{path}", who="rosa", data=fields, files={"": ("blob", b"from a form", "text/plain")}
    )

    assert stored.status_code == 200, stored.text
    info = await storage.ok("GET", f"/object/info/{path}", who="rosa")
    assert (info["size"], info["content_type"], info["cache_control"]) == (11, "text/plain", "max-age=60")
    assert info["metadata"] == {"trip": "river"}


async def test_fields_of_a_form_may_follow_its_file(storage: StorageClient, photos: str) -> None:
    boundary = "boundary"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name=""; filename="blob"\r\nContent-Type: text/plain\r\n\r\n'
        f"first the file\r\n--{boundary}\r\n"
        f'Content-Disposition: form-data; name="cacheControl"\r\n\r\n7\r\n--{boundary}--\r\n'
    )
    stored = await storage.request(
        "POST",
        f"/object/{photos}/late.txt",
        content=body.encode(),
        headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
    )

    assert stored.status_code == 200, stored.text
    read = await storage.read(f"{photos}/late.txt")
    assert (read.text, read.headers["cache-control"]) == ("first the file", "max-age=7")


@pytest.mark.parametrize("body", [b"--x\r\n", b"", b"--x--\r\n", b"nonsense"])
async def test_a_truncated_form_stores_nothing(storage: StorageClient, photos: str, body: bytes) -> None:
    response = await storage.request(
        "POST", f"/object/{photos}/half", content=body, headers={"Content-Type": "multipart/form-data; boundary=x"}
    )

    assert error_of(response) == ("400", "InvalidRequest")
    assert error_of(await storage.read(f"{photos}/half")) == ("404", "NoSuchKey")


async def test_json_is_stored_unchanged(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a.json", b'{"a":  1}', content_type="application/json")

    read = await storage.read(f"{photos}/a.json")
    assert (read.content, read.headers["content-type"]) == (b'{"a":  1}', "application/json")


async def test_metadata_may_be_sent_in_a_header(storage: StorageClient, photos: str) -> None:
    encoded = base64.b64encode(b'{"trip": "lake"}').decode()
    await storage.put(f"{photos}/a", x_metadata=encoded)

    assert (await storage.ok("GET", f"/object/info/{photos}/a"))["metadata"] == {"trip": "lake"}


@pytest.mark.accept("STORE-10")
async def test_a_second_upload_to_the_same_path_fails_and_the_first_stays(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"first")

    second = await storage.put(f"{photos}/a", b"second")

    assert error_of(second) == ("409", "KeyAlreadyExists")
    assert second.json()["error"] == "Duplicate"
    assert (await storage.read(f"{photos}/a")).content == b"first"


@pytest.mark.accept("STORE-02")
async def test_put_replaces_the_object_and_removes_the_old_bytes(
    storage: StorageClient, photos: str, folder: Path
) -> None:
    first = (await storage.put(f"{photos}/a", b"first")).json()["Id"]

    again = await storage.request("PUT", f"/object/{photos}/a", content=b"second")

    assert again.json()["Id"] == first
    assert (await storage.read(f"{photos}/a")).content == b"second"
    assert len(files_in(folder)) == 1
    assert (await storage.request("HEAD", f"/object/{photos}/a")).status_code == 200
    assert (await storage.request("HEAD", f"/object/{photos}/b")).status_code == 400


@pytest.mark.accept("STORE-03")
async def test_deleting_an_object_removes_its_bytes(storage: StorageClient, photos: str, folder: Path) -> None:
    for name in "abc":
        await storage.put(f"{photos}/{name}")

    gone = await storage.request("DELETE", f"/object/{photos}", json={"prefixes": ["a", "b", "missing"]})
    single = await storage.request("DELETE", f"/object/{photos}/c")
    again = await storage.request("DELETE", f"/object/{photos}/c")

    assert sorted(entry["name"] for entry in gone.json()) == ["a", "b"]
    assert single.json() == {"message": "Successfully deleted"}
    assert error_of(again) == ("404", "NoSuchKey")
    assert files_in(folder) == []


async def test_moving_keeps_the_bytes_and_the_object(storage: StorageClient, photos: str, folder: Path) -> None:
    stored = (await storage.put(f"{photos}/a", b"river")).json()["Id"]
    before = files_in(folder)

    await storage.ok("POST", "/object/move", json={"bucketId": photos, "sourceKey": "a", "destinationKey": "b/c"})

    assert files_in(folder) == before
    assert (await storage.ok("GET", f"/object/info/{photos}/b/c"))["id"] == stored
    assert error_of(await storage.read(f"{photos}/a")) == ("404", "NoSuchKey")


@pytest.mark.accept("STORE-05")
async def test_a_copy_is_independent_of_its_source(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"river", content_type="text/plain", cache_control="max-age=9")

    copied = await storage.ok(
        "POST", "/object/copy", json={"bucketId": photos, "sourceKey": "a", "destinationKey": "b"}
    )
    await storage.request("DELETE", f"/object/{photos}/a")

    assert copied["Key"] == f"{photos}/b"
    read = await storage.read(f"{photos}/b")
    assert (read.content, read.headers["cache-control"]) == (b"river", "max-age=9")


async def test_a_move_or_copy_never_replaces_another_object(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"a")
    await storage.put(f"{photos}/b", b"b")

    for verb in ("move", "copy"):
        move = {"bucketId": photos, "sourceKey": "a", "destinationKey": "b"}
        assert error_of(await storage.request("POST", f"/object/{verb}", json=move)) == ("409", "KeyAlreadyExists")
    assert (await storage.read(f"{photos}/b")).content == b"b"


async def test_an_empty_file_can_be_stored(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/empty", b"")

    read = await storage.read(f"{photos}/empty")
    assert (read.status_code, read.content, read.headers["content-length"]) == (200, b"", "0")


async def test_uploaded_html_is_served_as_plain_text(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a.html", b"<script>", content_type="text/html; charset=utf-8")

    read = await storage.read(f"{photos}/a.html")

    assert read.headers["content-type"] == "text/plain"
    assert read.headers["x-content-type-options"] == "nosniff"


async def test_an_object_without_its_bytes_is_reported_as_not_found(
    storage: StorageClient, photos: str, database: Database, folder: Path
) -> None:
    await storage.put(f"{photos}/a")
    for path in files_in(folder):
        path.unlink()

    read = await storage.read(f"{photos}/a")

    assert error_of(read) == ("404", "NoSuchKey")
    assert read.json()["message"] == "The resource was not found"
    assert read.headers["cache-control"] == "no-store"
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from storage.objects") == 1
