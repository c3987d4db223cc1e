"""Select lists, casts and aggregates return the expected values."""

from typing import Any

import pytest

from tests.rest.conftest import Client, get_json

SELECTS: list[tuple[str, Any]] = [
    ("id,name", {"id": 1, "name": "Baker"}),
    ("title:name", {"title": "Baker"}),
    ('"name"', {"name": "Baker"}),
    ("length::text", {"length": "175"}),
    ("n:length::int4", {"n": 175}),
    ("length::double precision", {"length": 175}),
    ("attributes->depth", {"depth": 7}),
    ("attributes->by->>who", {"who": "Ana, B"}),
    ("first:attributes->falls->>0", {"first": "Nef"}),
    ("attributes->falls->0", {"falls": "Nef"}),
    ("tags->1", {"tags": "blue"}),
    ("tags::text", {"tags": "{cold,blue}"}),
    ("", {}),
]


@pytest.mark.parametrize(("select", "expected"), SELECTS, ids=[select for select, _ in SELECTS])
async def test_a_select_list_determines_the_keys_of_the_row(
    atlas: Client, select: str, expected: dict[str, Any]
) -> None:
    response = await atlas.get("/rivers", params={"select": select, "id": "eq.1"})

    assert response.status_code == 200, response.text
    assert response.json() == [expected]


async def test_a_star_selects_all_columns_in_their_order(atlas: Client) -> None:
    row = (await atlas.get("/rivers?id=eq.1")).json()[0]

    assert list(row)[:4] == ["id", "name", "country_id", "length"]
    assert row["opened"] == "1990-05-01"
    assert row["grade"] == "[3,5)"
    assert row["tags"] == ["cold", "blue"]


AGGREGATES: list[tuple[str, Any]] = [
    ("/rivers?select=count()", [{"count": 4}]),
    ("/rivers?select=count", [{"count": 4}]),
    ("/rivers?select=n:count()&id=gt.2", [{"n": 2}]),
    ("/rivers?select=length.sum()", [{"sum": 378.5}]),
    ("/rivers?select=country_id,length.max()&order=country_id", [
        {"country_id": 1, "max": 175}, {"country_id": 2, "max": 98.5}, {"country_id": None, "max": None}]),
    ("/rivers?select=depth:attributes->depth,count()&attributes->depth=eq.7", [{"depth": 7, "count": 1}]),
    ("/rivers?select=length.avg()::int", [{"avg": 126}]),
    ("/countries?select=name,rivers(count)&order=id", [
        {"name": "Chile", "rivers": [{"count": 2}]},
        {"name": "Norway", "rivers": [{"count": 1}]},
        {"name": "Atlantis", "rivers": [{"count": 0}]}]),
    ("/rivers?select=countries(name),count()&country_id=eq.1", [{"countries": {"name": "Chile"}, "count": 2}]),
    ("/rivers?select=...countries(country:name),count()&country_id=eq.1", [{"country": "Chile", "count": 2}]),
    ("/rivers?select=...countries(id.max(),n:id.count())", [{"max": 2, "n": 3}]),
    ("/rivers?select=water,...countries(count(),id.sum()::text)&order=water", [
        {"water": "flat", "count": 0, "sum": None}, {"water": "wild", "count": 3, "sum": "4"}]),
    ("/rivers?select=...countries(name,longest:id.max())&country_id=eq.1", [{"name": "Chile", "longest": 1}]),
    ("/crossings?select=...rivers(...countries(id.max()),length.sum())", [{"max": 2, "sum": 273.5}]),
    ("/countries?select=name,...rivers(length.sum(),count())&order=id&limit=2", [
        {"name": "Chile", "sum": [280], "count": [2]}, {"name": "Norway", "sum": [98.5], "count": [1]}]),
    ("/countries?select=name,rivers(water,length.max(),count())&id=eq.1", [
        {"name": "Chile", "rivers": [{"water": "wild", "max": 175, "count": 2}]}]),
    ("/guides?select=name,rivers(countries(name),count())&id=eq.2", [
        {"name": "Bo", "rivers": [{"countries": {"name": "Chile"}, "count": 1}]}]),
    ("/rivers?select=attributes->>depth::int.sum()", [{"sum": 12}]),
]  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), AGGREGATES, ids=[query for query, _ in AGGREGATES])
async def test_aggregates_group_by_the_other_columns(atlas: Client, query: str, expected: Any) -> None:
    assert await get_json(atlas, query) == expected


async def test_a_computed_column_is_selected_like_a_column(atlas: Client) -> None:
    response = await atlas.get("/guides?select=id,greeting&greeting=like.*Bo&order=greeting")

    assert response.json() == [{"id": 2, "greeting": "I am Bo"}]
    assert "greeting" not in (await atlas.get("/guides?id=eq.1")).json()[0]


async def test_written_rows_can_be_aggregated(writable_atlas: Client) -> None:
    response = await writable_atlas.patch(
        "/rivers?country_id=eq.1&select=water,length.sum(),...countries(id.max())",
        json={"open": False},
        headers={"Prefer": "return=representation"},
    )

    assert response.json() == [{"water": "wild", "sum": 280, "max": 1}]


async def test_the_count_of_an_aggregate_is_the_number_of_groups(atlas: Client) -> None:
    all_rows = await atlas.get("/rivers?select=count()", headers={"Prefer": "count=exact"})
    by_country = await atlas.get("/rivers?select=...countries(name),count()&limit=2", headers={"Prefer": "count=exact"})

    assert all_rows.headers["content-range"] == "0-0/1"
    assert by_country.headers["content-range"] == "0-1/3"
