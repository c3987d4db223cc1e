"""The OpenAPI document describes what the caller may use, and nothing else."""

from collections.abc import Callable

import asyncpg
import httpx

from cairn.db import Database
from cairn.rest import RestSettings, service
from tests.cast import Person
from tests.rest.conftest import Callbacks, Client

Headers = Callable[[Person], dict[str, str]]


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


async def test_only_what_the_caller_may_use_is_described(client: Client, rosa: Person, headers_for: Headers) -> None:
    stranger = (await client.get("/")).json()
    company = (await client.get("/", headers=headers_for(rosa))).json()

    assert "/companies" not in stranger["paths"]
    assert set(stranger["paths"]["/signed_waivers"]) == {"get", "post"}
    assert set(company["paths"]["/companies"]) == {"get", "patch"}
    assert "/rpc/waiver_directory" in company["paths"]
    assert "/rpc/waiver_directory" not in stranger["paths"]


async def test_every_reference_resolves(atlas: Client) -> None:
    document = (await atlas.get("/")).json()

    def references(part: object) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
            return own + [found for inner in part.values() for found in references(inner)]
        return [found for inner in part for found in references(inner)] if isinstance(part, list) else []

    found = references(document)
    assert len(found) > 100
    for reference in found:
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


async def test_an_operator_may_disable_the_description(database: Database, callbacks: Callbacks) -> None:
    settings = RestSettings(openapi=False)
    data = service(database, principal_of=callbacks.principal_of, settings=settings, after_write=callbacks.after_write)
    async with Client(transport=httpx.ASGITransport(app=data), base_url="http://cairn.test") as client:
        response = await client.get("/")

    assert (response.status_code, response.json()["code"]) == (404, "PGRST126")
