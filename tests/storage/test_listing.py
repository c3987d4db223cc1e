"""Listings contain the visible objects of a bucket."""

import base64
from typing import Any

import pytest
import pytest_asyncio

from tests.people import Person
from tests.storage.client import StorageClient, error_of

NAMES = ["a.txt", "b.txt", "docs/one.txt", "docs/Two.txt", "docs/deep/three.txt", "zoo/lion.txt", "100%/x", "100_/y"]


@pytest_asyncio.fixture
async def bucket(storage: StorageClient, photos: str) -> str:
    for name in NAMES:
        await storage.put(f"{photos}/{name.replace('%', '%25')}")
    return photos


async def list_folder(storage: StorageClient, bucket: str, **query: Any) -> list[str]:
    entries = await storage.fetch("POST", f"/object/list/{bucket}", json=query)
    return [entry["name"] + ("/" if entry["id"] is None else "") for entry in entries]


@pytest.mark.accept("STORE-08")
async def test_a_folder_is_listed_by_name_with_folders_first(storage: StorageClient, bucket: str) -> None:
    assert await list_folder(storage, bucket, prefix="") == ["100%/", "100_/", "docs/", "zoo/", "a.txt", "b.txt"]
    assert await list_folder(storage, bucket, prefix="docs") == await list_folder(storage, bucket, prefix="docs/")
    assert await list_folder(storage, bucket, prefix="docs") == ["deep/", "Two.txt", "one.txt"]


async def test_a_folder_has_a_name_and_no_other_values(storage: StorageClient, bucket: str) -> None:
    [folder, *_] = await storage.fetch("POST", f"/object/list/{bucket}", json={"prefix": "docs"})

    assert folder == {
        "name": "deep", "id": None, "updated_at": None, "created_at": None, "last_accessed_at": None, "metadata": None,
    }  # fmt: skip


async def test_a_folder_listing_can_be_paged_sorted_and_searched(storage: StorageClient, bucket: str) -> None:
    assert await list_folder(storage, bucket, prefix="", limit=2, offset=3) == ["zoo/", "a.txt"]
    assert await list_folder(storage, bucket, prefix="docs", search="TW") == ["Two.txt"]
    assert await list_folder(storage, bucket, prefix="", search="docs/on") == ["one.txt"]
    newest_first = {"column": "created_at", "order": "desc"}
    assert (await list_folder(storage, bucket, prefix="", sortBy=newest_first))[-2:] == ["b.txt", "a.txt"]


@pytest.mark.accept("STORE-08")
async def test_the_default_limit_is_a_hundred(storage: StorageClient, photos: str) -> None:
    for number in range(101):
        await storage.put(f"{photos}/{number:03}")

    assert await list_folder(storage, photos) == [f"{number:03}" for number in range(100)]
    assert len(await list_folder(storage, photos, limit=5000)) == 101


async def test_an_offset_that_is_too_large_for_postgresql_is_refused(storage: StorageClient, bucket: str) -> None:
    response = await storage.request("POST", f"/object/list/{bucket}", json={"prefix": "", "offset": 10**20})

    assert error_of(response) == ("400", "InvalidRequest")


async def test_listing_a_missing_bucket_returns_nothing(storage: StorageClient) -> None:
    assert await list_folder(storage, "nowhere", prefix="") == []


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("column", ["name", "created_at"])
@pytest.mark.parametrize("with_delimiter", [True, False])
async def test_pages_by_cursor_contain_every_object_once(
    storage: StorageClient, bucket: str, with_delimiter: bool, column: str, order: str
) -> None:
    query = {"with_delimiter": with_delimiter, "limit": 3, "sortBy": {"column": column, "order": order}}
    names: list[str] = []
    cursor = None
    for _ in range(9):
        page = await storage.fetch("POST", f"/object/list-v2/{bucket}", json={**query, "cursor": cursor})
        names += [entry["name"] for entry in (*page["folders"], *page["objects"])]
        cursor = page.get("nextCursor")
        if not page["hasNext"]:
            break

    expected_names = {"100%/", "100_/", "docs/", "zoo/", "a.txt", "b.txt"} if with_delimiter else set(NAMES)
    assert sorted(names) == sorted(expected_names)
    if column == "name" and not with_delimiter:
        assert names == sorted(NAMES, reverse=order == "desc")


async def test_a_prefix_is_not_a_pattern(storage: StorageClient, bucket: str) -> None:
    for prefix, expected_names in (("100%", ["100%/x"]), ("100_", ["100_/y"]), ("%", [])):
        page = await storage.fetch("POST", f"/object/list-v2/{bucket}", json={"prefix": prefix})
        assert [entry["name"] for entry in page["objects"]] == expected_names
    page = await storage.fetch("POST", f"/object/list-v2/{bucket}", json={"prefix": "doc", "with_delimiter": True})
    assert page["folders"] == [{"key": "docs", "name": "docs/"}]


# The last cursor is nested more deeply than the parser can follow (12L6 in docs/security.md).
@pytest.mark.parametrize("cursor", ["nonsense", "W10=", "WzEsMl0=", base64.b64encode(b"[" * 3_000).decode()])
async def test_an_invalid_cursor_is_rejected(storage: StorageClient, bucket: str, cursor: str) -> None:
    response = await storage.request("POST", f"/object/list-v2/{bucket}", json={"cursor": cursor})

    assert error_of(response) == ("400", "InvalidRequest")


async def test_a_listing_contains_only_visible_objects(
    storage: StorageClient, photos: str, rosa: Person, mallory: Person
) -> None:
    for who, person in (("rosa", rosa), ("mallory", mallory)):
        await storage.put(f"{photos}/{person.id}/a", who=who)

    assert await list_folder(storage, photos, prefix="") == sorted([f"{rosa.id}/", f"{mallory.id}/"])
    [entry] = await storage.fetch("POST", f"/object/list/{photos}", who="mallory", json={})
    assert entry["name"] == str(mallory.id)
