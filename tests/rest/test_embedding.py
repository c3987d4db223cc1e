"""Tables are embedded through every kind of relationship."""

from typing import Any

import pytest

from tests.rest.conftest import Client, error_body, get_json

EMBEDS: list[tuple[str, Any]] = [
    ("/rivers?select=name,countries(name)&id=in.(1,4)&order=id", [
        {"name": "Baker", "countries": {"name": "Chile"}}, {"name": "Lost (River)", "countries": None}]),
    ("/countries?select=name,rivers(name)&rivers.order=name.desc&order=id", [
        {"name": "Chile", "rivers": [{"name": "Futaleufú"}, {"name": "Baker"}]},
        {"name": "Norway", "rivers": [{"name": "Sjoa"}]},
        {"name": "Atlantis", "rivers": []}]),
    ("/countries?select=name,water:rivers(name)&water.limit=1&water.order=id&water.offset=1&id=eq.1", [
        {"name": "Chile", "water": [{"name": "Futaleufú"}]}]),
    ("/countries?select=name,rivers(name)&rivers.name=eq.Sjoa&order=id&limit=2", [
        {"name": "Chile", "rivers": []}, {"name": "Norway", "rivers": [{"name": "Sjoa"}]}]),
    ("/countries?select=name,rivers!inner(name)&rivers.name=eq.Sjoa", [
        {"name": "Norway", "rivers": [{"name": "Sjoa"}]}]),
    ("/countries?select=name,rivers(name)&rivers=is.null", [{"name": "Atlantis", "rivers": []}]),
    ("/countries?select=name,rivers()&rivers=not.is.null&order=id", [{"name": "Chile"}, {"name": "Norway"}]),
    ("/countries?select=name,rivers()&or=(name.eq.Atlantis,rivers.is.null)", [{"name": "Atlantis"}]),
    ("/rivers?select=id,countries!inner(name)&countries.name=eq.Norway", [{"id": 3, "countries": {"name": "Norway"}}]),
    ("/rivers?select=id,countries()&countries=is.null", [{"id": 4}]),
    ("/rivers?select=id,country_id(name)&id=eq.3", [{"id": 3, "country_id": {"name": "Norway"}}]),
    ("/guides?select=name,rivers(name)&rivers.order=id&order=id", [
        {"name": "Ana", "rivers": [{"name": "Baker"}, {"name": "Sjoa"}]},
        {"name": "Bo", "rivers": [{"name": "Baker"}]},
        {"name": "Cy", "rivers": []}]),
    ("/guides?select=name,licences(number)&order=id&limit=2", [
        {"name": "Ana", "licences": {"number": "L-1"}}, {"name": "Bo", "licences": None}]),
    ("/licences?select=number,guides(name)", [{"number": "L-1", "guides": {"name": "Ana"}}]),
    ("/guides?select=name,boss:boss_id(name)&id=eq.2", [{"name": "Bo", "boss": {"name": "Ana"}}]),
    ("/guides?select=name,guides(name)&id=eq.1&guides.order=id", [
        {"name": "Ana", "guides": [{"name": "Bo"}, {"name": "Cy"}]}]),
    ("/guides?select=name,team:guides!boss_id(name)&id=eq.1&team.order=id", [
        {"name": "Ana", "team": [{"name": "Bo"}, {"name": "Cy"}]}]),
    ("/guides?select=name,boss:boss_id(name,boss_id(name))&id=eq.2", [
        {"name": "Bo", "boss": {"name": "Ana", "boss_id": None}}]),
    ("/rapids?select=name,next_id(name)&order=id&limit=1", [{"name": "Gate", "next_id": {"name": "Step"}}]),
    ("/rivers?select=id,rivers_country_id_fkey(name)&id=eq.3", [
        {"id": 3, "rivers_country_id_fkey": {"name": "Norway"}}]),
    ("/rivers?select=id,country_codes(code)&id=eq.3", [{"id": 3, "country_codes": {"code": "NO"}}]),
    ("/rivers?select=id,country_codes!country_id(code)&id=eq.3", [{"id": 3, "country_codes": {"code": "NO"}}]),
    ("/guides?select=name,guide_names!boss_id(name)&id=eq.2", [{"name": "Bo", "guide_names": {"name": "Ana"}}]),
    ("/crossings?select=id,from:countries!crossings_from(name),to:countries!to_id(name)&id=eq.1", [
        {"id": 1, "from": {"name": "Chile"}, "to": {"name": "Norway"}}]),
    ("/rivers?select=name,...countries(country:name,code)&id=in.(1,4)&order=id", [
        {"name": "Baker", "country": "Chile", "code": "CL"}, {"name": "Lost (River)", "country": None, "code": None}]),
    ("/countries?select=name,...rivers(names:name,id)&rivers.order=id&id=in.(1,3)&order=id", [
        {"name": "Chile", "names": ["Baker", "Futaleufú"], "id": [1, 2]}, {"name": "Atlantis", "names": [], "id": []}]),
    ("/guides?select=name,rivers(name,countries(name,code))&id=eq.2", [
        {"name": "Bo", "rivers": [{"name": "Baker", "countries": {"name": "Chile", "code": "CL"}}]}]),
    ("/guides?select=name,rivers(name,countries(name))&rivers.countries.name=eq.Norway&id=eq.2", [
        {"name": "Bo", "rivers": [{"name": "Baker", "countries": None}]}]),
    ("/river_names?select=title,countries(name)&id=eq.1", [{"title": "Baker", "countries": {"name": "Chile"}}]),
    ("/countries?select=name,river_names(title)&id=eq.2", [{"name": "Norway", "river_names": [{"title": "Sjoa"}]}]),
    ("/countries?select=name,longest(name)&order=id", [
        {"name": "Chile", "longest": {"name": "Baker"}},
        {"name": "Norway", "longest": {"name": "Sjoa"}},
        {"name": "Atlantis", "longest": None}]),
    ("/rivers?select=id,countries(rivers())&countries.rivers=not.is.null&order=countries(name).desc,id&limit=2", [
        {"id": 4, "countries": None}, {"id": 3, "countries": {}}]),
    ("/rpc/longer_than?km=100&select=name,countries(code)&order=id", [
        {"name": "Baker", "countries": {"code": "CL"}}, {"name": "Futaleufú", "countries": {"code": "CL"}}]),
]  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), EMBEDS, ids=[query for query, _ in EMBEDS])
async def test_related_rows_are_embedded(atlas: Client, query: str, expected: Any) -> None:
    assert await get_json(atlas, query) == expected


async def test_the_count_respects_inner_joins(atlas: Client) -> None:
    response = await atlas.get(
        "/countries?select=name,rivers!inner(name)&rivers.id=lt.3&limit=1", headers={"Prefer": "count=exact"}
    )

    assert response.headers["content-range"] == "0-0/1"


async def test_an_ambiguous_relationship_is_rejected(atlas: Client) -> None:
    response = await atlas.get("/crossings?select=id,countries(name)")

    assert response.status_code == 300
    relationships = [
        {
            "cardinality": "many-to-one",
            "embedding": "crossings with countries",
            "relationship": f"crossings_{end} using crossings({end}_id) and countries(id)",
        }
        for end in ("from", "to")
    ]
    assert response.json() == error_body(
        "PGRST201",
        "Could not embed because more than one relationship was found for 'crossings' and 'countries'",
        relationships,
        "Try changing 'countries' to one of the following: 'countries!crossings_from', 'countries!crossings_to'. "
        "Find the desired relationship in the 'details' key.",
    )


async def test_an_unknown_relationship_gets_a_hint_with_a_similar_name(atlas: Client) -> None:
    response = await atlas.get("/rivers?select=id,countrys(name)")

    assert response.status_code == 400
    assert response.json() == error_body(
        "PGRST200",
        "Could not find a relationship between 'rivers' and 'countrys' in the schema cache",
        "Searched for a foreign key relationship between 'rivers' and 'countrys' in the schema 'atlas', "
        "but no matches were found.",
        "Perhaps you meant 'countries' instead of 'countrys'.",
    )


INVALID_EMBEDS = [
    ("/rivers?select=id&countries.name=eq.Chile", 400, "PGRST108"),
    ("/countries?select=id,rivers(id)&order=rivers(id)", 400, "PGRST118"),
    ("/countries?select=id,rivers(id)&rivers=eq.1", 400, "PGRST120"),
    ("/countries?select=id,rivers(nope)", 400, "42703"),
    ("/countries?select=id,rivers!nope(id)", 400, "PGRST200"),
    ("/guides?select=id,guides!guides_boss(id)", 400, "PGRST200"),
    ("/guides?select=id,guides_boss(id)", 400, "PGRST200"),
    ("/guides?select=id,guides!id(id)", 400, "PGRST200"),
    ("/guides?select=id,boss_id!boss_id(id)", 400, "PGRST200"),
    ("/rapids?select=id,rapids(id)", 400, "PGRST200"),
    ("/rivers?select=id,country_id!country_id(name)", 400, "PGRST200"),
    ("/crossings?select=id,countries!from_id(name),countries!to_id(name)", 400, "42712"),
    ("/crossings?select=id,countries:from_id(name),countries!to_id(name)", 400, "42712"),
    ("/crossings?select=id,...countries!from_id(a:name),...countries!to_id(b:name)", 400, "42712"),
    ("/guides?select=id,rivers(id,countries(id),countries(name))", 400, "42712"),
]


@pytest.mark.parametrize(("query", "status", "code"), INVALID_EMBEDS, ids=[query for query, _, _ in INVALID_EMBEDS])
async def test_an_invalid_embed_is_rejected(atlas: Client, query: str, status: int, code: str) -> None:
    response = await atlas.get(query)

    assert (response.status_code, response.json()["code"]) == (status, code)


async def test_the_same_table_is_embedded_twice_only_with_aliases(atlas: Client) -> None:
    """Without aliases, both embeds would have the same key, and clients would see only one of them."""
    refused = await atlas.get("/crossings?select=id,countries!from_id(name),countries!to_id(name)")
    nested = await atlas.get("/guides?select=id,rivers(countries(id,rivers(id),rivers(name)))")

    assert refused.json() == error_body("42712", 'table name "crossings_countries_1" specified more than once')
    assert nested.json()["message"] == 'table name "countries_rivers_3" specified more than once'


async def test_the_error_for_an_unknown_column_contains_the_alias_of_the_embed(atlas: Client) -> None:
    response = await atlas.get("/countries?select=id,rivers(nope)")

    assert response.json()["message"] == "column rivers_1.nope does not exist"
