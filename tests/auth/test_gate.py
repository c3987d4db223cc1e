from collections.abc import MutableMapping
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from cairn.auth import ApiKeyGate, Keyring
from tests.auth.visitor import Visitor, session_of


async def beyond(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("beyond the gate")(scope, receive, send)


def through(keyring: Keyring, *, required: bool = True) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=ApiKeyGate(beyond, keyring, required))
    return httpx.AsyncClient(transport=transport, base_url="http://cairn.test")


async def test_a_call_names_a_project_key(keyring: Keyring) -> None:
    async with through(keyring) as client:
        for key in (keyring.anon_key, keyring.service_key):
            assert (await client.get("/rest/v1/x", headers={"apikey": key})).text == "beyond the gate"
            assert (await client.get("/rest/v1/x", params={"apikey": key})).text == "beyond the gate"

        missing = await client.get("/rest/v1/x", headers={"Authorization": f"Bearer {keyring.anon_key}"})

    assert missing.status_code == 401
    assert missing.json() == {
        "message": "No API key found in request",
        "hint": "No `apikey` request header or url param was found.",
    }


async def test_a_wrong_key_opens_nothing_whether_or_not_one_is_required(visitor: Visitor, keyring: Keyring) -> None:
    rosa = session_of(await visitor.sign_up("rosa@rio-rafting.example"))
    for required in (True, False):
        async with through(keyring, required=required) as client:
            for wrong in ("x", f"{keyring.anon_key}x", rosa["access_token"]):
                answer = await client.get("/rest/v1/x", headers={"apikey": wrong})
                assert (answer.status_code, answer.json()["message"]) == (401, "Invalid API key")


async def test_where_keys_are_optional_a_call_without_one_passes(keyring: Keyring) -> None:
    async with through(keyring, required=False) as client:
        assert (await client.get("/rest/v1/x")).text == "beyond the gate"


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
async def test_links_are_opened_without_a_key(keyring: Keyring, link: str) -> None:
    async with through(keyring) as client:
        assert (await client.get(f"/auth/v1/{link}?token=x")).text == "beyond the gate"
        assert (await client.post(f"/auth/v1/{link}")).status_code == 401
        assert (await client.get(f"/auth/v1/user/../{link}x")).status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "object/public/b/a.png"),
        ("HEAD", "object/sign/b/a.png?token=x"),
        ("GET", "render/image/public/b/a.png"),
        ("PUT", "object/upload/sign/b/a.png?token=x"),
        ("POST", "upload/resumable/sign"),
        ("PATCH", "upload/resumable/sign/abc"),
    ],
)
async def test_addresses_of_files_are_opened_without_a_key(keyring: Keyring, method: str, path: str) -> None:
    async with through(keyring) as client:
        assert (await client.request(method, f"/storage/v1/{path}")).status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "object/b/a.png"),
        ("GET", "object/authenticated/b/a.png"),
        ("POST", "object/sign/b/a.png"),
        ("POST", "object/upload/sign/b/a.png"),
        ("DELETE", "object/public/b/a.png"),
        ("PATCH", "upload/resumable/signal"),
    ],
)
async def test_everything_else_about_files_needs_a_key(keyring: Keyring, method: str, path: str) -> None:
    async with through(keyring) as client:
        assert (await client.request(method, f"/storage/v1/{path}")).status_code == 401


async def test_an_identity_providers_form_is_taken_without_a_key(keyring: Keyring) -> None:
    async with through(keyring) as client:
        assert (await client.post("/auth/v1/sso/saml/acs")).text == "beyond the gate"
        assert (await client.get("/auth/v1/sso/saml/acs")).status_code == 401
        assert (await client.post("/auth/v1/sso")).status_code == 401


async def test_a_browsers_preflight_passes(keyring: Keyring) -> None:
    async with through(keyring) as client:
        assert (await client.options("/rest/v1/x")).text == "beyond the gate"


@pytest.mark.parametrize(
    ("extensions", "answered"),
    [({}, "websocket.close"), ({"websocket.http.response": {}}, "websocket.http.response.start")],
)
async def test_a_socket_without_a_key_is_not_opened(
    keyring: Keyring, extensions: dict[str, Any], answered: str
) -> None:
    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "websocket.connect"}

    scope = {
        "type": "websocket",
        "path": "/realtime/v1/websocket",
        "query_string": b"vsn=1.0.0",
        "headers": [],
        "extensions": extensions,
    }
    await ApiKeyGate(beyond, keyring)(scope, receive, send)

    assert sent[0]["type"] == answered
