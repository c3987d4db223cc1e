"""What is in a bucket."""

from typing import Any

import pytest
import pytest_asyncio

from tests.cast import Person
from tests.storage.visitor import Visitor, refused

NAMES = ["a.txt", "b.txt", "docs/one.txt", "docs/Two.txt", "docs/deep/three.txt", "zoo/lion.txt", "100%/x", "100_/y"]


@pytest_asyncio.fixture
async def bucket(visitor: Visitor, photos: str) -> str:
    for name in NAMES:
        await visitor.put(f"{photos}/{name.replace('%', '%25')}")
    return photos


async def level(visitor: Visitor, bucket: str, **asked: Any) -> list[str]:
    entries = await visitor.ok("POST", f"/object/list/{bucket}", json=asked)
    return [entry["name"] + ("/" if entry["id"] is None else "") for entry in entries]


@pytest.mark.accept("STORE-08")
async def test_one_level_by_name_folders_first(visitor: Visitor, bucket: str) -> None:
    assert await level(visitor, bucket, prefix="") == ["100%/", "100_/", "docs/", "zoo/", "a.txt", "b.txt"]
    assert await level(visitor, bucket, prefix="docs") == await level(visitor, bucket, prefix="docs/")
    assert await level(visitor, bucket, prefix="docs") == ["deep/", "Two.txt", "one.txt"]


async def test_a_folder_is_a_name_and_nothing_else(visitor: Visitor, bucket: str) -> None:
    [folder, *_] = await visitor.ok("POST", f"/object/list/{bucket}", json={"prefix": "docs"})

    assert folder == {
        "name": "deep", "id": None, "updated_at": None, "created_at": None, "last_accessed_at": None, "metadata": None,
    }  # fmt: skip


async def test_pages_by_offset_and_search_by_beginning(visitor: Visitor, bucket: str) -> None:
    assert await level(visitor, bucket, prefix="", limit=2, offset=3) == ["zoo/", "a.txt"]
    assert await level(visitor, bucket, prefix="docs", search="TW") == ["Two.txt"]
    assert await level(visitor, bucket, prefix="", search="docs/on") == ["one.txt"]
    by_age = {"column": "created_at", "order": "desc"}
    assert (await level(visitor, bucket, prefix="", sortBy=by_age))[-2:] == ["b.txt", "a.txt"]


@pytest.mark.accept("STORE-08")
async def test_a_hundred_are_listed_unless_more_are_asked_for(visitor: Visitor, photos: str) -> None:
    for number in range(101):
        await visitor.put(f"{photos}/{number:03}")

    assert await level(visitor, photos) == [f"{number:03}" for number in range(100)]
    assert len(await level(visitor, photos, limit=5000)) == 101


async def test_a_missing_bucket_is_an_empty_list(visitor: Visitor) -> None:
    assert await level(visitor, "nowhere", prefix="") == []


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("column", ["name", "created_at"])
@pytest.mark.parametrize("delimited", [True, False])
async def test_pages_by_cursor_show_everything_once(
    visitor: Visitor, bucket: str, delimited: bool, column: str, order: str
) -> None:
    asked = {"with_delimiter": delimited, "limit": 3, "sortBy": {"column": column, "order": order}}
    seen: list[str] = []
    cursor = None
    for _ in range(9):
        page = await visitor.ok("POST", f"/object/list-v2/{bucket}", json={**asked, "cursor": cursor})
        seen += [one["name"] for one in (*page["folders"], *page["objects"])]
        cursor = page.get("nextCursor")
        if not page["hasNext"]:
            break

    expected = {"100%/", "100_/", "docs/", "zoo/", "a.txt", "b.txt"} if delimited else set(NAMES)
    assert sorted(seen) == sorted(expected)
    if column == "name" and not delimited:
        assert seen == sorted(NAMES, reverse=order == "desc")


async def test_a_prefix_is_meant_literally(visitor: Visitor, bucket: str) -> None:
    for prefix, found in (("100%", ["100%/x"]), ("100_", ["100_/y"]), ("%", [])):
        page = await visitor.ok("POST", f"/object/list-v2/{bucket}", json={"prefix": prefix})
        assert [one["name"] for one in page["objects"]] == found
    folders = await visitor.ok("POST", f"/object/list-v2/{bucket}", json={"prefix": "doc", "with_delimiter": True})
    assert folders["folders"] == [{"key": "docs", "name": "docs/"}]


@pytest.mark.parametrize("cursor", ["nonsense", "W10=", "WzEsMl0="])
async def test_a_cursor_of_another_making_is_refused(visitor: Visitor, bucket: str, cursor: str) -> None:
    answer = await visitor.ask("POST", f"/object/list-v2/{bucket}", json={"cursor": cursor})

    assert refused(answer) == ("400", "InvalidRequest")


async def test_one_sees_one_s_own(visitor: Visitor, photos: str, rosa: Person, mallory: Person) -> None:
    for who, person in (("rosa", rosa), ("mallory", mallory)):
        await visitor.put(f"{photos}/{person.id}/a", who=who)

    assert await level(visitor, photos, prefix="") == sorted([f"{rosa.id}/", f"{mallory.id}/"])
    assert [entry["name"] for entry in await visitor.ok("POST", f"/object/list/{photos}", who="mallory", json={})] == [
        str(mallory.id)
    ]
