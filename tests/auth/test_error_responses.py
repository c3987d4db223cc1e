import json
from collections.abc import AsyncIterator

import httpx
import pytest

from cairn.auth import AuthSettings, Keyring, service
from cairn.db import Database
from tests.auth.visitor import API_VERSION_HEADER, Visitor

WRONG_CREDENTIALS = {"email": "unknown@example.com", "password": "not a password"}


async def test_the_error_format_follows_the_requested_api_version(visitor: Visitor) -> None:
    older = await visitor.client.post("/token?grant_type=password", json=WRONG_CREDENTIALS)
    newer = await visitor.client.post("/token?grant_type=password", json=WRONG_CREDENTIALS, headers=API_VERSION_HEADER)

    assert older.json() == {"code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"}
    assert "x-supabase-api-version" not in older.headers
    assert newer.json() == {"code": "invalid_credentials", "message": "Invalid login credentials"}
    assert newer.headers["x-supabase-api-version"] == "2024-01-01"
    for response in (older, newer):
        assert response.headers["x-sb-error-code"] == "invalid_credentials"


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b"5", b'"text"', b"null", b"\xff", b'{"email": 5}', b'{"data": []}', b'{"data": {"a": NaN}}',
     b'{"data": {"a": 1e999}}', b'{"data": {"a": "\\ud800"}}', b'{"data":' * 400, b'{"password": {"secret": 1}}'],
)  # fmt: skip
async def test_a_malformed_body_is_refused(visitor: Visitor, raw: bytes) -> None:
    for method, path in (("POST", "/signup"), ("POST", "/token?grant_type=password")):
        response = await visitor.client.request(method, path, content=raw)
        if b"data" in raw and "token" in path:
            continue  # Signing in ignores this field.
        assert response.status_code == 400, (path, response.text)
        assert response.json()["error_code"] == "bad_json"
        assert response.json()["msg"].startswith("Could not parse request body as JSON: ")
        assert "secret" not in response.text


async def test_a_body_over_one_megabyte_is_refused_early(visitor: Visitor) -> None:
    bytes_read = 0

    async def endless_body() -> AsyncIterator[bytes]:
        nonlocal bytes_read
        while bytes_read < 100_000_000:
            bytes_read += 100_000
            yield b"x" * 100_000

    response = await visitor.client.post("/signup", content=endless_body())

    assert (response.status_code, response.json()["error_code"]) == (413, "request_entity_too_large")
    assert bytes_read < 2_000_000


async def test_an_unknown_path_or_method_is_reported_in_the_same_format(visitor: Visitor) -> None:
    unknown_path = await visitor.client.get("/nowhere")
    wrong_method = await visitor.client.delete("/user")

    assert (unknown_path.status_code, unknown_path.json()["error_code"]) == (404, "not_found")
    assert (wrong_method.status_code, wrong_method.json()["error_code"]) == (405, "method_not_allowed")


async def test_sign_up_can_be_disabled(database: Database, keyring: Keyring, settings: AuthSettings) -> None:
    settings_without_signup = settings.model_copy(update={"disable_signup": True})
    async with _client(database, keyring, settings_without_signup) as client:
        response = await client.post("/signup", json={"email": "rosa@rio.example", "password": "a good password"})
        public_settings = await client.get("/settings")

    assert (response.status_code, response.json()["error_code"]) == (422, "signup_disabled")
    assert public_settings.json()["disable_signup"] is True
    assert public_settings.json()["external"]["email"] is True


async def test_an_unexpected_error_is_reported_without_a_stack_trace(keyring: Keyring, settings: AuthSettings) -> None:
    unopened_database = Database("postgresql://nowhere")
    async with _client(unopened_database, keyring, settings) as client:
        response = await client.post("/token?grant_type=password", json=WRONG_CREDENTIALS)

    assert response.status_code == 500
    body = response.json()
    assert len(body.pop("error_id")) == 32
    assert body == {"code": 500, "error_code": "unexpected_failure", "msg": "Something went wrong."}


async def test_health_names_the_service(visitor: Visitor) -> None:
    response = await visitor.client.get("/health")
    assert set(response.json()) == {"version", "name", "description"}
    assert json.loads(response.content)["name"] == "Cairn Auth"


def _client(database: Database, keyring: Keyring, settings: AuthSettings) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=service(database, keyring, settings), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://cairn.test")
