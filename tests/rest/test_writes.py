"""Insert, upsert, update, delete, and what comes back of each."""

from typing import Any

import pytest

from tests.rest.conftest import Client, Door

BACK = {"Prefer": "return=representation"}


async def names(client: Client) -> list[str]:
    return [row["name"] for row in (await client.get("/countries?order=id")).json()]


async def test_an_insert_says_only_that_it_happened(own_atlas: Client, door: Door) -> None:
    answer = await own_atlas.post("/countries", json={"id": 9, "name": "Peru"})

    assert (answer.status_code, answer.content) == (201, b"")
    assert "content-type" not in answer.headers
    assert answer.headers["content-range"] == "*/*"
    assert "Peru" in await names(own_atlas)
    assert door.writes == 1


@pytest.mark.accept("REST-21")
async def test_an_insert_returns_what_was_asked_of_it(own_atlas: Client) -> None:
    answer = await own_atlas.post(
        "/rivers?select=name,water,countries(name)", json=[{"name": "Ebro", "country_id": 2}], headers=BACK
    )

    assert answer.status_code == 201
    assert answer.json() == [{"name": "Ebro", "water": "flat", "countries": {"name": "Norway"}}]
    assert answer.headers["preference-applied"] == "return=representation"


async def test_an_insert_may_tell_only_where_the_row_is(own_atlas: Client) -> None:
    answer = await own_atlas.post(
        "/countries", json={"id": 9, "name": "Peru"}, headers={"Prefer": "return=headers-only"}
    )

    assert (answer.status_code, answer.content) == (201, b"")
    assert answer.headers["location"] == "/countries?id=eq.9"


async def test_rows_of_a_list_may_leave_columns_out_when_the_columns_are_named(own_atlas: Client) -> None:
    rows = [{"id": 7, "name": "Peru"}, {"id": 8, "name": "Iran", "code": "IR", "ignored": 1}]

    answer = await own_atlas.post('/countries?columns="id","name","code"', json=rows, headers=BACK)

    assert answer.json() == [{"id": 7, "name": "Peru", "code": None}, {"id": 8, "name": "Iran", "code": "IR"}]


async def test_a_missing_column_is_null_or_its_default(own_atlas: Client) -> None:
    rows = [{"name": "Ebro"}, {"name": "Oder", "opened": "2020-02-02", "water": "wild"}]
    address = "/rivers?columns=name,opened,water,id&select=name,opened,water"

    defaults = await own_atlas.post(address, json=rows, headers={"Prefer": "return=representation, missing=default"})
    nulls = await own_atlas.post(address.replace(",water", ""), json=rows, headers=BACK)

    assert defaults.json() == [
        {"name": "Ebro", "opened": "2000-01-01", "water": "flat"},
        {"name": "Oder", "opened": "2020-02-02", "water": "wild"},
    ]
    assert defaults.headers["preference-applied"] == "missing=default, return=representation"
    assert nulls.json()["code"] == "23502"


@pytest.mark.parametrize(("body", "stored"), [("{}", 1), ("[{}]", 1), ("[{},{}]", 2), ("[]", 0)])
async def test_an_empty_object_is_a_row_of_defaults(own_atlas: Client, body: str, stored: int) -> None:
    answer = await own_atlas.post("/notes?select=words", content=body, headers=BACK)

    assert answer.status_code == 201, answer.text
    assert answer.json() == [{"words": "none"}] * stored


UPSERTS: list[tuple[str, str, Any, int, Any]] = [
    ("", "merge-duplicates", [{"id": 1, "name": "Chili"}], 200, [{"id": 1, "name": "Chili", "code": "CL"}]),
    ("", "merge-duplicates", [{"id": 1, "name": "Chili"}, {"id": 5, "name": "Peru"}], 201, None),
    ("", "ignore-duplicates", [{"id": 1, "name": "Chili"}], 201, []),
    ("?on_conflict=name", "merge-duplicates", {"id": 50, "name": "Chile"}, 409, None),
    ("?on_conflict=name", "merge-duplicates", {"id": 3, "name": "Atlantis", "code": "AT"}, 200, None),
    ("?on_conflict=name", "ignore-duplicates", {"id": 50, "name": "Chile"}, 201, []),
]


@pytest.mark.parametrize(("query", "resolution", "body", "status", "expected"), UPSERTS)
async def test_an_upsert_meets_what_is_there(
    own_atlas: Client, query: str, resolution: str, body: Any, status: int, expected: Any
) -> None:
    answer = await own_atlas.post(
        f"/countries{query}", json=body, headers={"Prefer": f"resolution={resolution},return=representation"}
    )

    if status == 409:
        # Another column of the row broke a rule: the key of somebody's river would change.
        assert answer.json()["code"] == "23503"
    assert answer.status_code == status, answer.text
    if expected is not None:
        assert answer.json() == expected


async def test_an_update_changes_what_the_filter_finds(own_atlas: Client) -> None:
    quiet = await own_atlas.patch("/countries?id=eq.1", json={"name": "Chili"})
    loud = await own_atlas.patch("/countries?id=lt.3&select=id,name", json={"code": "XX"}, headers=BACK)
    vain = await own_atlas.patch("/countries?id=eq.99", json={"name": "None"})
    empty = await own_atlas.patch("/countries?id=eq.1", json={}, headers=BACK)

    assert (quiet.status_code, quiet.content, quiet.headers["content-range"]) == (204, b"", "0-0/*")
    assert sorted(row["name"] for row in loud.json()) == ["Chili", "Norway"]
    assert (vain.status_code, vain.headers["content-range"]) == (204, "*/*")
    assert (empty.status_code, empty.json()) == (200, [])


async def test_a_delete_returns_what_is_gone(own_atlas: Client) -> None:
    loud = await own_atlas.delete(
        "/crossings?id=eq.1&select=id,rivers(name)", headers={"Prefer": "return=representation,count=exact"}
    )
    quiet = await own_atlas.delete("/crossings")

    assert (loud.status_code, loud.headers["content-range"]) == (200, "*/1")
    assert loud.json() == [{"id": 1, "rivers": {"name": "Baker"}}]
    assert (quiet.status_code, quiet.content) == (204, b"")
    assert (await own_atlas.get("/crossings")).json() == []


async def test_a_put_replaces_the_row_it_names(own_atlas: Client) -> None:
    made = await own_atlas.put("/countries?id=eq.9", json={"id": 9, "name": "Peru"}, headers=BACK)
    replaced = await own_atlas.put("/countries?id=eq.9", json={"id": 9, "name": "Perú"})
    other = await own_atlas.put("/countries?id=eq.9", json={"id": 8, "name": "Perú"})
    unkeyed = await own_atlas.put("/countries?name=eq.Chile", json={"id": 8, "name": "Chile"})

    assert (made.status_code, made.json()) == (201, [{"id": 9, "name": "Peru", "code": None}])
    assert replaced.status_code == 204
    assert (other.status_code, other.json()["code"]) == (400, "PGRST115")
    assert (unkeyed.status_code, unkeyed.json()["code"]) == (405, "PGRST105")
    assert "Perú" in await names(own_atlas)


async def test_a_key_is_the_same_in_the_address_and_in_the_body(own_atlas: Client) -> None:
    for body in ({"wet": True, "name": "sea"}, {"wet": "true", "name": "lake"}):
        assert (await own_atlas.put("/grounds?wet=eq.true", json=body)).status_code == 204
    assert (await own_atlas.put("/grounds?wet=eq.true", json={"wet": None, "name": "sand"})).status_code == 400
    assert (await own_atlas.put("/grounds?wet=eq.true&limit=1", json={"wet": True})).json()["code"] == "PGRST114"

    assert (await own_atlas.get("/grounds")).json() == [{"wet": True, "name": "lake"}]


async def test_a_single_object_that_is_not_single_writes_nothing(own_atlas: Client, door: Door) -> None:
    answer = await own_atlas.patch(
        "/countries", json={"code": "XX"}, headers={**BACK, "Accept": "application/vnd.pgrst.object+json"}
    )

    assert (answer.status_code, answer.json()["details"]) == (406, "The result contains 3 rows")
    assert (await own_atlas.get("/countries?code=eq.XX")).json() == []
    assert door.writes == 0


async def test_no_more_rows_are_touched_than_the_caller_allows(own_atlas: Client) -> None:
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


async def test_a_rehearsal_answers_as_if_it_had_happened(own_atlas: Client, door: Door) -> None:
    answer = await own_atlas.post(
        "/countries", json={"id": 9, "name": "Peru"}, headers={"Prefer": "return=representation, tx=rollback"}
    )

    assert (answer.status_code, answer.json()[0]["name"]) == (201, "Peru")
    assert answer.headers["preference-applied"] == "return=representation, tx=rollback"
    assert "Peru" not in await names(own_atlas)
    assert door.writes == 0


async def test_csv_and_forms_are_bodies_too(own_atlas: Client) -> None:
    csv = await own_atlas.post(
        "/countries",
        content='id,name,code\n7,"Peru, the",PE\n8,Iran,NULL',
        headers={"Content-Type": "text/csv", **BACK},
    )
    form = await own_atlas.post("/countries", data={"id": "9", "name": "Togo"}, headers=BACK)

    assert csv.json() == [{"id": 7, "name": "Peru, the", "code": "PE"}, {"id": 8, "name": "Iran", "code": None}]
    assert form.json() == [{"id": 9, "name": "Togo", "code": None}]


async def test_csv_comes_as_spreadsheets_write_it(own_atlas: Client) -> None:
    long = "x" * 200_000
    csv = await own_atlas.post(
        "/countries",
        content=f'\ufeffid,name\r\n7,"a\r\nb ""c"", \\d"\r\n8,{long}\r\n',
        headers={"Content-Type": "text/csv; charset=utf-8", **BACK},
    )

    assert [row["name"] for row in csv.json()] == ['a\r\nb "c", \\d', long]


BROKEN_CSV = [
    ("", "Empty or invalid csv"),
    ('id,name\n7,"a', "Empty or invalid csv"),
    ("id,name\n7", "All lines must have same number of fields"),
]


@pytest.mark.parametrize(("body", "message"), BROKEN_CSV)
async def test_csv_that_is_not_whole_is_refused(atlas: Client, body: str, message: str) -> None:
    answer = await atlas.post("/countries", content=body, headers={"Content-Type": "text/csv"})

    assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (400, "PGRST102", message)


BODIES = [
    ("", "Empty or invalid json"),
    ("{", "Empty or invalid json"),
    ("[" * 100_000, "Empty or invalid json"),
    ("5", "Empty or invalid json"),
    ("[1,2]", "Empty or invalid json"),
    ('[{"id":1},{"name":"x"}]', "All object keys must match"),
]


@pytest.mark.parametrize(("body", "message"), BODIES, ids=[body[:10] for body, _ in BODIES])
async def test_a_body_that_is_no_rows_is_refused(atlas: Client, body: str, message: str) -> None:
    answer = await atlas.post("/countries", content=body)

    assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (400, "PGRST102", message)


async def test_an_unknown_column_is_named(atlas: Client) -> None:
    answer = await atlas.post("/countries", json={"id": 1, "nmae": "x"})

    assert answer.status_code == 400
    assert answer.json()["code"] == "PGRST204"
    assert answer.json()["message"] == "Could not find the 'nmae' column of 'countries' in the schema cache"


async def test_a_filter_that_finds_no_place_stops_the_write(own_atlas: Client) -> None:
    for query in ("countries.name=eq.Chile", "countries=is.null", "nope=eq.1"):
        assert (await own_atlas.delete(f"/crossings?{query}")).status_code == 400
        assert (await own_atlas.patch(f"/crossings?{query}", json={"river_id": 2})).status_code == 400

    assert (await own_atlas.get("/crossings?select=river_id&order=id")).json() == [{"river_id": 1}, {"river_id": 3}]


async def test_what_is_computed_from_a_row_is_computed_from_a_written_one(own_atlas: Client) -> None:
    guide = await own_atlas.post("/guides?select=greeting", json={"id": 9, "name": "Di"}, headers=BACK)
    country = await own_atlas.patch("/countries?id=eq.1&select=longest(name)", json={"code": "XX"}, headers=BACK)

    assert guide.json() == [{"greeting": "I am Di"}]
    assert country.json() == [{"longest": {"name": "Baker"}}]
