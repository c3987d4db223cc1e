"""14A1 in docs/security.md: only casts to plain types are allowed. Others can turn a short text into a long number."""

import pytest

from tests.people import Person
from tests.rest.conftest import Client, HeadersFor

RESTRICTED_TYPES = ["jsonb", "json", "numeric", "decimal", "JSONB", "xml", "tsvector", "regclass", "jsonb[]", "text[]"]
RESTRICTED_CASTS = [
    *(f"/consent_texts?select=text::{name}" for name in RESTRICTED_TYPES),
    "/consent_texts?select=version,huge:text::jsonb",
    "/consent_texts?select=text::text.max()::jsonb",
    "/consent_texts?select=text::jsonb.count()",
    "/consent_texts?select=count()::numeric",
    "/consent_texts?select=count::numeric",
    "/waiver_sessions?select=id,companies(id,name::numeric)",
    "/waiver_sessions?select=id,...companies(name::numeric.max())",
]
PLAIN_TYPES = [
    "text", "varchar", "character varying", "character", "bool", "boolean", "int2", "smallint", "int", "int4",
    "integer", "bigint", "int8", "real", "float4", "float8", "double precision", "uuid", "date", "time", "timetz",
    "timestamp", "timestamp with time zone", "timestamptz", "interval",
]  # fmt: skip


@pytest.mark.parametrize("url", RESTRICTED_CASTS)
async def test_14a1_restricted_casts_are_refused(
    client: Client, rosa: Person, headers_for: HeadersFor, url: str
) -> None:
    # The later requests use the statement that was cached for the first one.
    by_service = await client.get(url, headers={"apikey": "service"})
    by_rosa = await client.get(url, headers=headers_for(rosa))
    by_stranger = await client.get(url)

    assert "cast_not_allowed" not in by_service.text
    for response in (by_rosa, by_stranger):
        assert (response.status_code, response.json()["code"]) == (400, "cast_not_allowed"), response.text
    assert "timestamptz" in by_rosa.json()["hint"]


@pytest.mark.parametrize("name", PLAIN_TYPES)
async def test_casts_to_plain_types_are_allowed(client: Client, name: str) -> None:
    response = await client.get("/consent_texts", params={"select": f"text::{name}", "limit": "0"})

    assert response.status_code == 200, response.text


async def test_14a1_a_cast_in_the_response_of_a_write_is_refused_before_anything_is_written(
    client: Client, rosa: Person, headers_for: HeadersFor
) -> None:
    url = f"/companies?id=eq.{rosa.company}&select=name::jsonb"
    headers = headers_for(rosa) | {"Prefer": "return=representation"}
    refused = await client.patch(url, json={"name": "1e131071"}, headers=headers)
    name = (await client.get(f"/companies?id=eq.{rosa.company}&select=name", headers=headers_for(rosa))).json()

    assert refused.json()["code"] == "cast_not_allowed"
    assert name != [{"name": "1e131071"}]
