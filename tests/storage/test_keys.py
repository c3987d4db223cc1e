"""Keys are validated, and no key escapes its bucket.

15A1 is a finding in docs/security.md.
"""

import time
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.kit import Problem
from cairn.storage.keys import valid_bucket_name, valid_key
from tests.storage.client import StorageClient, error_of, files_in
from tests.storage.test_resumable import start_upload

# Normalization sorts the marks above and below a character. Twice as many marks take four times as long.
ACCENTS = "a" + "\u0301" * 20_000 + "\u0316" * 20_000
MAX_SECONDS = 1.0

INVALID_KEYS = [
    "../secrets.json",
    "a/../../b",
    "a/..",
    "./a",
    "a/./b",
    "/etc/passwd",
    "a//b",
    "a/",
    "",
    "line\nbreak",
    "null\x00",
    "alert\x07",
    "\u2028",
    "x" * 1025,
]


@pytest.mark.accept("STORE-14")
@pytest.mark.parametrize("key", INVALID_KEYS)
def test_an_invalid_key_is_rejected(key: str) -> None:
    with pytest.raises(Problem, match="Invalid key"):
        valid_key(key)


@pytest.mark.parametrize("key", ["Grüße/reise ☀.pdf", "河/川.txt", "a b & c = (1).txt", "%2e%2e", "...", "..a", "a..b"])
def test_keys_in_any_script_are_valid(key: str) -> None:
    assert valid_key(key) == key


def test_accents_are_normalized() -> None:
    assert valid_key("Cafe\u0301") == valid_key("Caf\u00e9") == "Caf\u00e9"


@given(st.text(max_size=40))
def test_every_valid_key_stays_in_its_bucket(text: str) -> None:
    try:
        key = valid_key(text)
    except Problem:
        return

    assert Path("/bucket", key).resolve().is_relative_to("/bucket")
    assert not key.startswith("/")
    assert valid_key(key) == key


@pytest.mark.parametrize("name", ["", "a/b", "..", " a", "x" * 101, "a\n"])
def test_an_invalid_bucket_name_is_rejected(name: str) -> None:
    with pytest.raises(Problem, match="Bucket name invalid"):
        valid_bucket_name(name)


@pytest.mark.accept("STORE-14")
@pytest.mark.parametrize(
    "path", ["%2e%2e/secrets.json", "a/%2e%2e/%2e%2e/b", "%2fetc/passwd", "a%2f..%2fb", "a%00b", "a/..%2f..%2fx"]
)
@pytest.mark.parametrize("method", ["POST", "PUT", "GET", "DELETE"])
async def test_a_percent_encoded_invalid_key_is_rejected(
    storage: StorageClient, photos: str, folder: Path, method: str, path: str
) -> None:
    url = httpx.URL(f"http://cairn.test/storage/v1/object/{photos}/").copy_with(
        raw_path=f"/storage/v1/object/{photos}/{path}".encode()
    )

    response = await storage.http.request(method, url, headers={"Authorization": "Bearer service"}, content=b"x")

    assert error_of(response) == ("400", "InvalidKey")
    assert files_in(folder) == []


@pytest.mark.accept("STORE-14")
async def test_a_move_or_copy_cannot_escape_its_bucket(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a")

    for operation in ("move", "copy"):
        for source, target in (("a", "../b"), ("../a", "b")):
            move = {"bucketId": photos, "sourceKey": source, "destinationKey": target}
            assert error_of(await storage.request("POST", f"/object/{operation}", json=move)) == ("400", "InvalidKey")


async def test_a_name_typed_on_a_mac_is_found_from_windows(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/Cafe\u0301.txt", b"coffee")

    assert (await storage.read(f"{photos}/Caf\u00e9.txt")).content == b"coffee"
    [entry] = await storage.fetch("POST", f"/object/list/{photos}", json={"prefix": ""})
    assert entry["name"] == "Caf\u00e9.txt"


async def test_15a1_names_of_buckets_with_thousands_of_accents_are_refused_immediately(storage: StorageClient) -> None:
    move = {"bucketId": ACCENTS, "sourceKey": "a", "destinationKey": "b"}
    requests = [("/object/move", move), ("/object/copy", move), ("/bucket", {"name": ACCENTS})]
    started_at = time.monotonic()

    errors = [error_of(await storage.request("POST", path, who="rosa", json=body)) for path, body in requests]
    upload = await start_upload(storage, ACCENTS, "a", 10, who="rosa")

    assert errors == [("400", "InvalidBucketName")] * 3
    assert (upload.status_code, upload.text) == (400, "Bucket name invalid")
    assert time.monotonic() - started_at < MAX_SECONDS


async def test_15a1_keys_with_thousands_of_accents_are_refused_immediately(storage: StorageClient, photos: str) -> None:
    paths = ["\u0301" * 2_000 + "\u0316" * 2_000] * 30
    started_at = time.monotonic()

    upload = await start_upload(storage, photos, ACCENTS, 10, who="rosa")
    signed = await storage.fetch("POST", f"/object/sign/{photos}", who="rosa", json={"expiresIn": 60, "paths": paths})

    assert upload.text.startswith("Invalid key")
    assert {entry["signedURL"] for entry in signed} == {None}
    assert time.monotonic() - started_at < MAX_SECONDS


def test_a_long_name_with_accents_on_each_character_is_valid() -> None:
    assert valid_bucket_name("e\u0302\u0301" * 100) == "\u1ebf" * 100
    assert valid_key("e\u0301" * 512) == "\u00e9" * 512
