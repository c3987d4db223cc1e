"""Objects are stored, read, replaced, moved, copied and deleted.

12L2, 12L6 and AL4 are findings in docs/security.md.
"""

import base64
import hashlib
import json
from pathlib import Path

import pytest

from cairn.db import SERVICE, Database
from tests.people import Person
from tests.storage.client import StorageClient, error_of, files_in


@pytest.mark.accept("STORE-01")
async def test_a_stored_object_can_be_read(storage: StorageClient, photos: str, rosa: Person) -> None:
    path = f"{photos}/{rosa.id}/raft.txt"

    upload = await storage.put(path, b"a raft", who="rosa", content_type="text/plain", cache_control="max-age=3600")
    download = await storage.read(path, who="rosa")

    assert upload.json()["Key"] == path
    assert download.content == b"a raft"
    assert download.headers["content-type"] == "text/plain"
    assert download.headers["cache-control"] == "max-age=3600"
    assert download.headers["etag"] == f'"{hashlib.md5(b"a raft", usedforsecurity=False).hexdigest()}"'
    assert download.headers["accept-ranges"] == "bytes"


async def test_a_multipart_upload_stores_the_file_and_applies_the_other_fields(
    storage: StorageClient, photos: str, rosa: Person
) -> None:
    """The field of the file has an empty name, as clients send it."""
    path = f"{photos}/{rosa.id}/form.txt"
    fields = {"cacheControl": "60", "metadata": json.dumps({"trip": "river"})}

    upload = await storage.request(
        "POST", f"/object/{path}", who="rosa", data=fields, files={"": ("blob", b"from a form", "text/plain")}
    )

    assert upload.status_code == 200, upload.text
    info = await storage.fetch("GET", f"/object/info/{path}", who="rosa")
    assert (info["size"], info["content_type"], info["cache_control"]) == (11, "text/plain", "max-age=60")
    assert info["metadata"] == {"trip": "river"}


@pytest.mark.parametrize("text", ["image/png\r\nSet-Cookie: a=b", "image/png; \N{CANOE}", "image/png\x07"])
async def test_12l2_a_text_that_no_header_can_contain_is_not_sent(
    storage: StorageClient, photos: str, text: str
) -> None:
    """12L2: reading a file with such a content type or cache control was a server error."""
    await storage.put(f"{photos}/a", b"river", content_type="text/plain")
    request = {"bucketId": photos, "sourceKey": "a", "destinationKey": "b"}
    metadata = {"mimetype": text, "cacheControl": text}
    await storage.fetch("POST", "/object/copy", json={**request, "metadata": metadata})

    response = await storage.request("GET", f"/object/{photos}/b")

    assert (response.status_code, response.content) == (200, b"river")
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("name", ["mimetype", "cacheControl"])
async def test_17l6_a_copy_whose_content_type_or_cache_control_contains_nul_is_refused(
    storage: StorageClient, photos: str, name: str
) -> None:
    """17L6 in docs/security.md: PostgreSQL cannot store the character, so this was a server error."""
    await storage.put(f"{photos}/a", b"river", content_type="text/plain")
    request = {"bucketId": photos, "sourceKey": "a", "destinationKey": "b"}

    response = await storage.request("POST", "/object/copy", json={**request, "metadata": {name: "text/plain\0"}})

    assert error_of(response) == ("400", "InvalidRequest")


@pytest.mark.parametrize("metadata", ["[" * 5_000, '{"a":' + "[" * 900 + "]" * 900 + "}", '{"a": NaN}'])
async def test_12l6_metadata_that_is_nested_too_deeply_is_refused(
    storage: StorageClient, photos: str, metadata: str
) -> None:
    headers = {"X-Metadata": base64.b64encode(metadata.encode()).decode()}

    response = await storage.request("POST", f"/object/{photos}/deep", content=b"river", headers=headers)

    assert error_of(response) == ("400", "InvalidRequest")


async def test_the_fields_of_a_multipart_body_may_follow_its_file(storage: StorageClient, photos: str) -> None:
    boundary = "boundary"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name=""; filename="blob"\r\nContent-Type: text/plain\r\n\r\n'
        f"first the file\r\n--{boundary}\r\n"
        f'Content-Disposition: form-data; name="cacheControl"\r\n\r\n7\r\n--{boundary}--\r\n'
    )
    upload = await storage.request(
        "POST",
        f"/object/{photos}/late.txt",
        content=body.encode(),
        headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
    )

    assert upload.status_code == 200, upload.text
    download = await storage.read(f"{photos}/late.txt")
    assert (download.text, download.headers["cache-control"]) == ("first the file", "max-age=7")


@pytest.mark.parametrize("body", [b"--x\r\n", b"", b"--x--\r\n", b"nonsense"])
async def test_a_malformed_multipart_body_is_refused_and_stores_nothing(
    storage: StorageClient, photos: str, body: bytes
) -> None:
    response = await storage.request(
        "POST", f"/object/{photos}/half", content=body, headers={"Content-Type": "multipart/form-data; boundary=x"}
    )

    assert error_of(response) == ("400", "InvalidRequest")
    assert error_of(await storage.read(f"{photos}/half")) == ("404", "NoSuchKey")


async def test_json_is_stored_unchanged(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a.json", b'{"a":  1}', content_type="application/json")

    download = await storage.read(f"{photos}/a.json")
    assert (download.content, download.headers["content-type"]) == (b'{"a":  1}', "application/json")


async def test_metadata_may_be_sent_in_a_header(storage: StorageClient, photos: str) -> None:
    encoded = base64.b64encode(b'{"trip": "lake"}').decode()
    await storage.put(f"{photos}/a", x_metadata=encoded)

    assert (await storage.fetch("GET", f"/object/info/{photos}/a"))["metadata"] == {"trip": "lake"}


@pytest.mark.accept("STORE-10")
async def test_a_second_upload_to_the_same_path_fails(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"first")

    second_response = await storage.put(f"{photos}/a", b"second")

    assert error_of(second_response) == ("409", "KeyAlreadyExists")
    assert second_response.json()["error"] == "Duplicate"
    assert (await storage.read(f"{photos}/a")).content == b"first"


@pytest.mark.accept("STORE-02")
async def test_put_replaces_the_object_and_removes_the_old_bytes(
    storage: StorageClient, photos: str, folder: Path
) -> None:
    object_id = (await storage.put(f"{photos}/a", b"first")).json()["Id"]

    replacement = await storage.request("PUT", f"/object/{photos}/a", content=b"second")

    assert replacement.json()["Id"] == object_id
    assert (await storage.read(f"{photos}/a")).content == b"second"
    assert len(files_in(folder)) == 1


async def test_the_status_of_a_head_request_tells_whether_an_object_exists(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/existing")

    assert (await storage.request("HEAD", f"/object/{photos}/existing")).status_code == 200
    assert (await storage.request("HEAD", f"/object/{photos}/missing")).status_code == 400


@pytest.mark.accept("STORE-03")
async def test_deleting_an_object_removes_its_bytes(storage: StorageClient, photos: str, folder: Path) -> None:
    for name in "abc":
        await storage.put(f"{photos}/{name}")

    deletion = await storage.request("DELETE", f"/object/{photos}", json={"prefixes": ["a", "b", "missing"]})
    single_deletion = await storage.request("DELETE", f"/object/{photos}/c")
    second_deletion = await storage.request("DELETE", f"/object/{photos}/c")

    assert sorted(entry["name"] for entry in deletion.json()) == ["a", "b"]
    assert single_deletion.json() == {"message": "Successfully deleted"}
    assert error_of(second_deletion) == ("404", "NoSuchKey")
    assert files_in(folder) == []


async def test_moving_an_object_keeps_its_bytes_and_its_id(storage: StorageClient, photos: str, folder: Path) -> None:
    object_id = (await storage.put(f"{photos}/a", b"river")).json()["Id"]
    files_before = files_in(folder)

    await storage.fetch("POST", "/object/move", json={"bucketId": photos, "sourceKey": "a", "destinationKey": "b/c"})

    assert files_in(folder) == files_before
    assert (await storage.fetch("GET", f"/object/info/{photos}/b/c"))["id"] == object_id
    assert error_of(await storage.read(f"{photos}/a")) == ("404", "NoSuchKey")


@pytest.mark.accept("STORE-05")
async def test_a_copy_is_independent_of_its_source(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"river", content_type="text/plain", cache_control="max-age=9")

    copy = await storage.fetch(
        "POST", "/object/copy", json={"bucketId": photos, "sourceKey": "a", "destinationKey": "b"}
    )
    await storage.request("DELETE", f"/object/{photos}/a")

    assert copy["Key"] == f"{photos}/b"
    download = await storage.read(f"{photos}/b")
    assert (download.content, download.headers["cache-control"]) == (b"river", "max-age=9")


async def test_a_move_or_copy_never_replaces_another_object(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"a")
    await storage.put(f"{photos}/b", b"b")

    for operation in ("move", "copy"):
        move = {"bucketId": photos, "sourceKey": "a", "destinationKey": "b"}
        assert error_of(await storage.request("POST", f"/object/{operation}", json=move)) == ("409", "KeyAlreadyExists")
    assert (await storage.read(f"{photos}/b")).content == b"b"


async def test_an_empty_file_can_be_stored(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/empty", b"")

    download = await storage.read(f"{photos}/empty")
    assert (download.status_code, download.content, download.headers["content-length"]) == (200, b"", "0")


async def test_uploaded_html_is_served_as_plain_text(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a.html", b"<script>", content_type="text/html; charset=utf-8")

    download = await storage.read(f"{photos}/a.html")

    assert download.headers["content-type"] == "text/plain"
    assert download.headers["x-content-type-options"] == "nosniff"


async def test_an_object_whose_bytes_are_lost_is_reported_as_not_found_and_keeps_its_row(
    storage: StorageClient, photos: str, database: Database, folder: Path
) -> None:
    await storage.put(f"{photos}/a")
    for path in files_in(folder):
        path.unlink()

    download = await storage.read(f"{photos}/a")

    assert error_of(download) == ("404", "NoSuchKey")
    assert download.json()["message"] == "The resource was not found"
    assert download.headers["cache-control"] == "no-store"
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from storage.objects") == 1


async def test_al4_the_metadata_of_a_file_has_at_most_10_kb(storage: StorageClient, photos: str) -> None:
    """The metadata does not count in the quota of an account, so it has to be small."""
    for size, status in ((10_000, 200), (10_300, 400)):
        fields = {"metadata": json.dumps({"trip": "x" * size})}
        upload = await storage.request(
            "POST", f"/object/{photos}/{size}", data=fields, files={"": ("blob", b"a raft", "text/plain")}
        )
        assert upload.status_code == status, upload.text
    assert error_of(upload) == ("413", "EntityTooLarge")
    # A text of 3,000 characters with four bytes each is larger than 10 KB.
    encoded = base64.b64encode(json.dumps({"river": "🛶" * 3000}, ensure_ascii=False).encode()).decode()
    with_header = await storage.request(
        "POST", f"/object/{photos}/b", headers={"x-metadata": encoded}, content=b"a raft"
    )
    assert error_of(with_header) == ("413", "EntityTooLarge")
