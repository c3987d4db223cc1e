"""Large bodies are only scanned for keys. The outcome is the same as if they were decoded."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.rest.request import tabular_to_json
from cairn.rest.request.body import SCAN_FROM_BYTES, parse_body
from cairn.rest.request.json_scanner import MAX_KEYS, MAX_TOKENS, JsonOutline, scan_json
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


@pytest.mark.parametrize(
    "body", ["", "7", '"{"', "[]", "[7]", '{"a": 1', '{"a": 1} x', '[{"a": 1} 7', '{"a": "b', '{"a": "\\"', '{"a": "\\']
)
def test_malformed_json_and_json_without_objects_have_no_outline(body: str) -> None:
    assert scan_json(body.encode()) is None


def test_an_object_without_keys_has_an_outline() -> None:
    assert scan_json(b"{}") == JsonOutline(True, (), False)
    assert scan_json(b"[{}]") == JsonOutline(False, (), False)
    assert scan_json(b'[{}, {"a": 1}]') == JsonOutline(False, (), True)


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


async def test_the_first_row_of_a_large_body_may_be_empty(atlas: Client) -> None:
    rows = [{}, *large_body(50)]

    argument = await atlas.post("/rpc/echo", json=rows)
    without_columns = await atlas.post("/countries", json=rows)
    with_columns = await atlas.post("/countries?columns=id,name", json=rows)

    assert argument.json() == rows
    assert (without_columns.status_code, without_columns.json()["message"]) == (400, "All object keys must match")
    # PostgreSQL refuses the empty row, because its id is missing.
    assert (with_columns.status_code, with_columns.json()["code"]) == (400, "23502")


async def test_a_large_body_without_objects_can_be_an_argument(atlas: Client) -> None:
    numbers = list(range(SCAN_FROM_BYTES))

    argument = await atlas.post("/rpc/echo", json=numbers)
    malformed = await atlas.post("/rpc/echo", content="[" + "1," * SCAN_FROM_BYTES)
    table = await atlas.post("/countries", json=numbers)

    assert argument.json() == numbers
    assert malformed.status_code == 400
    assert (table.status_code, table.json()["message"]) == (400, "Empty or invalid json")


async def test_a_large_object_is_written_with_put(writable_atlas: Client) -> None:
    row = {"id": 7, "name": "y" * SCAN_FROM_BYTES, "code": None}

    written = await writable_atlas.put("/countries?id=eq.7", json=row)
    other_key = await writable_atlas.put("/countries?id=eq.8", json=row)
    two_rows = await writable_atlas.put("/countries?id=eq.7", json=[row, row])

    assert [written.status_code, other_key.json()["code"], two_rows.json()["code"]] == [204, "PGRST115", "PGRST115"]


async def test_a_row_of_a_large_body_has_a_limited_number_of_keys_and_values(atlas: Client) -> None:
    keys = await atlas.post("/countries", json={f"key{number}": "x" * 100 for number in range(MAX_KEYS + 2)})
    values = await atlas.post("/countries", json={"id": [7] * MAX_TOKENS})

    for response in (keys, values):
        assert (response.status_code, response.json()["code"]) == (400, "PGRST102")
        assert response.json()["message"].startswith("A row of a large body can have at most 1600 keys")


async def test_a_large_csv_body_is_inserted(writable_atlas: Client) -> None:
    lines = "".join(f"{number},Country {number},NULL\n" for number in range(100, 2100))

    response = await writable_atlas.post(
        "/countries", content=f"id,name,code\n\n{lines}\n", headers={"Content-Type": "text/csv"}
    )

    assert response.status_code == 201
    count = await writable_atlas.get("/countries?select=count()&id=gte.100&code=is.null")
    assert count.json() == [{"count": 2000}]


async def test_other_tasks_run_while_csv_is_converted() -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(count_turns())
    await tabular_to_json(b"a\n" * 50_000, "text/csv", max_bytes=1_000_000)
    turns_during_rows = turns
    await tabular_to_json(b"a" + b"\n" * 50_000, "text/csv", max_bytes=1_000_000)
    turns_during_blank_lines = turns - turns_during_rows
    task.cancel()

    assert turns_during_rows >= 45, "other tasks get a turn after 2,000 values; the end of a row counts as one"
    assert turns_during_blank_lines >= 20, "a blank line counts too"


TOO_LARGE_TABLES = [
    ("text/csv", "a" * 30_000 + "\n1" * 20, 413),
    ("text/csv", ",".join("a" for _ in range(MAX_KEYS + 1)) + "\n", 400),
    ("text/csv", "a\n" + "," * 120_000, 400),
    ("text/csv", 'a\n"' + "\n" * 120_000 + '"', 400),
    ("text/csv", "a\n" + "1" * 300_000, 413),
    ("application/x-www-form-urlencoded", "a=" + "1" * 300_000, 413),
    ("application/x-www-form-urlencoded", "a=1&" * (MAX_KEYS + 1), 400),
]


@pytest.mark.parametrize(("content_type", "body", "status"), TOO_LARGE_TABLES)
async def test_csv_and_url_encoded_bodies_have_limits(atlas: Client, content_type: str, body: str, status: int) -> None:
    response = await atlas.post("/countries", content=body, headers={"Content-Type": content_type})

    assert response.status_code == status


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
