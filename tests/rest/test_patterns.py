"""A3 in docs/security.md: regular expressions in filters are limited, because some take PostgreSQL very long.

B4 is a finding in docs/security.md.
"""

import pytest

from cairn.rest.cost import MAX_PATTERNS, cost_of
from cairn.rest.request import parse_request
from tests.people import Person
from tests.rest.conftest import Client, HeadersFor

PATTERN_FILTERS = [
    "text=match.^R",
    "text=not.imatch.^r",
    "text=match(any).{^R,^S}",
    "or=(text.imatch.^r,version.is.null)",
    "and=(version.not.is.null,or(not.and(text.match.^R,version.is.null),version.is.null))",
]
BACKREFERENCES = [
    r"text=match.^(.)\1",
    r'or=(text.imatch."^(.)\\1",version.is.null)',
    r"text=match(any).{^(.)\\1,^R}",
    r'text=match(all).{"^(.)\\1"}',
    r'text=match(all).{^(.)\\"1"}',
]
SERVICE_HEADERS = {"apikey": "service"}


@pytest.mark.parametrize("query", PATTERN_FILTERS)
async def test_a3_a_pattern_needs_an_account(client: Client, rosa: Person, headers_for: HeadersFor, query: str) -> None:
    signed_in = await client.get(f"/consent_texts?{query}", headers=headers_for(rosa))
    # The second request uses the statement that was cached for the first one.
    anonymous = await client.get(f"/consent_texts?{query}")

    assert signed_in.status_code == 200, signed_in.text
    assert (anonymous.status_code, anonymous.json()["code"]) == (403, "patterns_need_account"), anonymous.text


@pytest.mark.parametrize("query", BACKREFERENCES)
async def test_a3_a_backreference_is_refused(client: Client, rosa: Person, headers_for: HeadersFor, query: str) -> None:
    response = await client.get(f"/consent_texts?{query}", headers=headers_for(rosa))

    assert (response.status_code, response.json()["code"]) == (400, "backreferences_not_supported"), response.text


@pytest.mark.parametrize("form", ["or=({conditions})", "text=match(any).{{{patterns}}}"])
async def test_a3_the_number_of_patterns_is_limited(
    client: Client, rosa: Person, headers_for: HeadersFor, form: str
) -> None:
    for count, status in ((MAX_PATTERNS, 200), (MAX_PATTERNS + 1, 400)):
        patterns = [f"^R{number}" for number in range(count)]
        conditions = ",".join(f"text.match.{pattern}" for pattern in patterns)
        query = form.format(conditions=conditions, patterns=",".join(patterns))
        response = await client.get(f"/consent_texts?{query}", headers=headers_for(rosa))
        assert response.status_code == status, response.text
    assert response.json()["code"] == "too_many_patterns"


async def test_the_service_role_may_use_any_pattern(client: Client) -> None:
    response = await client.get(f"/consent_texts?{BACKREFERENCES[0]}", headers=SERVICE_HEADERS)

    assert response.status_code == 200, response.text


@pytest.mark.parametrize(
    ("method", "path", "query"),
    [
        ("GET", "/rivers", "select=id,countries(name)&countries.name=match.^R"),
        ("GET", "/rivers", "select=id,countries(name)&countries.or=(name.match.^R,id.eq.1)"),
        ("PATCH", "/rivers", "name=match.^R"),
        ("DELETE", "/rivers", "name=match.^R"),
        ("POST", "/rivers", "name=match.^R"),
        ("GET", "/rpc/rivers_of", "name=match.^R"),
        ("POST", "/rpc/rivers_of", "name=match.^R"),
    ],
)
def test_a3_patterns_are_found_in_every_kind_of_request(method: str, path: str, query: str) -> None:
    cost = cost_of(parse_request(method, path, query, {}, body=b'{"id":1}'), read_only=False)

    assert (cost.lane, cost.patterns) == ("pattern", ("^R",))


@pytest.mark.parametrize(
    ("method", "path", "body", "lane"),
    [
        ("GET", "/rivers", b"", "read"),
        ("HEAD", "/rivers", b"", "read"),
        ("PATCH", "/rivers", b'{"id":1}', "read"),
        ("POST", "/rpc/rivers_of", b'{"id":1}', "read"),
        ("POST", "/rivers", b'[{"id":1},{"id":2}]', "read"),
        ("POST", "/rivers", b'[{"id":1}]', "insert"),
        ("POST", "/rivers", b'{"id":1}', "insert"),
    ],
)
def test_only_an_insert_of_one_row_uses_the_lane_for_inserts(method: str, path: str, body: bytes, lane: str) -> None:
    parsed = parse_request(method, path, "", {}, body=body)

    assert cost_of(parsed, read_only=False).lane == lane


@pytest.mark.parametrize(("count", "lane"), [(3, "read"), (4, "pattern")])
def test_b4_requests_with_many_searches_run_one_at_a_time(count: int, lane: str) -> None:
    searches = ",".join(f"name.{operator}.river" for operator in ("fts", "plfts", "phfts", "wfts")[:count])
    parsed = parse_request("GET", "/rivers", f"or=({searches})", {})

    assert cost_of(parsed, read_only=True).lane == lane
