from collections.abc import MutableMapping
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from cairn.auth import ApiKeyGate, Keyring
from tests.abuse.test_slow_parsing import count_steps, least_seconds
from tests.auth.visitor import Visitor, json_of


async def protected_app(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("passed")(scope, receive, send)


def open_client(keyring: Keyring, *, required: bool = True) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=ApiKeyGate(protected_app, keyring, required))
    return httpx.AsyncClient(transport=transport, base_url="http://cairn.test")


async def test_a_request_needs_a_project_key(keyring: Keyring) -> None:
    async with open_client(keyring) as client:
        for key in (keyring.anon_key, keyring.service_key):
            assert (await client.get("/rest/v1/x", headers={"apikey": key})).text == "passed"
            assert (await client.get("/rest/v1/x", params={"apikey": key})).text == "passed"

        response = await client.get("/rest/v1/x", headers={"Authorization": f"Bearer {keyring.anon_key}"})

    assert response.status_code == 401
    assert response.json() == {
        "message": "No API key found in request",
        "hint": "No `apikey` request header or url param was found.",
    }


@pytest.mark.parametrize(
    "query", ["x=1&apikey={}", "apikey={}&x=1", "xapikey=y&apikey={}&apikeyx=z", "apikey=y&apikey={}"]
)
async def test_18a4_the_key_is_found_among_other_parameters(keyring: Keyring, query: str) -> None:
    async with open_client(keyring) as client:
        assert (await client.get(f"/rest/v1/x?{query.format(keyring.anon_key)}")).text == "passed"
        assert (await client.get(f"/rest/v1/x?{query.format('z')}")).json()["message"] == "Invalid API key"


@pytest.mark.timing
@pytest.mark.parametrize(
    "query",
    ["a&" * 64_000, "a=%" * 40_000, "apikey=" + "%" * 120_000],
    ids=["many parameters", "escapes", "a long key"],
)
async def test_18a4_a_request_without_a_key_takes_little_time(keyring: Keyring, query: str) -> None:
    """18A4 is a finding in docs/security.md: the parameters of strangers were all parsed to look for the key."""
    scope = {"type": "http", "method": "GET", "path": "/rest/v1/x", "headers": [], "query_string": query.encode()}
    gate = ApiKeyGate(protected_app, keyring)

    assert least_seconds(lambda: expect_refusal(gate, scope)) < 2 * least_seconds(count_steps)


def expect_refusal(gate: ApiKeyGate, scope: Scope) -> None:
    assert gate._error_response(scope) is not None


async def test_a_wrong_key_is_refused_even_if_keys_are_optional(visitor: Visitor, keyring: Keyring) -> None:
    rosa = json_of(await visitor.sign_up("rosa@rio-rafting.example"))
    for required in (True, False):
        async with open_client(keyring, required=required) as client:
            for wrong_key in ("x", f"{keyring.anon_key}x", rosa["access_token"]):
                response = await client.get("/rest/v1/x", headers={"apikey": wrong_key})
                assert (response.status_code, response.json()["message"]) == (401, "Invalid API key")


async def test_a_request_without_a_key_passes_if_keys_are_optional(keyring: Keyring) -> None:
    async with open_client(keyring, required=False) as client:
        assert (await client.get("/rest/v1/x")).text == "passed"


@pytest.mark.parametrize(
    "link",
    [
        "verify",
        "callback",
        "authorize",
        "sso/saml/metadata",
        ".well-known/jwks.json",
        ".well-known/openid-configuration",
        "health",
    ],
)
async def test_links_need_no_key(keyring: Keyring, link: str) -> None:
    async with open_client(keyring) as client:
        assert (await client.get(f"/auth/v1/{link}?token=x")).text == "passed"
        assert (await client.post(f"/auth/v1/{link}")).status_code == 401
        assert (await client.get(f"/auth/v1/user/../{link}x")).status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "object/public/b/a.png", 200),
        ("HEAD", "object/sign/b/a.png?token=x", 200),
        ("GET", "render/image/public/b/a.png", 200),
        ("PUT", "object/upload/sign/b/a.png?token=x", 200),
        ("POST", "upload/resumable/sign", 200),
        ("PATCH", "upload/resumable/sign/abc", 200),
        ("GET", "object/b/a.png", 401),
        ("GET", "object/authenticated/b/a.png", 401),
        ("POST", "object/sign/b/a.png", 401),
        ("POST", "object/upload/sign/b/a.png", 401),
        ("DELETE", "object/public/b/a.png", 401),
        ("PATCH", "upload/resumable/signal", 401),
    ],
)
async def test_only_public_and_signed_file_urls_need_no_key(
    keyring: Keyring, method: str, path: str, status: int
) -> None:
    async with open_client(keyring) as client:
        assert (await client.request(method, f"/storage/v1/{path}")).status_code == status


async def test_a_saml_response_is_accepted_without_a_key(keyring: Keyring) -> None:
    async with open_client(keyring) as client:
        assert (await client.post("/auth/v1/sso/saml/acs")).text == "passed"
        assert (await client.get("/auth/v1/sso/saml/acs")).status_code == 401
        assert (await client.post("/auth/v1/sso")).status_code == 401


async def test_a_preflight_request_passes(keyring: Keyring) -> None:
    async with open_client(keyring) as client:
        assert (await client.options("/rest/v1/x")).text == "passed"


@pytest.mark.parametrize(
    ("extensions", "first_message"),
    [({}, "websocket.close"), ({"websocket.http.response": {}}, "websocket.http.response.start")],
)
async def test_a_websocket_without_a_key_is_refused(
    keyring: Keyring, extensions: dict[str, Any], first_message: str
) -> None:
    sent_messages: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent_messages.append(message)

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "websocket.connect"}

    scope = {
        "type": "websocket",
        "path": "/realtime/v1/websocket",
        "query_string": b"vsn=1.0.0",
        "headers": [],
        "extensions": extensions,
    }
    await ApiKeyGate(protected_app, keyring)(scope, receive, send)

    assert sent_messages[0]["type"] == first_message
