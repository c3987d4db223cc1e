"""Large bodies are only scanned for keys. The outcome is the same as if they were decoded."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.rest.request.body import SCAN_FROM_BYTES, parse_body
from cairn.rest.request.json_scanner import JsonOutline, scan_json
from tests.rest.conftest import Client

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
ROWS = st.dictionaries(st.text(max_size=4), VALUES, min_size=1, max_size=4)


@settings(max_examples=300, deadline=None)
@given(rows=st.lists(ROWS, min_size=1, max_size=3), indent=st.sampled_from([None, 2]), ascii_only=st.booleans())
def test_scanning_finds_the_same_keys_as_decoding(
    rows: list[dict[str, Any]], indent: int | None, ascii_only: bool
) -> None:
    list_body = json.dumps(rows, indent=indent, ensure_ascii=ascii_only).encode()
    object_body = json.dumps(rows[0], indent=indent, ensure_ascii=ascii_only).encode()

    assert scan_json(list_body) == JsonOutline(False, tuple(rows[0]), len(rows) > 1)
    assert scan_json(object_body) == JsonOutline(True, tuple(rows[0]), False)


@pytest.mark.parametrize("body", ["", "7", '"{"', "[]", "[7]", "[{}]", "{}", '{"a": 1', '{"a": 1} x', '[{"a": 1} 7'])
def test_json_without_keys_and_malformed_json_must_be_decoded(body: str) -> None:
    assert scan_json(body.encode()) is None


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40))
def test_arbitrary_bytes_do_not_crash_the_scanner(body: bytes) -> None:
    scan_json(b'[{"a": ' + body)
    scan_json(b"{" + body)


def test_the_scan_skips_a_string_of_several_megabytes() -> None:
    body = json.dumps({"a": '\\"{}' * 500_000, "b": 1}).encode()

    assert parse_body(body, "application/json").keys == ("a", "b")


def large_body(row_count: int, **last_row: object) -> list[dict[str, object]]:
    text = "x" * (SCAN_FROM_BYTES // row_count)
    return [*({"id": 100 + n, "name": f"{text}{n}"} for n in range(row_count)), {"id": 99, "name": "last", **last_row}]


async def test_a_large_body_is_inserted_like_a_small_one(writable_atlas: Client) -> None:
    from_list = await writable_atlas.post(
        "/countries", json=large_body(50), headers={"Prefer": "return=representation"}
    )
    from_object = await writable_atlas.post("/countries", json={"id": 7, "name": "y" * SCAN_FROM_BYTES})

    assert (from_list.status_code, len(from_list.json())) == (201, 51)
    assert from_object.status_code == 201
    assert (await writable_atlas.get("/countries?id=eq.99&select=name")).json() == [{"name": "last"}]


async def test_rows_with_different_keys_are_rejected_in_a_large_body(writable_atlas: Client) -> None:
    rows = large_body(50, code="XX")

    without_columns = await writable_atlas.post("/countries", json=rows)
    with_columns = await writable_atlas.post("/countries?columns=id,name,code", json=rows)

    assert (without_columns.status_code, without_columns.json()["message"]) == (400, "All object keys must match")
    assert with_columns.status_code == 201
    assert (await writable_atlas.get("/countries?code=eq.XX&select=id")).json() == [{"id": 99}]


@pytest.mark.parametrize("end", ["", "]}", '{"id": 1}'])
async def test_a_truncated_large_body_is_rejected(writable_atlas: Client, end: str) -> None:
    body = json.dumps(large_body(50))[:-1] + end

    response = await writable_atlas.post("/countries", content=body, headers={"Content-Type": "application/json"})

    assert response.status_code == 400


async def test_a_large_body_can_be_an_argument(writable_atlas: Client) -> None:
    text = "z" * SCAN_FROM_BYTES

    echo = await writable_atlas.post("/rpc/echo", json=[{"a": text}, {"b": 1}])
    shout = await writable_atlas.post("/rpc/shout", content=text, headers={"Content-Type": "text/plain"})
    rename = await writable_atlas.post("/rpc/rename", json={"river_id": 1, "new_name": text})

    assert echo.json() == [{"a": text}, {"b": 1}]
    assert shout.json() == text.upper()
    assert rename.json()[0]["name"] == text
