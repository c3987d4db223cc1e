"""Functions are called by POST, GET and HEAD, and return every kind of result."""

from typing import Any

import pytest

from tests.rest.conftest import Callbacks, Client, error_body, get_json

POST_CALLS: list[tuple[str, Any, Any]] = [
    ("/rpc/add", {"a": 1, "b": 2}, 3),
    ("/rpc/add", {"a": 1}, 11),
    ("/rpc/add", {"a": "5"}, 15),
    ("/rpc/numbers", {"up_to": 3}, [1, 2, 3]),
    ("/rpc/country_by_id", {"wanted_id": 1}, {"id": 1, "name": "Chile", "code": "CL"}),
    ("/rpc/country_by_id?select=code", {"wanted_id": 1}, {"code": "CL"}),
    ("/rpc/longer_than?select=name&order=name.desc&limit=1", {"km": 1}, [{"name": "Sjoa"}]),
    ("/rpc/longer_than?select=name&name=eq.Baker", {"km": 1}, [{"name": "Baker"}]),
    ("/rpc/pairs", {}, [{"a": 1, "b": "x"}, {"a": 2, "b": None}]),
    ("/rpc/pairs?a=eq.2&select=b", {}, [{"b": None}]),
    ("/rpc/total", {"numbers": [1, 2, 3]}, 6),
    ("/rpc/echo", {"any": [1, {"thing": None}]}, {"any": [1, {"thing": None}]}),
    ("/rpc/echo", [1, 2], [1, 2]),
    ("/rpc/echo", {"": 1}, {"": 1}),
    ("/rpc/keys_of", {"b": 1, "": 2}, ["", "b"]),
    ("/rpc/shout", {"": "hello"}, '{"":"HELLO"}'),
    ("/rpc/count_bytes", {"": "\\"}, 9),
    ("/rpc/whisper", {}, "nothing"),
    ("/rpc/whisper", {"": "LOUD"}, '{"":"loud"}'),
    ("/rpc/murmur", {"": "LOUD"}, '{"":"loud"}'),
    ("/rpc/rename", {"river_id": 1, "new_name": "Nef"}, None),
]


@pytest.mark.parametrize(("url", "body", "expected"), POST_CALLS)
async def test_a_function_is_called_with_named_arguments(
    writable_atlas: Client, url: str, body: Any, expected: Any
) -> None:
    response = await writable_atlas.post(url, json=body)

    assert response.status_code == 200, response.text
    if expected is None:
        assert response.json()[0]["name"] == "Nef"
    else:
        assert response.json() == expected


GET_CALLS: list[tuple[str, Any]] = [
    ("/rpc/add?a=1&b=2", 3),
    ("/rpc/total?numbers=1&numbers=2", 3),
    ("/rpc/total?numbers={1,2}", 3),
    ("/rpc/longer_than?km=100&select=id&id=eq.1", [{"id": 1}]),
    ("/rpc/longer_than?km=100&or=(id.eq.2,id.eq.9)&select=id", [{"id": 2}]),
    ("/rpc/pairs?a=gt.1", [{"a": 2, "b": None}]),
    ("/rpc/shout?=hello", "HELLO"),
    ("/rpc/whisper", "nothing"),
    ("/rpc/numbers?up_to=9&limit=2&offset=3", [4, 5]),
    ("/rpc/numbers?up_to=9&limit=2&select=anything", [1, 2]),
    ("/rpc/country_by_id?wanted_id=1&id=eq.2", None),
]


@pytest.mark.parametrize(("url", "expected"), GET_CALLS)
async def test_arguments_may_be_in_the_query_string(atlas: Client, url: str, expected: Any) -> None:
    assert await get_json(atlas, url) == expected


async def test_a_void_function_returns_no_content(writable_atlas: Client, callbacks: Callbacks) -> None:
    response = await writable_atlas.post("/rpc/nothing")

    assert (response.status_code, response.content) == (204, b"")
    assert "content-type" not in response.headers
    assert callbacks.write_count == 1


async def test_a_set_is_counted_and_paged_like_a_table(atlas: Client) -> None:
    response = await atlas.get("/rpc/longer_than?km=1&limit=1", headers={"Prefer": "count=exact"})
    head = await atlas.head("/rpc/numbers?up_to=7", headers={"Prefer": "count=exact"})
    page = await atlas.get("/rpc/numbers?up_to=7", headers={"Prefer": "count=exact", "Range": "2-3"})

    assert (response.status_code, response.headers["content-range"]) == (206, "0-0/3")
    assert (head.status_code, head.headers["content-range"], head.content) == (200, "0-6/7", b"")
    assert (page.status_code, page.headers["content-range"], page.json()) == (206, "2-3/7", [3, 4])


async def test_scalar_values_have_a_column_name_only_in_csv(atlas: Client) -> None:
    csv = {"Accept": "text/csv"}

    assert (await atlas.get("/rpc/numbers?up_to=2", headers=csv)).text == "numbers\n1\n2"
    assert (await atlas.get("/rpc/numbers?up_to=0", headers=csv)).text == "numbers"
    assert (await atlas.get("/rpc/add?a=5", headers=csv)).text == "add\n15"


@pytest.mark.parametrize("query", ["up_to=2&nope=eq.1", "up_to=2&order=numbers", "up_to=2&or=(a.eq.1,b.eq.2)"])
async def test_scalar_values_cannot_be_filtered_or_ordered(atlas: Client, query: str) -> None:
    response = await atlas.get(f"/rpc/numbers?{query}")

    assert (response.status_code, response.json()["code"]) == (400, "42703")


async def test_a_get_cannot_write(writable_atlas: Client, callbacks: Callbacks) -> None:
    response = await writable_atlas.get("/rpc/rename?river_id=1&new_name=Nef")

    assert (response.status_code, response.json()["code"]) == (405, "25006")
    assert callbacks.write_count == 0


@pytest.mark.parametrize(
    ("function", "content_type", "body", "expected"),
    [
        ("shout", "text/plain", "hello", "HELLO"),
        ("count_bytes", "application/octet-stream", "\\x00", 4),
        ("whisper", "text/plain", "LOUD", "loud"),
    ],
)
async def test_a_body_that_is_not_json_is_passed_as_a_single_argument(
    atlas: Client, function: str, content_type: str, body: str, expected: Any
) -> None:
    response = await atlas.post(f"/rpc/{function}", content=body, headers={"Content-Type": content_type})

    assert response.json() == expected


async def test_an_xml_body_is_passed_as_a_single_argument(atlas: Client) -> None:
    response = await atlas.post("/rpc/flat", content="<a>1</a>", headers={"Content-Type": "text/xml"})

    # The embedded PostgreSQL is built without libxml, and refuses the value only after the function was found.
    assert response.json() == "<a>1</a>" or response.json()["message"] == "unsupported XML feature"


@pytest.mark.parametrize(
    ("function", "body"), [("double", {"": 2}), ("scale", {"": 2, "by": 3}), ("greeting", {"": 1})]
)
async def test_other_arguments_without_a_name_are_not_exposed(atlas: Client, function: str, body: Any) -> None:
    called = await atlas.post(f"/rpc/{function}", json=body)
    document = (await atlas.get("/")).json()

    assert (called.status_code, called.json()["code"]) == (404, "PGRST202")
    assert f"/rpc/{function}" not in document["paths"]


async def test_an_argument_without_a_name_is_named_in_the_error(atlas: Client) -> None:
    response = await atlas.post("/rpc/double", json={"": 2})

    assert response.json() == error_body(
        "PGRST202",
        "Could not find the function atlas.double() in the schema cache",
        "Searched for the function atlas.double with parameter  or with a single unnamed json/jsonb parameter, "
        "but no matches were found in the schema cache.",
    )


async def test_a_function_may_set_status_and_headers(atlas: Client) -> None:
    response = await atlas.post("/rpc/teapot")

    assert (response.status_code, response.json(), response.headers["x-leaf"]) == (418, "short and stout", "mint")


async def test_a_function_can_read_the_request_but_no_credentials(atlas: Client) -> None:
    request_settings = (
        await atlas.get(
            "/rpc/request_settings",
            headers={"X-Trip": "7", "apikey": "anon", "Authorization": "Bearer anon", "Prefer": "timezone=Asia/Tokyo"},
        )
    ).json()

    assert (request_settings["method"], request_settings["zone"], request_settings["path"]) == (
        "GET",
        "Asia/Tokyo",
        '"atlas"',
    )
    assert request_settings["headers"]["x-trip"] == "7"
    assert not {"apikey", "authorization"} & request_settings["headers"].keys()


async def test_an_unknown_function_gets_a_hint_with_a_similar_name(atlas: Client) -> None:
    response = await atlas.post("/rpc/longer_then", json={"km": 1, "b": 2})

    assert response.status_code == 404
    assert response.json() == error_body(
        "PGRST202",
        "Could not find the function atlas.longer_then(b, km) in the schema cache",
        "Searched for the function atlas.longer_then with parameters b, km or with a single unnamed json/jsonb "
        "parameter, but no matches were found in the schema cache.",
        "Perhaps you meant to call the function atlas.longer_than",
    )


async def test_unknown_arguments_get_a_hint_with_the_existing_ones(atlas: Client) -> None:
    unknown_response = await atlas.get("/rpc/add?a=1&c=2")
    missing_response = await atlas.get("/rpc/add")

    assert unknown_response.json()["message"] == "Could not find the function atlas.add(a, c) in the schema cache"
    assert unknown_response.json()["hint"] == "Perhaps you meant to call the function atlas.add(a, b)"
    assert (
        missing_response.json()["message"]
        == "Could not find the function atlas.add without parameters in the schema cache"
    )


AMBIGUOUS_CALLS: list[tuple[str, Any, str]] = [
    ("twin", {"a": 1}, "atlas.twin(a => integer), atlas.twin(a => text)"),
    ("murmur", {}, "atlas.murmur(), atlas.murmur( => text)"),
    ("guess", {"any": 1}, "atlas.guess( => json), atlas.guess( => jsonb)"),
    (
        "ladder",
        {},
        "atlas.ladder(a => text), atlas.ladder(z => integer), atlas.ladder(b => integer, a => integer)",
    ),
]


@pytest.mark.parametrize(("function", "body", "candidates"), AMBIGUOUS_CALLS)
async def test_ambiguous_overloads_are_rejected(atlas: Client, function: str, body: Any, candidates: str) -> None:
    response = await atlas.post(f"/rpc/{function}", json=body)

    assert response.status_code == 300
    assert response.json() == error_body(
        "PGRST203",
        f"Could not choose the best candidate function between: {candidates}",
        None,
        "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
    )


async def test_max_affected_needs_a_function_that_returns_rows(atlas: Client) -> None:
    headers = {"Prefer": "handling=strict, max-affected=2"}

    scalar = await atlas.post("/rpc/add", json={"a": 1}, headers=headers)
    three_rows = await atlas.post("/rpc/numbers", json={"up_to": 3}, headers=headers)
    two_rows = await atlas.post("/rpc/numbers", json={"up_to": 2}, headers=headers)

    assert scalar.json()["code"] == "PGRST128"
    assert three_rows.json()["code"] == "PGRST124"
    assert two_rows.json() == [1, 2]
