"""Repeated requests are planned once, and never use the body of another request."""

import json

import pytest

from cairn.db import SERVICE, Database
from cairn.rest.cost import Cost
from cairn.rest.grammar import select
from cairn.rest.plan import make_plan
from cairn.rest.request import HttpRequest, media, parse_request, prefer
from cairn.rest.request.body import parse_body
from cairn.rest.run import Expectation
from cairn.rest.settings import RestSettings
from cairn.rest.statement import build_statement
from cairn.rest.statement_cache import CacheKey, PreparedRequest, StatementCache, cache_key
from cairn.rest.transaction_settings import FixedSettings, fixed_settings
from tests.rest.conftest import Callbacks, Client, client_for, rest_app
from tests.rest.test_sql import CATALOG

PARSER_CACHES = (select._parse_cached, prefer._parse_cached, media._parse_cached)
RETURN_ROWS = {"Prefer": "return=representation"}
INSERT = Cost("insert", read_only=False)


def post_request(body: object, path: str = "/trips") -> HttpRequest:
    return HttpRequest("POST", path, "", "", {"content-type": "application/json"}, "", json.dumps(body).encode())


def prepare(request: HttpRequest) -> PreparedRequest:
    parsed = parse_request(request.method, request.path, request.query, request.headers, body=request.body)
    plan = make_plan(CATALOG, parsed, aggregates=True, max_rows=None)
    statement = build_statement(plan, parsed.media, with_body=False)
    fixed = fixed_settings(parsed, INSERT, RestSettings())
    return PreparedRequest(CATALOG, parsed, plan, statement, Expectation(), fixed, INSERT)


async def test_a_cached_statement_writes_the_values_of_the_new_body(writable_atlas: Client) -> None:
    for id_, name in ((7, "Peru"), (8, "Iran"), (9, "Laos")):
        response = await writable_atlas.post(
            "/countries?select=id,name", json={"id": id_, "name": name}, headers=RETURN_ROWS
        )
        assert response.json() == [{"id": id_, "name": name}]


async def test_a_body_of_another_shape_uses_another_statement(writable_atlas: Client) -> None:
    for body in (
        {"id": 7, "name": "Peru"},
        [{"id": 8, "name": "Iran"}],
        [{"id": 9, "name": "Laos"}, {"id": 10, "name": "Mali"}],
        [],
        {"id": 11, "name": "Fiji", "code": "FJ"},
    ):
        rows = body if isinstance(body, list) else [body]
        response = await writable_atlas.post("/countries?select=id,name,code", json=body, headers=RETURN_ROWS)
        assert response.json() == [{"code": None, **row} for row in rows]


async def test_a_call_without_an_optional_argument_uses_another_statement(writable_atlas: Client) -> None:
    two_arguments = await writable_atlas.post("/rpc/add", json={"a": 2, "b": 3})
    other_values = await writable_atlas.post("/rpc/add", json={"a": 20, "b": 30})
    one_argument = await writable_atlas.post("/rpc/add", json={"a": 20})
    unknown_argument = await writable_atlas.post("/rpc/add", json={"a": 20, "c": 30})

    assert (two_arguments.json(), other_values.json(), one_argument.json(), unknown_argument.status_code) == (
        5,
        50,
        30,
        404,
    )


@pytest.mark.parametrize("body", [{"id": 7, "name": "Peru"}, [{"name": "Peru"}, {"name": "Iran"}], {}])
def test_the_cache_stores_no_part_of_a_body(body: object) -> None:
    request = post_request(body)
    key, payload = cache_key(request)
    cache = StatementCache()
    cache.put(key, prepare(request))

    assert "Peru" not in repr(cache._entries)
    cached = cache.get(key, payload, CATALOG)
    assert cached is not None
    assert payload is not None
    assert cached.statement == prepare(request).statement
    assert cached.current_request() == prepare(request).parsed


def test_a_body_that_was_only_scanned_is_not_cached() -> None:
    key, payload = cache_key(post_request([{"id": number, "name": "x" * 1000} for number in range(100)]))
    assert key is None
    assert payload is not None, "the body is not parsed again"


def test_a_malformed_body_has_no_cache_key() -> None:
    request = HttpRequest("POST", "/countries", "", "", {}, "", b"{")
    assert cache_key(request) == (None, None)


def test_lists_of_any_length_with_the_same_columns_share_a_statement() -> None:
    shapes = {parse_body(json.dumps([{"id": 1}] * row_count).encode(), "").shape for row_count in (2, 3, 50)}
    assert len(shapes) == 1


LONG_SELECT = "select=" + ",".join(f"{character * 500}:id" for character in "abcde")


@pytest.mark.parametrize(
    ("query", "headers"),
    [(LONG_SELECT, {}), ("", {"prefer": "x," * 3000}), ("", {"accept": "*/*," * 2000})],
)
def test_long_queries_and_headers_are_not_cached(query: str, headers: dict[str, str]) -> None:
    parse_request("GET", "/trips", "", {})
    sizes_before = [parser_cache.cache_info().currsize for parser_cache in PARSER_CACHES]

    assert cached_entries(query, headers) == {}
    assert [parser_cache.cache_info().currsize for parser_cache in PARSER_CACHES] == sizes_before


def cached_entries(query: str, headers: dict[str, str]) -> dict[CacheKey, PreparedRequest]:
    key, _ = cache_key(HttpRequest("GET", "/trips", "", query, headers, "", b""))
    cache = StatementCache()
    parsed = parse_request("GET", "/trips", query, headers)
    plan = make_plan(CATALOG, parsed, aggregates=True, max_rows=None)
    statement = build_statement(plan, parsed.media, with_body=True)
    fixed = FixedSettings({}, by_id=False, timeouts={})
    cache.put(key, PreparedRequest(CATALOG, parsed, plan, statement, Expectation(), fixed, INSERT))
    return cache._entries


def test_18a1_a_short_query_that_becomes_a_long_statement_is_not_cached() -> None:
    """18A1 is a finding in docs/security.md."""
    embeds = "select=" + ",".join(f"g{number}:guides!inner(id)" for number in range(45))

    assert len(cached_entries(embeds, {})) == 1
    assert cached_entries(f"{embeds}&order={','.join(['g0(id)'] * 100)}", {}) == {}


async def test_very_long_statements_do_not_stay_prepared(login_url: str, callbacks: Callbacks) -> None:
    """A prepared statement with hundreds of filters would use about a kilobyte of memory for each filter."""
    longest_statement_query = "select max(length(statement))::text from pg_prepared_statements"
    async with Database(login_url, pool_size=1) as database:
        app = rest_app(database, callbacks)
        async with client_for(app) as client:
            for start in range(3):
                fields = [f"details->>{'a' * 40}{number}" for number in range(start, start + 290)]
                filters = "&".join(f"{field}=is.null" for field in fields)
                response = await client.get(f"/waiver_events?{filters}", headers={"Authorization": "Bearer service"})
                assert response.status_code == 200, response.text
        pipeline_row = await database.run_statement(SERVICE, {}, longest_statement_query, ())
        async with database.acting_as(SERVICE) as connection:
            pool_length = await connection.fetchval(longest_statement_query)

    assert max(int(pipeline_row[0] or 0), int(pool_length or 0)) < 16_000
