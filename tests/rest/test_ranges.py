"""Responses report the range of a page, the total number of rows, and whether the result was truncated."""

import pytest

from tests.rest.conftest import Client, error_body

PAGES = [
    ("", {}, 200, "0-3/*", 4),
    ("limit=2", {}, 200, "0-1/*", 2),
    ("limit=2&offset=3", {}, 200, "3-3/*", 1),
    ("limit=0", {}, 200, "*/*", 0),
    ("offset=9", {}, 200, "*/*", 0),
    ("", {"Range": "1-2"}, 200, "1-2/*", 2),
    ("", {"Range": "2-", "Range-Unit": "items"}, 200, "2-3/*", 2),
    ("limit=3", {"Range": "1-9"}, 200, "1-2/*", 2),
    ("offset=1", {"Range": "0-2"}, 200, "1-2/*", 2),
    ("limit=2&offset=1", {"Range": "0-"}, 200, "1-2/*", 2),
    ("limit=0", {"Range": "2-3"}, 200, "*/*", 0),
    ("limit=999999999999999999", {"Range": "3-999999999999999999"}, 200, "3-3/*", 1),
    ("", {"Range": "nonsense"}, 200, "0-3/*", 4),
    ("", {"Prefer": "count=exact"}, 200, "0-3/4", 4),
    ("limit=2", {"Prefer": "count=exact"}, 206, "0-1/4", 2),
    ("limit=2&offset=2", {"Prefer": "count=exact"}, 206, "2-3/4", 2),
    ("id=gt.2", {"Prefer": "count=exact"}, 200, "0-1/2", 2),
    ("id=gt.9", {"Prefer": "count=exact"}, 200, "*/0", 0),
    ("offset=4", {"Prefer": "count=exact"}, 206, "*/4", 0),
    ("limit=3", {"Prefer": "count=estimated"}, 206, "0-2/4", 3),
]


@pytest.mark.accept("REST-21")
@pytest.mark.parametrize(("query", "headers", "status", "content_range", "row_count"), PAGES)
async def test_a_page_reports_its_range(
    atlas: Client, query: str, headers: dict[str, str], status: int, content_range: str, row_count: int
) -> None:
    response = await atlas.get(f"/rivers?order=id&{query}", headers=headers)

    assert (response.status_code, response.headers["content-range"]) == (status, content_range)
    assert len(response.json()) == row_count


async def test_head_returns_the_count_without_rows(atlas: Client) -> None:
    response = await atlas.head("/rivers?select=*", headers={"Prefer": "count=exact"})

    assert (response.status_code, response.headers["content-range"], response.content) == (200, "0-3/4", b"")
    assert response.headers["preference-applied"] == "count=exact"
    # The length of the GET response is unknown, and any other length would be wrong.
    assert "content-length" not in response.headers


@pytest.mark.parametrize("count", ["planned", "estimated"])
async def test_a_short_list_is_counted_exactly(atlas: Client, count: str) -> None:
    """An estimate is not used even if it is requested, because it includes rows that row-level security hides."""
    list_response = await atlas.get("/rivers?id=lt.4&select=id&limit=1", headers={"Prefer": f"count={count}"})
    call_response = await atlas.get("/rpc/numbers?up_to=7&limit=2", headers={"Prefer": f"count={count}"})

    assert (list_response.json(), list_response.headers["content-range"]) == ([{"id": 1}], "0-0/3")
    assert call_response.headers["content-range"] == "0-1/7"


async def test_a_page_beyond_the_end_reports_the_number_of_rows(atlas: Client) -> None:
    response = await atlas.get("/rivers?offset=5", headers={"Prefer": "count=exact"})

    assert response.status_code == 416
    assert response.headers["content-range"] == "*/4"
    assert response.json() == error_body(
        "PGRST103", "Requested range not satisfiable", "An offset of 5 was requested, but there are only 4 rows."
    )


@pytest.mark.parametrize("query", ["limit=-1", "offset=-2"])
async def test_negative_limits_and_offsets_are_rejected(atlas: Client, query: str) -> None:
    assert (await atlas.get(f"/rivers?{query}")).status_code == 416


async def test_a_range_whose_end_is_before_its_start_is_rejected(atlas: Client) -> None:
    assert (await atlas.get("/rivers", headers={"Range": "3-1"})).status_code == 416


async def test_a_range_and_a_limit_without_common_rows_are_rejected(atlas: Client) -> None:
    response = await atlas.get("/rivers?limit=1", headers={"Range": "1-3"})

    assert (response.status_code, response.json()["code"]) == (416, "PGRST103")
    assert "no row in common" in response.json()["details"]


async def test_a_truncated_result_is_reported(writable_atlas: Client) -> None:
    await writable_atlas.post("/countries", json=[{"id": n, "name": f"Land {n}"} for n in range(10, 130)])

    truncated = await writable_atlas.get("/countries?select=id")
    limited_by_client = await writable_atlas.get("/countries?select=id&limit=100")
    estimated = await writable_atlas.get("/countries?select=id", headers={"Prefer": "count=estimated"})

    assert len(truncated.json()) == 100
    assert truncated.headers["preference-applied"] == "max-rows=100"
    assert "preference-applied" not in limited_by_client.headers
    assert len((await writable_atlas.get("/rpc/numbers?up_to=120")).json()) == 100
    assert int(estimated.headers["content-range"].partition("/")[2]) > 100


async def test_a_truncated_embed_is_reported(writable_atlas: Client) -> None:
    await writable_atlas.post("/rivers", json=[{"name": f"Brook {n}", "country_id": 3} for n in range(120)])

    truncated = await writable_atlas.get("/countries?select=name,rivers(name)&order=id")
    spread = await writable_atlas.get("/countries?select=...rivers(id)&id=eq.3")
    limited_by_client = await writable_atlas.get("/countries?select=name,rivers(name)&rivers.limit=100")
    complete = await writable_atlas.get("/countries?select=name,rivers(name)&id=lt.3")
    count_only = await writable_atlas.get("/countries?select=rivers(count)&id=eq.3")
    updated = await writable_atlas.patch(
        "/countries?select=rivers(id)&id=eq.3", json={"code": "AT"}, headers={"Prefer": "return=representation"}
    )

    assert [len(country["rivers"]) for country in truncated.json()] == [2, 1, 100]
    assert truncated.headers["preference-applied"] == "max-rows=100"
    assert (len(spread.json()[0]["id"]), spread.headers["preference-applied"]) == (100, "max-rows=100")
    assert len(updated.json()[0]["rivers"]) == 100
    assert updated.headers["preference-applied"] == "return=representation, max-rows=100"
    assert count_only.json() == [{"rivers": [{"count": 120}]}]
    for response in (limited_by_client, complete, count_only):
        assert "preference-applied" not in response.headers
