"""Functions that decide about their own answer, and what cannot be said over HTTP."""

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


@pytest.mark.parametrize(("said", "heard"), HEADERS)
async def test_a_header_of_a_function_stands_in_place_of_ours(atlas: Client, said: str, heard: dict[str, str]) -> None:
    answer = await atlas.post("/rpc/says", json={"status": "", "headers": said})

    assert (answer.status_code, answer.json()) == (200, "said")
    assert {name: answer.headers[name] for name in heard} == heard
    assert not {"transfer-encoding", "access-control-allow-origin"} & answer.headers.keys()


BROKEN_HEADERS = ['{"a": "b"}', '[["a"]]', "5", "no json", '[{"a": 1}]', '[{"": "b"}]', '[{"X A": "b"}]',
                  r'[{"X-A": "b\r\nEvil: 1"}]', r'[{"X-A": "\u0001"}]']  # fmt: skip


@pytest.mark.parametrize("said", BROKEN_HEADERS)
async def test_what_is_no_header_is_a_fault_of_the_function(atlas: Client, said: str) -> None:
    answer = await atlas.post("/rpc/says", json={"status": "", "headers": said})

    assert (answer.status_code, answer.json()["code"]) == (500, "PGRST111")
    assert "evil" not in answer.headers


@pytest.mark.parametrize("said", ["x", "-1", "0", "100", "199", "600", "٢٠٠"])
async def test_what_is_no_status_is_a_fault_of_the_function(atlas: Client, said: str) -> None:
    answer = await atlas.post("/rpc/says", json={"status": said, "headers": ""})

    assert (answer.status_code, answer.json()["code"]) == (500, "PGRST112")


@pytest.mark.parametrize("said", ["204", "304"])
async def test_a_status_without_a_body_has_none(atlas: Client, said: str) -> None:
    answer = await atlas.post("/rpc/says", json={"status": said, "headers": ""})

    assert (answer.status_code, answer.content) == (int(said), b"")
    assert "content-length" not in answer.headers


REFUSED: list[tuple[Any, Any]] = [
    ({"code": "A", "message": "m"}, {"status": 99999, "headers": {}}),
    ({"code": "A", "message": "m"}, {"status": 100, "headers": {}}),
    ({"code": "A", "message": "m"}, {"status": None, "headers": {}}),
    ({"code": 1, "message": "m"}, {"status": 400, "headers": {}}),
    ({"code": "A", "message": None}, {"status": 400, "headers": {}}),
    ({"code": "A", "message": "m"}, {"status": 400, "headers": {"X A": "b"}}),
    ({"code": "A", "message": "m"}, {"status": 400, "headers": {"X-A": "b\nc"}}),
    ([1], [1]),
]


@pytest.mark.parametrize(("said", "how"), REFUSED)
async def test_a_refusal_that_cannot_be_said_is_a_fault_of_the_function(atlas: Client, said: Any, how: Any) -> None:
    words = {"code": "PGRST", "words": json.dumps(said), "more": json.dumps(how)}
    answer = await atlas.post("/rpc/refuse", json=words)

    assert (answer.status_code, answer.json()["code"]) == (500, "PGRST121")


async def test_words_of_a_refusal_break_out_of_no_header(atlas: Client) -> None:
    said = {"code": "A\r\nB: 1", "message": 'm"\r\nX: "日'}
    words = {"code": "PGRST", "words": json.dumps(said), "more": '{"status": 401, "headers": {}}'}
    answer = await atlas.post("/rpc/refuse", json=words)

    assert answer.json() == {**said, "details": None, "hint": None}
    assert answer.headers["proxy-status"] == "Cairn; error=A''B: 1"
    assert answer.headers["www-authenticate"].endswith("""error_description="m'''X: ''\"""")


@pytest.mark.parametrize("code", ["PT000", "PT099", "PT100", "PT600", "PT999"])
async def test_a_code_that_is_no_status_is_a_fault_of_the_function(atlas: Client, code: str) -> None:
    answer = await atlas.post("/rpc/refuse", json={"code": code, "words": "x"})

    assert (answer.status_code, answer.json()["code"]) == (500, code)
