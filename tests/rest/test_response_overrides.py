"""A function can set the status and headers of its response. Invalid values are rejected."""

import json
from typing import Any

import pytest

from tests.rest.conftest import Client

HEADERS: list[tuple[str, dict[str, str]]] = [
    ('[{"X-Leaf": "mint"}, {"X-Cup": "blue"}]', {"x-leaf": "mint", "x-cup": "blue"}),
    ('[{"content-type": "text/tea"}]', {"content-type": "text/tea"}),
    ('[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]', {"set-cookie": "a=1, b=2"}),
    ('[{"Content-Length": "2"}, {"Transfer-Encoding": "chunked"}, {"Connection": "close"}]', {"content-length": "6"}),
    ('[{"Access-Control-Allow-Origin": "https://one.example"}]', {}),
]


@pytest.mark.parametrize(("headers", "expected"), HEADERS)
async def test_headers_set_by_a_function_replace_those_of_the_server(
    atlas: Client, headers: str, expected: dict[str, str]
) -> None:
    response = await atlas.post("/rpc/set_response", json={"status": "", "headers": headers})

    assert (response.status_code, response.json()) == (200, "done")
    assert {name: response.headers[name] for name in expected} == expected
    assert not {"transfer-encoding", "access-control-allow-origin"} & response.headers.keys()


INVALID_HEADERS = ['{"a": "b"}', '[["a"]]', "5", "no json", '[{"a": 1}]', '[{"": "b"}]', '[{"X A": "b"}]',
                  r'[{"X-A": "b\r\nEvil: 1"}]', r'[{"X-A": "\u0001"}]']  # fmt: skip


@pytest.mark.parametrize("headers", INVALID_HEADERS)
async def test_an_invalid_header_of_a_function_is_a_500(atlas: Client, headers: str) -> None:
    response = await atlas.post("/rpc/set_response", json={"status": "", "headers": headers})

    assert (response.status_code, response.json()["code"]) == (500, "PGRST111")
    assert "evil" not in response.headers


@pytest.mark.parametrize("status", ["x", "-1", "0", "100", "199", "600", "٢٠٠"])
async def test_an_invalid_status_of_a_function_is_a_500(atlas: Client, status: str) -> None:
    response = await atlas.post("/rpc/set_response", json={"status": status, "headers": ""})

    assert (response.status_code, response.json()["code"]) == (500, "PGRST112")


@pytest.mark.parametrize("status", ["204", "304"])
async def test_a_204_or_304_response_has_no_body(atlas: Client, status: str) -> None:
    response = await atlas.post("/rpc/set_response", json={"status": status, "headers": ""})

    assert (response.status_code, response.content) == (int(status), b"")
    assert "content-length" not in response.headers


INVALID_ERRORS: list[tuple[Any, Any]] = [
    ({"code": "A", "message": "m"}, {"status": 99999, "headers": {}}),
    ({"code": "A", "message": "m"}, {"status": 100, "headers": {}}),
    ({"code": "A", "message": "m"}, {"status": None, "headers": {}}),
    ({"code": 1, "message": "m"}, {"status": 400, "headers": {}}),
    ({"code": "A", "message": None}, {"status": 400, "headers": {}}),
    ({"code": "A", "message": "m"}, {"status": 400, "headers": {"X A": "b"}}),
    ({"code": "A", "message": "m"}, {"status": 400, "headers": {"X-A": "b\nc"}}),
    ([1], [1]),
]


@pytest.mark.parametrize(("error", "detail"), INVALID_ERRORS)
async def test_an_invalid_error_response_of_a_function_is_a_500(atlas: Client, error: Any, detail: Any) -> None:
    body = {"code": "PGRST", "message": json.dumps(error), "detail": json.dumps(detail)}
    response = await atlas.post("/rpc/refuse", json=body)

    assert (response.status_code, response.json()["code"]) == (500, "PGRST121")


async def test_an_error_message_cannot_inject_headers(atlas: Client) -> None:
    error = {"code": "A\r\nB: 1", "message": 'm"\r\nX: "日'}
    body = {"code": "PGRST", "message": json.dumps(error), "detail": '{"status": 401, "headers": {}}'}
    response = await atlas.post("/rpc/refuse", json=body)

    assert response.json() == {**error, "details": None, "hint": None}
    assert response.headers["proxy-status"] == "Cairn; error=A''B: 1"
    assert response.headers["www-authenticate"].endswith("""error_description="m'''X: ''\"""")


@pytest.mark.parametrize("code", ["PT000", "PT099", "PT100", "PT600", "PT999"])
async def test_an_error_code_that_is_not_a_status_is_a_500(atlas: Client, code: str) -> None:
    response = await atlas.post("/rpc/refuse", json={"code": code, "message": "x"})

    assert (response.status_code, response.json()["code"]) == (500, code)
