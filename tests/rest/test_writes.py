"""Rows can be inserted, upserted, updated and deleted, and the written rows can be returned."""

from typing import Any

import pytest

from tests.rest.conftest import Callbacks, Client, error_body

RETURN_ROWS = {"Prefer": "return=representation"}


async def country_names(client: Client) -> list[str]:
    return [row["name"] for row in (await client.get("/countries?order=id")).json()]


async def test_an_insert_returns_no_body_by_default(writable_atlas: Client, callbacks: Callbacks) -> None:
    response = await writable_atlas.post("/countries", json={"id": 9, "name": "Peru"})

    assert (response.status_code, response.content) == (201, b"")
    assert "content-type" not in response.headers
    assert response.headers["content-range"] == "*/*"
    assert "Peru" in await country_names(writable_atlas)
    assert callbacks.write_count == 1


@pytest.mark.accept("REST-21")
async def test_an_insert_returns_the_requested_columns(writable_atlas: Client) -> None:
    response = await writable_atlas.post(
        "/rivers?select=name,water,countries(name)", json=[{"name": "Ebro", "country_id": 2}], headers=RETURN_ROWS
    )

    assert response.status_code == 201
    assert response.json() == [{"name": "Ebro", "water": "flat", "countries": {"name": "Norway"}}]
    assert response.headers["preference-applied"] == "return=representation"


async def test_an_insert_may_return_only_the_location(writable_atlas: Client) -> None:
    response = await writable_atlas.post(
        "/countries", json={"id": 9, "name": "Peru"}, headers={"Prefer": "return=headers-only"}
    )

    assert (response.status_code, response.content) == (201, b"")
    assert response.headers["location"] == "/countries?id=eq.9"


async def test_a_row_may_omit_columns_that_the_columns_parameter_lists(writable_atlas: Client) -> None:
    rows = [{"id": 7, "name": "Peru"}, {"id": 8, "name": "Iran", "code": "IR", "ignored": 1}]

    response = await writable_atlas.post('/countries?columns="id","name","code"', json=rows, headers=RETURN_ROWS)

    assert response.json() == [{"id": 7, "name": "Peru", "code": None}, {"id": 8, "name": "Iran", "code": "IR"}]


async def test_a_missing_column_is_null_or_has_its_default(writable_atlas: Client) -> None:
    rows = [{"name": "Ebro"}, {"name": "Oder", "opened": "2020-02-02", "water": "wild"}]
    url = "/rivers?columns=name,opened,water,id&select=name,opened,water"

    defaults = await writable_atlas.post(url, json=rows, headers={"Prefer": "return=representation, missing=default"})
    nulls = await writable_atlas.post(url.replace(",water", ""), json=rows, headers=RETURN_ROWS)

    assert defaults.json() == [
        {"name": "Ebro", "opened": "2000-01-01", "water": "flat"},
        {"name": "Oder", "opened": "2020-02-02", "water": "wild"},
    ]
    assert defaults.headers["preference-applied"] == "missing=default, return=representation"
    assert nulls.json()["code"] == "23502"


@pytest.mark.parametrize(("body", "row_count"), [("{}", 1), ("[{}]", 1), ("[{},{}]", 2), ("[]", 0)])
async def test_an_empty_object_inserts_a_row_with_defaults(writable_atlas: Client, body: str, row_count: int) -> None:
    response = await writable_atlas.post("/notes?select=body", content=body, headers=RETURN_ROWS)

    assert response.status_code == 201, response.text
    assert response.json() == [{"body": "none"}] * row_count


UPSERTS: list[tuple[str, str, Any, int, Any]] = [
    ("", "merge-duplicates", [{"id": 1, "name": "Chili"}], 200, [{"id": 1, "name": "Chili", "code": "CL"}]),
    ("", "merge-duplicates", [{"id": 1, "name": "Chili"}, {"id": 5, "name": "Peru"}], 201, None),
    ("", "ignore-duplicates", [{"id": 1, "name": "Chili"}], 201, []),
    ("?on_conflict=name", "merge-duplicates", {"id": 50, "name": "Chile"}, 409, None),
    ("?on_conflict=name", "merge-duplicates", {"id": 3, "name": "Atlantis", "code": "AT"}, 200, None),
    ("?on_conflict=name", "ignore-duplicates", {"id": 50, "name": "Chile"}, 201, []),
]


@pytest.mark.parametrize(("query", "resolution", "body", "status", "expected"), UPSERTS)
async def test_an_upsert_resolves_duplicates(
    writable_atlas: Client, query: str, resolution: str, body: Any, status: int, expected: Any
) -> None:
    response = await writable_atlas.post(
        f"/countries{query}", json=body, headers={"Prefer": f"resolution={resolution},return=representation"}
    )

    if status == 409:
        # The upsert would change the key that rivers refer to.
        assert response.json()["code"] == "23503"
    assert response.status_code == status, response.text
    if expected is not None:
        assert response.json() == expected


async def test_an_update_changes_the_filtered_rows(writable_atlas: Client) -> None:
    minimal = await writable_atlas.patch("/countries?id=eq.1", json={"name": "Chili"})
    with_rows = await writable_atlas.patch(
        "/countries?id=lt.3&select=id,name", json={"code": "XX"}, headers=RETURN_ROWS
    )
    unmatched = await writable_atlas.patch("/countries?id=eq.99", json={"name": "None"})
    empty = await writable_atlas.patch("/countries?id=eq.1", json={}, headers=RETURN_ROWS)

    assert (minimal.status_code, minimal.content, minimal.headers["content-range"]) == (204, b"", "0-0/*")
    assert sorted(row["name"] for row in with_rows.json()) == ["Chili", "Norway"]
    assert (unmatched.status_code, unmatched.headers["content-range"]) == (204, "*/*")
    assert (empty.status_code, empty.json()) == (200, [])


async def test_a_delete_returns_the_deleted_rows(writable_atlas: Client) -> None:
    with_rows = await writable_atlas.delete(
        "/crossings?id=eq.1&select=id,rivers(name)", headers={"Prefer": "return=representation,count=exact"}
    )
    minimal = await writable_atlas.delete("/crossings")

    assert (with_rows.status_code, with_rows.headers["content-range"]) == (200, "*/1")
    assert with_rows.json() == [{"id": 1, "rivers": {"name": "Baker"}}]
    assert (minimal.status_code, minimal.content) == (204, b"")
    assert (await writable_atlas.get("/crossings")).json() == []


async def test_a_put_creates_or_replaces_the_row_with_the_key_in_the_url(writable_atlas: Client) -> None:
    created = await writable_atlas.put("/countries?id=eq.9", json={"id": 9, "name": "Peru"}, headers=RETURN_ROWS)
    replacement = await writable_atlas.put("/countries?id=eq.9", json={"id": 9, "name": "Perú"})
    other_key = await writable_atlas.put("/countries?id=eq.9", json={"id": 8, "name": "Perú"})
    without_key = await writable_atlas.put("/countries?name=eq.Chile", json={"id": 8, "name": "Chile"})

    assert (created.status_code, created.json()) == (201, [{"id": 9, "name": "Peru", "code": None}])
    assert replacement.status_code == 204
    assert (other_key.status_code, other_key.json()["code"]) == (400, "PGRST115")
    assert (without_key.status_code, without_key.json()["code"]) == (405, "PGRST105")
    assert "Perú" in await country_names(writable_atlas)


async def test_a_put_is_rejected_if_the_key_in_the_url_differs_from_the_body(writable_atlas: Client) -> None:
    for body in ({"wet": True, "name": "sea"}, {"wet": "true", "name": "lake"}):
        assert (await writable_atlas.put("/grounds?wet=eq.true", json=body)).status_code == 204
    assert (await writable_atlas.put("/grounds?wet=eq.true", json={"wet": None, "name": "sand"})).status_code == 400
    assert (await writable_atlas.put("/grounds?wet=eq.true&limit=1", json={"wet": True})).json()["code"] == "PGRST114"

    assert (await writable_atlas.get("/grounds")).json() == [{"wet": True, "name": "lake"}]


async def test_a_write_is_rolled_back_if_a_single_row_is_expected_but_several_are_written(
    writable_atlas: Client, callbacks: Callbacks
) -> None:
    response = await writable_atlas.patch(
        "/countries", json={"code": "XX"}, headers={**RETURN_ROWS, "Accept": "application/vnd.pgrst.object+json"}
    )

    assert (response.status_code, response.json()["details"]) == (406, "The result contains 3 rows")
    assert (await writable_atlas.get("/countries?code=eq.XX")).json() == []
    assert callbacks.write_count == 0


async def test_a_write_of_more_rows_than_max_affected_is_rejected(writable_atlas: Client) -> None:
    strict = await writable_atlas.delete("/crossings", headers={"Prefer": "handling=strict, max-affected=1"})
    lenient = await writable_atlas.delete("/crossings?id=eq.1", headers={"Prefer": "max-affected=0"})

    assert strict.status_code == 400
    assert strict.json() == error_body(
        "PGRST124", "Query result exceeds max-affected preference constraint", "The query affects 2 rows"
    )
    assert lenient.status_code == 204


async def test_a_rolled_back_request_responds_as_if_it_were_committed(
    writable_atlas: Client, callbacks: Callbacks
) -> None:
    response = await writable_atlas.post(
        "/countries", json={"id": 9, "name": "Peru"}, headers={"Prefer": "return=representation, tx=rollback"}
    )

    assert (response.status_code, response.json()[0]["name"]) == (201, "Peru")
    assert response.headers["preference-applied"] == "return=representation, tx=rollback"
    assert "Peru" not in await country_names(writable_atlas)
    assert callbacks.write_count == 0


async def test_csv_and_url_encoded_bodies_are_accepted(writable_atlas: Client) -> None:
    csv_response = await writable_atlas.post(
        "/countries",
        content='id,name,code\n7,"Peru, the",PE\n8,Iran,NULL',
        headers={"Content-Type": "text/csv", **RETURN_ROWS},
    )
    form_response = await writable_atlas.post("/countries", data={"id": "9", "name": "Togo"}, headers=RETURN_ROWS)

    assert csv_response.json() == [
        {"id": 7, "name": "Peru, the", "code": "PE"},
        {"id": 8, "name": "Iran", "code": None},
    ]
    assert form_response.json() == [{"id": 9, "name": "Togo", "code": None}]


async def test_csv_written_by_spreadsheets_is_accepted(writable_atlas: Client) -> None:
    long_name = "x" * 200_000
    csv_response = await writable_atlas.post(
        "/countries",
        content=f'\ufeffid,name\r\n7,"a\r\nb ""c"", \\d"\r\n8,{long_name}\r\n',
        headers={"Content-Type": "text/csv; charset=utf-8", **RETURN_ROWS},
    )

    assert [row["name"] for row in csv_response.json()] == ['a\r\nb "c", \\d', long_name]


MALFORMED_CSV = [
    ("", "Empty or invalid csv"),
    ('id,name\n7,"a', "Empty or invalid csv"),
    ("id,name\n7", "All lines must have same number of fields"),
]


@pytest.mark.parametrize(("body", "message"), MALFORMED_CSV)
async def test_malformed_csv_is_rejected(atlas: Client, body: str, message: str) -> None:
    response = await atlas.post("/countries", content=body, headers={"Content-Type": "text/csv"})

    assert (response.status_code, response.json()["code"], response.json()["message"]) == (400, "PGRST102", message)


INVALID_BODIES = [
    ("", "Empty or invalid json"),
    ("{", "Empty or invalid json"),
    ("[" * 100_000, "Empty or invalid json"),
    ("5", "Empty or invalid json"),
    ("[1,2]", "Empty or invalid json"),
    ('[{"id":1},{"name":"x"}]', "All object keys must match"),
]


@pytest.mark.parametrize(("body", "message"), INVALID_BODIES, ids=[body[:10] for body, _ in INVALID_BODIES])
async def test_a_body_without_rows_is_rejected(atlas: Client, body: str, message: str) -> None:
    response = await atlas.post("/countries", content=body)

    assert (response.status_code, response.json()["code"], response.json()["message"]) == (400, "PGRST102", message)


async def test_the_error_for_an_unknown_column_contains_its_name(atlas: Client) -> None:
    response = await atlas.post("/countries", json={"id": 1, "nmae": "x"})

    assert response.status_code == 400
    assert response.json()["code"] == "PGRST204"
    assert response.json()["message"] == "Could not find the 'nmae' column of 'countries' in the schema cache"


async def test_an_invalid_filter_prevents_the_write(writable_atlas: Client) -> None:
    for query in ("countries.name=eq.Chile", "countries=is.null", "nope=eq.1"):
        assert (await writable_atlas.delete(f"/crossings?{query}")).status_code == 400
        assert (await writable_atlas.patch(f"/crossings?{query}", json={"river_id": 2})).status_code == 400

    assert (await writable_atlas.get("/crossings?select=river_id&order=id")).json() == [
        {"river_id": 1},
        {"river_id": 3},
    ]


async def test_computed_columns_of_written_rows_can_be_returned(writable_atlas: Client) -> None:
    guide = await writable_atlas.post("/guides?select=greeting", json={"id": 9, "name": "Di"}, headers=RETURN_ROWS)
    country = await writable_atlas.patch(
        "/countries?id=eq.1&select=longest(name)", json={"code": "XX"}, headers=RETURN_ROWS
    )

    assert guide.json() == [{"greeting": "I am Di"}]
    assert country.json() == [{"longest": {"name": "Baker"}}]
