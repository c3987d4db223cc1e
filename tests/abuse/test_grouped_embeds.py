"""F4: a query with aggregates and embedded rows obeys the response limit, even if the response has no body.

F4 is a finding in docs/security.md.
"""

import pytest

from cairn.db import Database
from cairn.rest import RestSettings
from tests.abuse.test_large_rows import rosa_with_large_templates
from tests.people import Person

SMALL_LIMIT = RestSettings(max_response_bytes=20_000)
"""Three of Rosa's templates with 8,000 characters each are too large together, and one is not."""

AGGREGATE = "select=id.count(),companies(waiver_templates(content))"
AGGREGATE_IN_EMBED = "select=id,companies(id.count(),waiver_templates(content))"
AGGREGATE_IN_INNER_EMBED = "select=id,companies!inner(id.count(),waiver_templates(content))"
ORDER_BY_AGGREGATED_EMBED = "select=id,companies(id,count:id.count(),waiver_templates(content))&order=companies(id)"
REQUESTS = {
    "body": ("GET", "count=none", f"{AGGREGATE}&limit=1"),
    "no body": ("HEAD", "count=none", AGGREGATE),
    "no body, aggregate in an embed": ("HEAD", "count=none", AGGREGATE_IN_EMBED),
    "no body, aggregate in an inner embed": ("HEAD", "count=none", AGGREGATE_IN_INNER_EMBED),
    "no body, order by an embed with an aggregate": ("HEAD", "count=none", ORDER_BY_AGGREGATED_EMBED),
    "count without a body": ("HEAD", "count=exact", f"{AGGREGATE}&limit=0"),
    "count without rows": ("GET", "count=exact", f"{AGGREGATE}&limit=0"),
    "count without rows, aggregate in an inner embed": ("GET", "count=exact", f"{AGGREGATE_IN_INNER_EMBED}&limit=0"),
}


@pytest.mark.parametrize(("method", "preference", "query"), REQUESTS.values(), ids=REQUESTS)
async def test_f4_texts_of_embedded_rows_beside_an_aggregate_are_limited(
    database: Database, rosa: Person, method: str, preference: str, query: str
) -> None:
    path = f"/waiver_templates?company_id=eq.{rosa.company}&{query}"
    async with rosa_with_large_templates(database, rosa, SMALL_LIMIT) as client:
        response = await client.request(method, path, headers={"Prefer": preference})

    assert response.status_code == 400


@pytest.mark.parametrize("query", ["select=id.count()", "select=id,companies(name)", AGGREGATE_IN_EMBED + "&limit=0"])
async def test_f4_aggregates_without_texts_are_not_limited(database: Database, rosa: Person, query: str) -> None:
    async with rosa_with_large_templates(database, rosa, RestSettings(max_response_bytes=100)) as client:
        response = await client.head(f"/waiver_templates?{query}", headers={"Prefer": "count=exact"})

    assert response.status_code < 300
