"""Sends thousands of malformed requests from a seeded generator. None of them may cause a server error."""

import asyncio
import json
import re
from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from cairn.auth import AuthSettings, Keyring, service
from cairn.db import Database
from cairn.kit import now
from tests.auth.visitor import PASSWORD, Visitor, json_of

REQUEST_COUNT = 10_000
MAX_CONCURRENT_REQUESTS = 8
ROSA = "rosa@rio-rafting.example"

TEXTS = [
    "", " ", "a", "\x00", "a\x00b", "\\u0000", "'; drop table auth.users; --", "{0}", "%s", "%00", "../..",
    "ä" * 50, "😀", "x" * 300, "x" * 5000, "null", "true", "-1", "1e400", "9" * 40, ROSA, ROSA.upper(),
    "gil@example.com", "a@b", "@", "+41791234567", "41791234567", "+", "12", PASSWORD, "short", "pkce_",
    "pkce_" + "a" * 56, "a" * 56, "123456", "3f2b8f0e-52e5-4b5d-9c0e-0a3c3f0e8d11", "24h", "none", "1h30m", "5x",
    "999999999999h", "signup", "recovery", "email", "magiclink", "invite", "email_change", "email_change_new",
    "sms", "phone_change", "password", "refresh_token", "pkce", "id_token", "s256", "plain", "company", "customer",
    "service_role", "authenticated", "global", "others", "whatsapp", "https://evil.example/", "http://127.0.0.1/",
    "http://[bad", "javascript:alert(1)", "\n", "\r\nX: y", "$argon2id$v=19$m=19456,t=2,p=1$abc$def",
]  # fmt: skip
FIELDS = [
    "email", "phone", "password", "data", "type", "token", "token_hash", "refresh_token", "auth_code", "code_verifier",
    "code_challenge", "code_challenge_method", "create_user", "channel", "gotrue_meta_security", "redirect_to", "nonce",
    "current_password", "app_metadata", "user_metadata", "ban_duration", "role", "id", "email_confirm", "phone_confirm",
    "should_soft_delete", "new_email", "password_hash",
    "provider", "id_token", "access_token", "link_identity", "factor_type", "friendly_name",
    "issuer", "challenge_id", "code", "webauthn", "provider_id", "domain", "metadata_xml", "domains",
    "attribute_mapping", "company_id", "skip_http_redirect",
]  # fmt: skip
QUERY_PARAMETERS = [
    "provider", "state", "code", "error", "scopes", "code_challenge", "role", "skip_http_redirect",
    "grant_type", "scope", "redirect_to", "page", "per_page", "filter", "token", "token_hash", "type", "apikey",
]  # fmt: skip


# Valid bodies for most endpoints. The generator adds or replaces some of their fields.
VALID_BODIES: dict[str, dict[str, Any]] = {
    "/signup": {"email": "guest@example.com", "password": PASSWORD, "data": {}},
    "/token": {"email": ROSA, "password": PASSWORD, "refresh_token": "a" * 20, "auth_code": "x", "code_verifier": "y"},
    "/user": {"data": {"boat": "red"}},
    "/otp": {"email": ROSA},
    "/magiclink": {"email": "guest@example.com", "create_user": True},
    "/verify": {"type": "email", "token_hash": "a" * 56},
    "/recover": {"email": ROSA},
    "/resend": {"type": "signup", "email": ROSA},
    "/invite": {"email": "guest@example.com"},
    "/admin/generate_link": {"type": "magiclink", "email": ROSA},
    "/admin/users": {"email": "guest@example.com"},
    "/admin/users/{user_id}": {"user_metadata": {"boat": "red"}},
    "/sso": {"domain": "rio-rafting.example", "skip_http_redirect": True},
    "/factors": {"factor_type": "totp", "friendly_name": "app"},
    "/factors/{factor_id}/verify": {"challenge_id": "3f2b8f0e-52e5-4b5d-9c0e-0a3c3f0e8d11", "code": "123456"},
    "/factors/recovery_codes/verify": {"code": "abcd-efgh-jkmn-pqrs"},
    "/admin/sso/providers": {"metadata_xml": "<a/>", "domains": ["rio-rafting.example"]},
}


class BadRequests:
    """Generates malformed requests. The same seed yields the same requests."""

    def __init__(self, seed: int, tokens: list[str], user_id: str) -> None:
        self._random = Random(seed)  # noqa: S311 - the requests must be reproducible
        self._user_id = user_id
        self._tokens = tokens

    def request(self, client: httpx.AsyncClient, method: str, path: str) -> httpx.Request:
        body = self._body(VALID_BODIES.get(path, {}))
        ids = [self._text()]
        if method != "DELETE":
            # Later requests need this user, so it is never deleted.
            ids.append(self._user_id)
        path = re.sub(r"\{\w+\}", lambda _: quote(self._random.choice(ids), safe="") or "x", path)
        query = {name: self._text() for name in self._random.sample(QUERY_PARAMETERS, self._random.randrange(4))}
        if path == "/token" and self._random.random() < 0.8:
            query["grant_type"] = self._random.choice(["password", "refresh_token", "pkce", "id_token"])
        headers = {"Authorization": f"Bearer {self._random.choice(self._tokens)}"}
        if self._random.random() < 0.3:
            headers["X-Supabase-Api-Version"] = "2024-01-01"
        if self._random.random() < 0.1:
            headers["content-type"] = "application/x-www-form-urlencoded"
        return client.build_request(method, path, params=query, content=body, headers=headers)

    def _body(self, valid: dict[str, Any]) -> bytes:
        """Mostly returns the valid body with some fields replaced, and sometimes other JSON or no JSON at all."""
        random_number = self._random.random()
        if random_number < 0.05:
            return self._random.randbytes(self._random.randrange(60))
        if random_number < 0.1:
            return json.dumps(self._value(0)).encode()
        field_names = self._random.sample(FIELDS, self._random.randrange(8))
        body = {**(valid if random_number < 0.7 else {}), **{name: self._field(name) for name in field_names}}
        raw = json.dumps(body).encode()
        return raw if random_number < 0.9 else raw[: self._random.randrange(len(raw) + 1)]

    def _field(self, name: str) -> Any:
        """Returns a value that mostly has the right type, so that some requests get past validation."""
        if self._random.random() < 0.15:
            return self._value(0)
        if name in ("data", "app_metadata", "user_metadata", "gotrue_meta_security"):
            metadata = [{}, {"role": self._text()}, {"name": self._value(1)}, {"company_id": self._value(1)}]
            return {self._text(): self._value(1), **self._random.choice(metadata)}
        if name in ("create_user", "email_confirm", "phone_confirm", "should_soft_delete"):
            return self._random.random() < 0.5
        return self._text()

    def _text(self) -> str:
        return self._random.choice(TEXTS)

    def _value(self, depth: int) -> Any:
        kinds: list[Any] = [self._text(), None, True, 0, -1, 1.5, 10**30, [], {}]
        if depth < 3:
            kinds += [[self._value(depth + 1)], {self._text(): self._value(depth + 1)}]
        return self._random.choice(kinds)


@pytest.mark.slow
async def test_no_bad_request_causes_a_server_error(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    rate_limits = {name: 10**6 for name in type(settings).model_fields if name.startswith("rate_limit_")}
    features: dict[str, Any] = {"external_phone_enabled": True, "external_anonymous_users_enabled": True}
    features |= {"manual_linking": True, "saml": True}
    features |= {"smtp_max_frequency": timedelta(milliseconds=1), "sms_max_frequency": timedelta(milliseconds=1)}
    app = service(database, keyring, settings.model_copy(update={**rate_limits, **features}))
    assert isinstance(app, Starlette)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn.test") as client:
        rosa = json_of(await Visitor(client).sign_up(ROSA))["user"]["id"]
        gil = json_of(await Visitor(client).sign_up("gil@example.com"))["user"]["id"]
        # This token belongs to no session, so none of the requests can end it.
        user_token = keyring.access_token({"sub": rosa}, now())
        tokens = ["", "a.b.c", keyring.anon_key, keyring.service_key, keyring.service_key, user_token, user_token]
        requests = BadRequests(2026, tokens, gil)
        all_routes = [route for route in app.routes if isinstance(route, Route)]
        routes = [
            (method, route.path) for route in all_routes for method in sorted((route.methods or set()) - {"HEAD"})
        ]
        assert len(routes) >= 40, "every endpoint is covered"
        responses = await _send(
            client, [requests.request(client, *routes[n % len(routes)]) for n in range(REQUEST_COUNT)]
        )

    statuses = Counter(response.status_code for response in responses)
    server_errors = [(response.request.method, response.request.url, response.request.content, response.text)
              for response in responses if response.status_code >= 500]  # fmt: skip
    assert server_errors == []
    assert all("Traceback" not in response.text for response in responses)
    assert len(responses) == REQUEST_COUNT
    assert statuses[200] > 100, "some requests must get past validation for the test to mean anything"
    assert statuses[400] > 1000


async def _send(client: httpx.AsyncClient, requests: list[httpx.Request]) -> list[httpx.Response]:
    semaphore = asyncio.Semaphore(MAX_CONCURRENT_REQUESTS)

    async def send_one(request: httpx.Request) -> httpx.Response:
        async with semaphore:
            return await client.send(request)

    return await asyncio.gather(*map(send_one, requests))
