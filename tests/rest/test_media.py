"""Responses can be JSON, single objects, CSV, GeoJSON and query plans."""

import asyncpg
import pytest

from tests.rest.conftest import Client, error_body

OBJECT_TYPE = "application/vnd.pgrst.object+json"


@pytest.mark.accept("REST-21")
async def test_a_single_object_is_returned_without_a_list(atlas: Client) -> None:
    response = await atlas.get("/countries?id=eq.3", headers={"Accept": OBJECT_TYPE})

    assert response.json() == {"id": 3, "name": "Atlantis", "code": None}
    assert response.headers["content-type"] == f"{OBJECT_TYPE}; charset=utf-8"


@pytest.mark.accept("REST-21")
@pytest.mark.parametrize(("query", "row_count"), [("id=eq.99", 0), ("id=lt.3", 2)])
async def test_a_result_that_is_not_a_single_row_is_an_error(atlas: Client, query: str, row_count: int) -> None:
    response = await atlas.get(f"/countries?{query}", headers={"Accept": OBJECT_TYPE})

    assert response.status_code == 406
    assert response.reason_phrase == "Not Acceptable"
    assert response.json() == error_body(
        "PGRST116", "Cannot coerce the result to a single JSON object", f"The result contains {row_count} rows"
    )


@pytest.mark.accept("REST-21")
@pytest.mark.parametrize("accept", ["*/*", "application/json"])
async def test_an_empty_result_is_an_empty_list(atlas: Client, accept: str) -> None:
    response = await atlas.get("/countries?id=eq.99", headers={"Accept": accept})

    assert (response.status_code, response.json()) == (200, [])


async def test_nulls_can_be_stripped(atlas: Client) -> None:
    single = await atlas.get("/countries?id=eq.3", headers={"Accept": f"{OBJECT_TYPE};nulls=stripped"})
    as_list = await atlas.get(
        "/countries?id=eq.3", headers={"Accept": "application/vnd.pgrst.array+json;nulls=stripped"}
    )

    assert single.json() == {"id": 3, "name": "Atlantis"}
    assert single.headers["content-type"] == f"{OBJECT_TYPE};nulls=stripped; charset=utf-8"
    assert as_list.json() == [{"id": 3, "name": "Atlantis"}]


async def test_csv_quotes_only_values_with_special_characters(atlas: Client) -> None:
    response = await atlas.get("/rivers?select=id,name,tags,grade,open&order=id", headers={"Accept": "text/csv"})

    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.text == (
        "id,name,tags,grade,open\n"
        '1,Baker,"{cold,blue}","[3,5)",t\n'
        '2,Futaleufú,{cold},"[4,6)",t\n'
        '3,Sjoa,{},"[2,4)",f\n'
        '4,"Lost (River)","{""a,b""}",,'
    )


async def test_csv_without_rows_has_only_the_header(atlas: Client) -> None:
    response = await atlas.get("/countries?id=eq.99", headers={"Accept": "text/csv"})

    assert response.text == "id,name,code"


@pytest.mark.parametrize("query", ["", "Up=eq.8"])
async def test_csv_quotes_odd_names_in_its_header(atlas: Client, query: str) -> None:
    response = await atlas.get(f'/odd_names?select="q\\"q","x,y",the name&{query}', headers={"Accept": "text/csv"})

    assert response.text.partition("\n")[0] == '"q""q","x,y",the name'


async def test_csv_does_not_double_backslashes(writable_atlas: Client) -> None:
    await writable_atlas.post("/countries", json={"id": 9, "name": 'a\\b "c"\nd'})

    response = await writable_atlas.get("/countries?id=eq.9&select=name", headers={"Accept": "text/csv"})

    assert response.text == 'name\n"a\\b ""c""\nd"'


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("text/html, */*;q=0.1", "application/json; charset=utf-8"),
        ("text/csv;q=0.5, application/json", "application/json; charset=utf-8"),
        ("application/json;q=0.5, text/csv", "text/csv; charset=utf-8"),
    ],
)
async def test_the_most_preferred_available_media_type_is_chosen(atlas: Client, accept: str, content_type: str) -> None:
    response = await atlas.get("/countries", headers={"Accept": accept})

    assert response.headers["content-type"] == content_type


async def test_an_unavailable_media_type_is_rejected(atlas: Client) -> None:
    response = await atlas.get("/countries", headers={"Accept": "image/png, audio/ogg"})

    assert response.status_code == 406
    assert response.json()["code"] == "PGRST107"
    assert response.json()["message"] == "None of these media types are available: image/png, audio/ogg"


async def test_the_number_of_accepted_media_types_is_limited(atlas: Client) -> None:
    response = await atlas.get("/countries", headers={"Accept": "image/png," * 1000 + "*/*"})

    assert response.status_code == 406
    assert response.json()["message"].count("image/png") == 100


PLAN_TYPE = "application/vnd.pgrst.plan"


async def test_a_query_plan_can_be_requested(atlas: Client) -> None:
    text_plan = await atlas.get(
        "/countries", headers={"Accept": f'{PLAN_TYPE}+text; for="application/json"; options=verbose;'}
    )
    json_plan = await atlas.get("/countries?id=eq.1", headers={"Accept": f"{PLAN_TYPE}+json"})

    assert text_plan.text.startswith("Aggregate  (cost=")
    assert "Output:" in text_plan.text
    content_type = f'{PLAN_TYPE}+text; for="application/json"; options=verbose; charset=utf-8'
    assert text_plan.headers["content-type"] == content_type
    assert json_plan.json()[0]["Plan"]["Node Type"] == "Aggregate"


async def test_an_analyzed_write_is_rolled_back(writable_atlas: Client) -> None:
    headers = {"Accept": f"{PLAN_TYPE}+text; options=analyze|buffers"}

    response = await writable_atlas.post("/countries", json={"id": 9, "name": "Utopia"}, headers=headers)

    assert "actual" in response.text
    assert (await writable_atlas.get("/countries?id=eq.9")).json() == []


async def test_query_plans_are_disabled_by_default(client: Client) -> None:
    response = await client.get("/waiver_sessions", headers={"Accept": f"{PLAN_TYPE}+text"})

    assert (response.status_code, response.json()["code"]) == (406, "PGRST107")


async def test_geojson_needs_the_postgis_function(client: Client, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    """The test creates a function with the name and result of the function in PostGIS."""
    await admin.execute("create table public.huts (id int); insert into public.huts values (1)")
    await admin.execute("grant select on public.huts to anon")
    without_function = await client.get("/huts", headers={"Accept": "application/geo+json"})

    await admin.execute("""
        create function public.st_asgeojson(feature record) returns text language plpgsql immutable as
        $$ begin return json_build_object('type', 'Feature', 'properties', to_json(feature)); end $$
    """)
    response = await client.get("/huts", headers={"Accept": "application/geo+json"})

    assert (without_function.status_code, without_function.json()["code"]) == (406, "PGRST107")
    assert response.headers["content-type"] == "application/geo+json; charset=utf-8"
    assert response.json() == {
        "type": "FeatureCollection",
        "features": [{"type": "Feature", "properties": {"id": 1}}],
    }
