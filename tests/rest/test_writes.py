"""Insert, upsert, update and delete, and what each returns."""

from typing import Any

import pytest

from tests.rest.conftest import Callbacks, Client

RETURN_ROWS = {"Prefer": "return=representation"}


async def names(client: Client) -> list[str]:
    return [row["name"] for row in (await client.get("/countries?order=id")).json()]


async def test_an_insert_returns_no_body_by_default(own_atlas: Client, callbacks: Callbacks) -> None:
    response = await own_atlas.post("/countries", json={"id": 9, "name": "Peru"})

    assert (response.status_code, response.content) == (201, b"")
    assert "content-type" not in response.headers
    assert response.headers["content-range"] == "*/*"
    assert "Peru" in await names(own_atlas)
    assert callbacks.writes == 1


@pytest.mark.accept("REST-21")
async def test_an_insert_returns_the_requested_columns(own_atlas: Client) -> None:
    response = await own_atlas.post(
        "/rivers?select=name,water,countries(name)", json=[{"name": "Ebro", "country_id": 2}], headers=RETURN_ROWS
    )

    assert response.status_code == 201
    assert response.json() == [{"name": "Ebro", "water": "flat", "countries": {"name": "Norway"}}]
    assert response.headers["preference-applied"] == "return=representation"


async def test_an_insert_may_return_only_the_location(own_atlas: Client) -> None:
    response = await own_atlas.post(
        "/countries", json={"id": 9, "name": "Peru"}, headers={"Prefer": "return=headers-only"}
    )

    assert (response.status_code, response.content) == (201, b"")
    assert response.headers["location"] == "/countries?id=eq.9"


async def test_rows_may_omit_columns_if_the_columns_are_listed(own_atlas: Client) -> None:
    rows = [{"id": 7, "name": "Peru"}, {"id": 8, "name": "Iran", "code": "IR", "ignored": 1}]

    response = await own_atlas.post('/countries?columns="id","name","code"', json=rows, headers=RETURN_ROWS)

    assert response.json() == [{"id": 7, "name": "Peru", "code": None}, {"id": 8, "name": "Iran", "code": "IR"}]


async def test_a_missing_column_is_null_or_its_default(own_atlas: Client) -> None:
    rows = [{"name": "Ebro"}, {"name": "Oder", "opened": "2020-02-02", "water": "wild"}]
    url = "/rivers?columns=name,opened,water,id&select=name,opened,water"

    defaults = await own_atlas.post(url, json=rows, headers={"Prefer": "return=representation, missing=default"})
    nulls = await own_atlas.post(url.replace(",water", ""), json=rows, headers=RETURN_ROWS)

    assert defaults.json() == [
        {"name": "Ebro", "opened": "2000-01-01", "water": "flat"},
        {"name": "Oder", "opened": "2020-02-02", "water": "wild"},
    ]
    assert defaults.headers["preference-applied"] == "missing=default, return=representation"
    assert nulls.json()["code"] == "23502"


@pytest.mark.parametrize(("body", "stored"), [("{}", 1), ("[{}]", 1), ("[{},{}]", 2), ("[]", 0)])
async def test_an_empty_object_is_a_row_of_defaults(own_atlas: Client, body: str, stored: int) -> None:
    response = await own_atlas.post("/notes?select=body", content=body, headers=RETURN_ROWS)

    assert response.status_code == 201, response.text
    assert response.json() == [{"body": "none"}] * stored


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
    own_atlas: Client, query: str, resolution: str, body: Any, status: int, expected: Any
) -> None:
    response = await own_atlas.post(
        f"/countries{query}", json=body, headers={"Prefer": f"resolution={resolution},return=representation"}
    )

    if status == 409:
        # The upsert would change the key that rivers refer to.
        assert response.json()["code"] == "23503"
    assert response.status_code == status, response.text
    if expected is not None:
        assert response.json() == expected


async def test_an_update_changes_the_filtered_rows(own_atlas: Client) -> None:
    minimal = await own_atlas.patch("/countries?id=eq.1", json={"name": "Chili"})
    returned = await own_atlas.patch("/countries?id=lt.3&select=id,name", json={"code": "XX"}, headers=RETURN_ROWS)
    unmatched = await own_atlas.patch("/countries?id=eq.99", json={"name": "None"})
    empty = await own_atlas.patch("/countries?id=eq.1", json={}, headers=RETURN_ROWS)

    assert (minimal.status_code, minimal.content, minimal.headers["content-range"]) == (204, b"", "0-0/*")
    assert sorted(row["name"] for row in returned.json()) == ["Chili", "Norway"]
    assert (unmatched.status_code, unmatched.headers["content-range"]) == (204, "*/*")
    assert (empty.status_code, empty.json()) == (200, [])


async def test_a_delete_returns_the_deleted_rows(own_atlas: Client) -> None:
    returned = await own_atlas.delete(
        "/crossings?id=eq.1&select=id,rivers(name)", headers={"Prefer": "return=representation,count=exact"}
    )
    minimal = await own_atlas.delete("/crossings")

    assert (returned.status_code, returned.headers["content-range"]) == (200, "*/1")
    assert returned.json() == [{"id": 1, "rivers": {"name": "Baker"}}]
    assert (minimal.status_code, minimal.content) == (204, b"")
    assert (await own_atlas.get("/crossings")).json() == []


async def test_a_put_replaces_the_row_it_names(own_atlas: Client) -> None:
    made = await own_atlas.put("/countries?id=eq.9", json={"id": 9, "name": "Peru"}, headers=RETURN_ROWS)
    replaced = await own_atlas.put("/countries?id=eq.9", json={"id": 9, "name": "Perú"})
    other = await own_atlas.put("/countries?id=eq.9", json={"id": 8, "name": "Perú"})
    unkeyed = await own_atlas.put("/countries?name=eq.Chile", json={"id": 8, "name": "Chile"})

    assert (made.status_code, made.json()) == (201, [{"id": 9, "name": "Peru", "code": None}])
    assert replaced.status_code == 204
    assert (other.status_code, other.json()["code"]) == (400, "PGRST115")
    assert (unkeyed.status_code, unkeyed.json()["code"]) == (405, "PGRST105")
    assert "Perú" in await names(own_atlas)


async def test_a_put_compares_the_key_in_the_url_with_the_body(own_atlas: Client) -> None:
    for body in ({"wet": True, "name": "sea"}, {"wet": "true", "name": "lake"}):
        assert (await own_atlas.put("/grounds?wet=eq.true", json=body)).status_code == 204
    assert (await own_atlas.put("/grounds?wet=eq.true", json={"wet": None, "name": "sand"})).status_code == 400
    assert (await own_atlas.put("/grounds?wet=eq.true&limit=1", json={"wet": True})).json()["code"] == "PGRST114"

    assert (await own_atlas.get("/grounds")).json() == [{"wet": True, "name": "lake"}]


async def test_a_write_that_must_return_one_row_is_rolled_back_otherwise(
    own_atlas: Client, callbacks: Callbacks
) -> None:
    response = await own_atlas.patch(
        "/countries", json={"code": "XX"}, headers={**RETURN_ROWS, "Accept": "application/vnd.pgrst.object+json"}
    )

    assert (response.status_code, response.json()["details"]) == (406, "The result contains 3 rows")
    assert (await own_atlas.get("/countries?code=eq.XX")).json() == []
    assert callbacks.writes == 0


async def test_no_more_rows_are_changed_than_the_caller_allows(own_atlas: Client) -> None:
    strict = await own_atlas.delete("/crossings", headers={"Prefer": "handling=strict, max-affected=1"})
    lenient = await own_atlas.delete("/crossings?id=eq.1", headers={"Prefer": "max-affected=0"})

    assert strict.status_code == 400
    assert strict.json() == {
        "code": "PGRST124",
        "message": "Query result exceeds max-affected preference constraint",
        "details": "The query affects 2 rows",
        "hint": None,
    }
    assert lenient.status_code == 204


async def test_a_rolled_back_request_responds_as_if_it_were_committed(own_atlas: Client, callbacks: Callbacks) -> None:
    response = await own_atlas.post(
        "/countries", json={"id": 9, "name": "Peru"}, headers={"Prefer": "return=representation, tx=rollback"}
    )

    assert (response.status_code, response.json()[0]["name"]) == (201, "Peru")
    assert response.headers["preference-applied"] == "return=representation, tx=rollback"
    assert "Peru" not in await names(own_atlas)
    assert callbacks.writes == 0


async def test_csv_and_form_bodies_are_accepted(own_atlas: Client) -> None:
    csv = await own_atlas.post(
        "/countries",
        content='id,name,code\n7,"Peru, the",PE\n8,Iran,NULL',
        headers={"Content-Type": "text/csv", **RETURN_ROWS},
    )
    form = await own_atlas.post("/countries", data={"id": "9", "name": "Togo"}, headers=RETURN_ROWS)

    assert csv.json() == [{"id": 7, "name": "Peru, the", "code": "PE"}, {"id": 8, "name": "Iran", "code": None}]
    assert form.json() == [{"id": 9, "name": "Togo", "code": None}]


async def test_csv_written_by_spreadsheets_is_accepted(own_atlas: Client) -> None:
    long = "x" * 200_000
    csv = await own_atlas.post(
        "/countries",
        content=f'\ufeffid,name\r\n7,"a\r\nb ""c"", \\d"\r\n8,{long}\r\n',
        headers={"Content-Type": "text/csv; charset=utf-8", **RETURN_ROWS},
    )

    assert [row["name"] for row in csv.json()] == ['a\r\nb "c", \\d', long]


BROKEN_CSV = [
    ("", "Empty or invalid csv"),
    ('id,name\n7,"a', "Empty or invalid csv"),
    ("id,name\n7", "All lines must have same number of fields"),
]


@pytest.mark.parametrize(("body", "message"), BROKEN_CSV)
async def test_malformed_csv_is_rejected(atlas: Client, body: str, message: str) -> None:
    response = await atlas.post("/countries", content=body, headers={"Content-Type": "text/csv"})

    assert (response.status_code, response.json()["code"], response.json()["message"]) == (400, "PGRST102", message)


BODIES = [
    ("", "Empty or invalid json"),
    ("{", "Empty or invalid json"),
    ("[" * 100_000, "Empty or invalid json"),
    ("5", "Empty or invalid json"),
    ("[1,2]", "Empty or invalid json"),
    ('[{"id":1},{"name":"x"}]', "All object keys must match"),
]


@pytest.mark.parametrize(("body", "message"), BODIES, ids=[body[:10] for body, _ in BODIES])
async def test_a_body_without_rows_is_rejected(atlas: Client, body: str, message: str) -> None:
    response = await atlas.post("/countries", content=body)

    assert (response.status_code, response.json()["code"], response.json()["message"]) == (400, "PGRST102", message)


async def test_an_unknown_column_is_named_in_the_error(atlas: Client) -> None:
    response = await atlas.post("/countries", json={"id": 1, "nmae": "x"})

    assert response.status_code == 400
    assert response.json()["code"] == "PGRST204"
    assert response.json()["message"] == "Could not find the 'nmae' column of 'countries' in the schema cache"


async def test_an_invalid_filter_prevents_the_write(own_atlas: Client) -> None:
    for query in ("countries.name=eq.Chile", "countries=is.null", "nope=eq.1"):
        assert (await own_atlas.delete(f"/crossings?{query}")).status_code == 400
        assert (await own_atlas.patch(f"/crossings?{query}", json={"river_id": 2})).status_code == 400

    assert (await own_atlas.get("/crossings?select=river_id&order=id")).json() == [{"river_id": 1}, {"river_id": 3}]


async def test_computed_columns_work_on_written_rows(own_atlas: Client) -> None:
    guide = await own_atlas.post("/guides?select=greeting", json={"id": 9, "name": "Di"}, headers=RETURN_ROWS)
    country = await own_atlas.patch("/countries?id=eq.1&select=longest(name)", json={"code": "XX"}, headers=RETURN_ROWS)

    assert guide.json() == [{"greeting": "I am Di"}]
    assert country.json() == [{"longest": {"name": "Baker"}}]
