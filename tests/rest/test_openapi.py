"""The OpenAPI document describes the tables and functions that the caller may use, and no others."""

import asyncpg

from cairn.db import Database
from cairn.rest import RestSettings
from tests.people import Person
from tests.rest.conftest import Callbacks, Client, HeadersFor, client_for, rest_app


async def test_the_root_describes_the_tables(atlas: Client) -> None:
    response = await atlas.get("/")
    document = response.json()

    assert response.headers["content-type"] == "application/openapi+json; charset=utf-8"
    assert document["swagger"] == "2.0"
    assert set(document["paths"]["/rivers"]) == {"get", "post", "patch", "delete"}
    assert document["definitions"]["rivers"]["properties"]["country_id"] == {
        "format": "integer",
        "type": "integer",
        "description": "Note:\nThis is a Foreign Key to `countries.id`.<fk table='countries' column='id'/>",
    }
    assert document["definitions"]["rivers"]["properties"]["tags"]["type"] == "array"
    assert "<pk/>" in document["definitions"]["rivers"]["properties"]["id"]["description"]


async def test_the_root_describes_the_functions(atlas: Client) -> None:
    paths = (await atlas.get("/")).json()["paths"]

    assert set(paths["/rpc/add"]) == {"get", "post"}
    assert set(paths["/rpc/rename"]) == {"post"}
    assert paths["/rpc/add"]["post"]["parameters"][0]["schema"]["required"] == ["a"]


async def test_tables_and_functions_without_privileges_are_not_described(
    client: Client, rosa: Person, headers_for: HeadersFor
) -> None:
    strangers_document = (await client.get("/")).json()
    companys_document = (await client.get("/", headers=headers_for(rosa))).json()

    assert "/companies" not in strangers_document["paths"]
    assert set(strangers_document["paths"]["/signed_waivers"]) == {"get", "post"}
    assert set(companys_document["paths"]["/companies"]) == {"get", "patch"}
    assert "/rpc/waiver_directory" in companys_document["paths"]
    assert "/rpc/waiver_directory" not in strangers_document["paths"]


async def test_every_reference_resolves(atlas: Client) -> None:
    document = (await atlas.get("/")).json()

    def references(part: object) -> list[str]:
        if isinstance(part, dict):
            direct = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
            return direct + [reference for inner in part.values() for reference in references(inner)]
        return [reference for inner in part for reference in references(inner)] if isinstance(part, list) else []

    all_references = references(document)
    assert len(all_references) > 100
    for reference in all_references:
        _, kind, name = reference.split("/")
        assert name in document[kind], reference


async def test_comments_of_the_database_become_descriptions(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await admin.execute("create table public.huts (id int); grant select on public.huts to anon")
    await admin.execute(
        "comment on table public.huts is 'To sleep in'; comment on column public.huts.id is 'Number of the hut'"
    )
    assert (await client.get("/huts")).json() == []

    hut = (await client.get("/")).json()["definitions"]["huts"]

    assert (hut["description"], hut["properties"]["id"]["description"]) == ("To sleep in", "Number of the hut")


async def test_the_root_is_read_only(client: Client) -> None:
    assert (await client.head("/")).status_code == 200
    assert (await client.options("/")).headers["allow"] == "GET,HEAD,OPTIONS"
    assert (await client.post("/", json={})).json()["code"] == "PGRST117"
    assert (await client.get("/", headers={"Accept": "text/csv"})).json()["code"] == "PGRST107"


async def test_an_operator_can_disable_the_document(database: Database, callbacks: Callbacks) -> None:
    settings = RestSettings(openapi=False)
    app = rest_app(database, callbacks, settings)
    async with client_for(app) as client:
        response = await client.get("/")

    assert (response.status_code, response.json()["code"]) == (404, "PGRST126")
