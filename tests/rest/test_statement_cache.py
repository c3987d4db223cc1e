"""Questions asked again: understood once, and never answered with what another request brought."""

import json
from uuid import UUID

import httpx
import pytest

from cairn.db import SERVICE, Database
from cairn.rest import service
from cairn.rest.grammar import select
from cairn.rest.plan import make_plan
from cairn.rest.request import HttpRequest, media, parse_request, prefer
from cairn.rest.request.body import parse_body
from cairn.rest.run import Expectation
from cairn.rest.settings import RestSettings
from cairn.rest.statement import build_statement
from cairn.rest.statement_cache import PreparedRequest, StatementCache, cache_key
from cairn.rest.transaction_settings import FixedSettings, fixed_settings
from tests.rest.conftest import Client, Door
from tests.rest.test_sql import CATALOG

CACHES = (select._parse_cached, prefer._parse_cached, media._parse_cached)
BACK = {"Prefer": "return=representation"}


def posting(body: object, path: str = "/trips") -> HttpRequest:
    return HttpRequest("POST", path, "", "", {"content-type": "application/json"}, "", json.dumps(body).encode())


def prepared(request: HttpRequest) -> PreparedRequest:
    parsed = parse_request(request.method, request.path, request.query, request.headers, body=request.body)
    plan = make_plan(CATALOG, parsed, aggregates=True, max_rows=None)
    statement = build_statement(plan, parsed.media, with_body=False)
    return PreparedRequest(CATALOG, parsed, plan, statement, Expectation(), fixed_settings(parsed, RestSettings()))


async def test_the_same_columns_again_bring_other_values(own_atlas: Client) -> None:
    for id_, name in ((7, "Peru"), (8, "Iran"), (9, "Laos")):
        answer = await own_atlas.post("/countries?select=id,name", json={"id": id_, "name": name}, headers=BACK)
        assert answer.json() == [{"id": id_, "name": name}]


async def test_other_columns_or_another_number_of_rows_are_another_question(own_atlas: Client) -> None:
    for body in (
        {"id": 7, "name": "Peru"},
        [{"id": 8, "name": "Iran"}],
        [{"id": 9, "name": "Laos"}, {"id": 10, "name": "Mali"}],
        [],
        {"id": 11, "name": "Fiji", "code": "FJ"},
    ):
        rows = body if isinstance(body, list) else [body]
        answer = await own_atlas.post("/countries?select=id,name,code", json=body, headers=BACK)
        assert answer.json() == [{"code": None, **row} for row in rows]


async def test_an_argument_left_out_of_a_call_is_another_question(own_atlas: Client) -> None:
    both = await own_atlas.post("/rpc/add", json={"a": 2, "b": 3})
    again = await own_atlas.post("/rpc/add", json={"a": 20, "b": 30})
    one = await own_atlas.post("/rpc/add", json={"a": 20})
    wrong = await own_atlas.post("/rpc/add", json={"a": 20, "c": 30})

    assert (both.json(), again.json(), one.json(), wrong.status_code) == (5, 50, 30, 404)


@pytest.mark.parametrize("body", [{"id": 7, "name": "Peru"}, [{"name": "Peru"}, {"name": "Iran"}], {}])
def test_nothing_of_a_body_is_kept(body: object) -> None:
    request = posting(body)
    key, payload = cache_key(request)
    cache = StatementCache()
    cache.put(key, prepared(request))

    assert "Peru" not in repr(cache._entries)
    cached = cache.get(key, payload, CATALOG)
    assert cached is not None
    assert payload is not None
    assert cached.statement == prepared(request).statement
    assert cached.current_request() == prepared(request).parsed


def test_a_body_that_was_only_skimmed_is_not_remembered() -> None:
    key, payload = cache_key(posting([{"id": number, "name": "x" * 1000} for number in range(100)]))
    assert (key, payload) == (None, None)


def test_a_broken_body_is_left_to_be_refused() -> None:
    broken = HttpRequest("POST", "/countries", "", "", {}, "", b"{")
    assert cache_key(broken) == (None, None)


def test_lists_of_any_length_with_the_same_columns_are_one_question() -> None:
    shapes = {parse_body(json.dumps([{"id": 1}] * count).encode(), "").shape for count in (2, 3, 50)}
    assert len(shapes) == 1


@pytest.mark.parametrize(
    ("query", "headers"),
    [("select=" + "id," * 1000 + "id", {}), ("", {"prefer": "x," * 3000}), ("", {"accept": "*/*," * 2000})],
)
def test_what_is_too_long_to_be_asked_twice_is_not_kept(query: str, headers: dict[str, str]) -> None:
    parse_request("GET", "/trips", "", {})
    before = [cache.cache_info().currsize for cache in CACHES]
    key, _ = cache_key(HttpRequest("GET", "/trips", "", query, headers, "", b""))
    cache = StatementCache()
    parsed = parse_request("GET", "/trips", query, headers)
    plan = make_plan(CATALOG, parsed, aggregates=True, max_rows=None)
    statement = build_statement(plan, parsed.media, with_body=True)
    cache.put(key, PreparedRequest(CATALOG, parsed, plan, statement, Expectation(), FixedSettings({}, by_id=False)))

    assert cache._entries == {}
    assert [cache.cache_info().currsize for cache in CACHES] == before


async def test_postgres_keeps_no_endless_statement(login_url: str, door: Door) -> None:
    """Each of thousands of filters costs it a kilobyte, for as long as the connection lives."""
    longest = "select max(length(statement))::text from pg_prepared_statements"
    async with Database(login_url, pool_size=1) as database:
        app = service(database, principal_of=door.principal_of, settings=RestSettings(), after_write=door.after_write)
        async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client:
            for number in range(3):
                filters = "&".join(f"id=neq.{UUID(int=number)}" for number in range(number, number + 900))
                assert (await client.get(f"/waiver_sessions?{filters}")).status_code == 200
        by_trip = await database.run_statement(SERVICE, {}, longest, ())
        async with database.acting_as(SERVICE) as connection:
            by_pool = await connection.fetchval(longest)

    assert max(int(by_trip[0] or 0), int(by_pool or 0)) < 16_000
