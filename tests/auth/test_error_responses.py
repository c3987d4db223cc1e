import json
from collections.abc import AsyncIterator

import httpx
import pytest

from cairn.auth import AuthSettings, Keyring, service
from cairn.db import Database
from tests.auth.visitor import NEWER, Visitor

WRONG = {"email": "nobody@example.com", "password": "not a password"}


async def test_each_client_gets_the_body_it_reads(visitor: Visitor) -> None:
    older = await visitor.client.post("/token?grant_type=password", json=WRONG)
    newer = await visitor.client.post("/token?grant_type=password", json=WRONG, headers=NEWER)

    assert older.json() == {"code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"}
    assert "x-supabase-api-version" not in older.headers
    assert newer.json() == {"code": "invalid_credentials", "message": "Invalid login credentials"}
    assert newer.headers["x-supabase-api-version"] == "2024-01-01"
    for answer in (older, newer):
        assert answer.headers["x-sb-error-code"] == "invalid_credentials"


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b"5", b'"text"', b"null", b"\xff", b'{"email": 5}', b'{"data": []}', b'{"data": {"a": NaN}}',
     b'{"data": {"a": 1e999}}', b'{"data": {"a": "\\ud800"}}', b'{"data":' * 400, b'{"password": {"secret": 1}}'],
)  # fmt: skip
async def test_a_body_that_says_nothing_is_refused(visitor: Visitor, raw: bytes) -> None:
    for method, path in (("POST", "/signup"), ("POST", "/token?grant_type=password")):
        answer = await visitor.client.request(method, path, content=raw)
        if b"data" in raw and "token" in path:
            continue  # Signing in knows no such field, and ignores it.
        assert answer.status_code == 400, (path, answer.text)
        assert answer.json()["error_code"] == "bad_json"
        assert answer.json()["msg"].startswith("Could not parse request body as JSON: ")
        assert "secret" not in answer.text


async def test_a_body_beyond_a_megabyte_is_refused_before_it_is_read_whole(visitor: Visitor) -> None:
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while read < 100_000_000:
            read += 100_000
            yield b"x" * 100_000

    answer = await visitor.client.post("/signup", content=endless())

    assert (answer.status_code, answer.json()["error_code"]) == (413, "request_entity_too_large")
    assert read < 2_000_000


async def test_an_address_that_does_not_exist_says_so_in_the_same_words(visitor: Visitor) -> None:
    nowhere = await visitor.client.get("/nowhere")
    wrong_method = await visitor.client.delete("/user")

    assert (nowhere.status_code, nowhere.json()["error_code"]) == (404, "not_found")
    assert (wrong_method.status_code, wrong_method.json()["error_code"]) == (405, "method_not_allowed")


async def test_a_closed_house_signs_nobody_up(database: Database, keyring: Keyring, settings: AuthSettings) -> None:
    closed = settings.model_copy(update={"disable_signup": True})
    async with _client(database, keyring, closed) as client:
        answer = await client.post("/signup", json={"email": "rosa@rio.example", "password": "a good password"})
        shown = await client.get("/settings")

    assert (answer.status_code, answer.json()["error_code"]) == (422, "signup_disabled")
    assert shown.json()["disable_signup"] is True
    assert shown.json()["external"]["email"] is True


async def test_a_bug_is_owned_up_to_without_a_trace(keyring: Keyring, settings: AuthSettings) -> None:
    never_opened = Database("postgresql://nowhere")
    async with _client(never_opened, keyring, settings) as client:
        answer = await client.post("/token?grant_type=password", json=WRONG)

    assert answer.status_code == 500
    body = answer.json()
    assert len(body.pop("error_id")) == 32
    assert body == {"code": 500, "error_code": "unexpected_failure", "msg": "Something went wrong."}


async def test_health_names_the_service(visitor: Visitor) -> None:
    answer = await visitor.client.get("/health")
    assert set(answer.json()) == {"version", "name", "description"}
    assert json.loads(answer.content)["name"] == "Cairn Auth"


def _client(database: Database, keyring: Keyring, settings: AuthSettings) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=service(database, keyring, settings), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://cairn.test")
