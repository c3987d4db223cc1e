"""What a select list makes of a row."""

from typing import Any

import pytest

from tests.rest.conftest import Client

SELECTS: list[tuple[str, Any]] = [
    ("id,name", {"id": 1, "name": "Baker"}),
    ("title:name", {"title": "Baker"}),
    ('"name"', {"name": "Baker"}),
    ("length::text", {"length": "175"}),
    ("n:length::int4", {"n": 175}),
    ("length::double precision", {"length": 175}),
    ("facts->depth", {"depth": 7}),
    ("facts->by->>who", {"who": "Ana, B"}),
    ("first:facts->falls->>0", {"first": "Nef"}),
    ("facts->falls->0", {"falls": "Nef"}),
    ("tags->1", {"tags": "blue"}),
    ("tags::text", {"tags": "{cold,blue}"}),
    ("", {}),
]


@pytest.mark.parametrize(("select", "expected"), SELECTS, ids=[select for select, _ in SELECTS])
async def test_a_select_list_shapes_the_row(atlas: Client, select: str, expected: dict[str, Any]) -> None:
    answer = await atlas.get("/rivers", params={"select": select, "id": "eq.1"})

    assert answer.status_code == 200, answer.text
    assert answer.json() == [expected]


async def test_a_star_is_the_whole_row_in_the_order_of_its_columns(atlas: Client) -> None:
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
    ("/rivers?select=depth:facts->depth,count()&facts->depth=eq.7", [{"depth": 7, "count": 1}]),
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
    ("/rivers?select=facts->>depth::int.sum()", [{"sum": 12}]),
]  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), AGGREGATES, ids=[query for query, _ in AGGREGATES])
async def test_aggregates_group_by_what_is_not_aggregated(atlas: Client, query: str, expected: Any) -> None:
    answer = await atlas.get(query)

    assert answer.status_code == 200, answer.text
    assert answer.json() == expected


async def test_a_function_of_the_row_is_asked_for_like_a_column(atlas: Client) -> None:
    answer = await atlas.get("/guides?select=id,greeting&greeting=like.*Bo&order=greeting")

    assert answer.json() == [{"id": 2, "greeting": "I am Bo"}]
    assert "greeting" not in (await atlas.get("/guides?id=eq.1")).json()[0]


async def test_what_was_written_can_be_summed_up(own_atlas: Client) -> None:
    answer = await own_atlas.patch(
        "/rivers?country_id=eq.1&select=water,length.sum(),...countries(id.max())",
        json={"open": False},
        headers={"Prefer": "return=representation"},
    )

    assert answer.json() == [{"water": "wild", "sum": 280, "max": 1}]


async def test_groups_are_what_is_counted(atlas: Client) -> None:
    all_rows = await atlas.get("/rivers?select=count()", headers={"Prefer": "count=exact"})
    by_country = await atlas.get("/rivers?select=...countries(name),count()&limit=2", headers={"Prefer": "count=exact"})

    assert all_rows.headers["content-range"] == "0-0/1"
    assert by_country.headers["content-range"] == "0-1/3"
