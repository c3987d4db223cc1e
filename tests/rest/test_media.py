"""The forms an answer can take."""

import asyncpg
import pytest

from tests.rest.conftest import Client

OBJECT = "application/vnd.pgrst.object+json"


@pytest.mark.accept("REST-21")
async def test_a_single_object_comes_without_its_list(atlas: Client) -> None:
    answer = await atlas.get("/countries?id=eq.3", headers={"Accept": OBJECT})

    assert answer.json() == {"id": 3, "name": "Atlantis", "code": None}
    assert answer.headers["content-type"] == f"{OBJECT}; charset=utf-8"


@pytest.mark.accept("REST-21")
@pytest.mark.parametrize(("query", "rows"), [("id=eq.99", 0), ("id=lt.3", 2)])
async def test_what_is_not_single_is_said_to_be_so(atlas: Client, query: str, rows: int) -> None:
    answer = await atlas.get(f"/countries?{query}", headers={"Accept": OBJECT})

    assert answer.status_code == 406
    assert answer.reason_phrase == "Not Acceptable"
    assert answer.json() == {
        "code": "PGRST116",
        "details": f"The result contains {rows} rows",
        "hint": None,
        "message": "Cannot coerce the result to a single JSON object",
    }


@pytest.mark.accept("REST-21")
@pytest.mark.parametrize("accept", ["*/*", "application/json"])
async def test_maybe_single_is_a_plain_list_for_both_clients(atlas: Client, accept: str) -> None:
    answer = await atlas.get("/countries?id=eq.99", headers={"Accept": accept})

    assert (answer.status_code, answer.json()) == (200, [])


async def test_nulls_can_be_left_out(atlas: Client) -> None:
    one = await atlas.get("/countries?id=eq.3", headers={"Accept": f"{OBJECT};nulls=stripped"})
    many = await atlas.get("/countries?id=eq.3", headers={"Accept": "application/vnd.pgrst.array+json;nulls=stripped"})

    assert one.json() == {"id": 3, "name": "Atlantis"}
    assert one.headers["content-type"] == f"{OBJECT};nulls=stripped; charset=utf-8"
    assert many.json() == [{"id": 3, "name": "Atlantis"}]


async def test_csv_quotes_only_what_needs_it(atlas: Client) -> None:
    answer = await atlas.get("/rivers?select=id,name,tags,grade,open&order=id", headers={"Accept": "text/csv"})

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text == (
        "id,name,tags,grade,open\n"
        '1,Baker,"{cold,blue}","[3,5)",t\n'
        '2,Futaleufú,{cold},"[4,6)",t\n'
        '3,Sjoa,{},"[2,4)",f\n'
        '4,"Lost (River)","{""a,b""}",,'
    )


async def test_csv_of_nothing_is_its_header(atlas: Client) -> None:
    answer = await atlas.get("/countries?id=eq.99", headers={"Accept": "text/csv"})

    assert answer.text == "id,name,code"


@pytest.mark.parametrize("query", ["", "Up=eq.8"])
async def test_csv_quotes_odd_names_in_its_header(atlas: Client, query: str) -> None:
    answer = await atlas.get(f'/odd?select="q\\"q","x,y",the name&{query}', headers={"Accept": "text/csv"})

    assert answer.text.partition("\n")[0] == '"q""q","x,y",the name'


async def test_csv_keeps_a_backslash_single(own_atlas: Client) -> None:
    await own_atlas.post("/countries", json={"id": 9, "name": 'a\\b "c"\nd'})

    answer = await own_atlas.get("/countries?id=eq.9&select=name", headers={"Accept": "text/csv"})

    assert answer.text == 'name\n"a\\b ""c""\nd"'


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("text/html, */*;q=0.1", "application/json; charset=utf-8"),
        ("text/csv;q=0.5, application/json", "application/json; charset=utf-8"),
        ("application/json;q=0.5, text/csv", "text/csv; charset=utf-8"),
    ],
)
async def test_the_favourite_that_we_have_is_chosen(atlas: Client, accept: str, content_type: str) -> None:
    answer = await atlas.get("/countries", headers={"Accept": accept})

    assert answer.headers["content-type"] == content_type


async def test_an_unknown_form_is_refused(atlas: Client) -> None:
    answer = await atlas.get("/countries", headers={"Accept": "image/png, audio/ogg"})

    assert answer.status_code == 406
    assert answer.json()["code"] == "PGRST107"
    assert answer.json()["message"] == "None of these media types are available: image/png, audio/ogg"


async def test_nobody_has_a_thousand_favourites(atlas: Client) -> None:
    answer = await atlas.get("/countries", headers={"Accept": "image/png," * 1000 + "*/*"})

    assert answer.status_code == 406
    assert answer.json()["message"].count("image/png") == 100


PLAN = "application/vnd.pgrst.plan"


async def test_a_plan_is_what_postgres_would_do(atlas: Client) -> None:
    text = await atlas.get("/countries", headers={"Accept": f'{PLAN}+text; for="application/json"; options=verbose;'})
    json = await atlas.get("/countries?id=eq.1", headers={"Accept": f"{PLAN}+json"})

    assert text.text.startswith("Aggregate  (cost=")
    assert "Output:" in text.text
    kind = f'{PLAN}+text; for="application/json"; options=verbose; charset=utf-8'
    assert text.headers["content-type"] == kind
    assert json.json()[0]["Plan"]["Node Type"] == "Aggregate"


async def test_who_asks_how_does_not_mean_it_yet(own_atlas: Client) -> None:
    analyzed = {"Accept": f"{PLAN}+text; options=analyze|buffers"}

    answer = await own_atlas.post("/countries", json={"id": 9, "name": "Utopia"}, headers=analyzed)

    assert "actual" in answer.text
    assert (await own_atlas.get("/countries?id=eq.9")).json() == []


async def test_a_plan_is_not_for_everybody(client: Client) -> None:
    answer = await client.get("/waiver_sessions", headers={"Accept": f"{PLAN}+text"})

    assert (answer.status_code, answer.json()["code"]) == (406, "PGRST107")


async def test_features_need_a_database_that_makes_them(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """The function stands in for the one PostGIS brings; what it returns is what it would."""
    await admin.execute("create table public.huts (id int); insert into public.huts values (1)")
    await admin.execute("grant select on public.huts to anon")
    refused = await client.get("/huts", headers={"Accept": "application/geo+json"})

    await admin.execute("""
        create function public.st_asgeojson(feature record) returns text language plpgsql immutable as
        $$ begin return json_build_object('type', 'Feature', 'properties', to_json(feature)); end $$
    """)
    answer = await client.get("/huts", headers={"Accept": "application/geo+json"})

    assert (refused.status_code, refused.json()["code"]) == (406, "PGRST107")
    assert answer.headers["content-type"] == "application/geo+json; charset=utf-8"
    assert answer.json() == {
        "type": "FeatureCollection",
        "features": [{"type": "Feature", "properties": {"id": 1}}],
    }
