"""These property-based tests send arbitrary input. It must be refused with an error code, not cause a server error."""

import asyncio
import json
from typing import Any
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cairn.auth import Keyring
from tests.auth.mfa_client import enrol_app
from tests.auth.visitor import API_VERSION_HEADER, Visitor, bearer, json_of

FIELDS = [
    "provider",
    "id_token",
    "access_token",
    "nonce",
    "link_identity",
    "auth_code",
    "code_verifier",
    "factor_type",
    "friendly_name",
    "issuer",
    "phone",
    "challenge_id",
    "code",
    "webauthn",
    "credential_response",
    "provider_id",
    "domain",
    "redirect_to",
    "code_challenge",
    "code_challenge_method",
    "metadata_xml",
    "domains",
    "attribute_mapping",
    "company_id",
    "skip_http_redirect",
    "state",
    "role",
    "scopes",
    "error",
    "SAMLResponse",
    "RelayState",
]
TEXTS = st.text(max_size=40) | st.sampled_from(
    [
        "google",
        "totp",
        "webauthn",
        "phone",
        "true",
        "\x00",
        "٣",
        "a" * 43,
        "s256",
        "company",
        str(uuid4()),
        "<a/>",
        "PGEvPg==",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | TEXTS, inner, max_size=3),
    max_leaves=6,
)
BODIES = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6) | VALUES
QUERIES = st.dictionaries(st.sampled_from(FIELDS), TEXTS, max_size=6)
ENDPOINTS = [
    ("POST", "/token?grant_type=pkce"),
    ("POST", "/token?grant_type=id_token"),
    ("GET", "/authorize"),
    ("GET", "/callback"),
    ("GET", "/user/identities/authorize"),
    ("DELETE", "/user/identities/{id}"),
    ("POST", "/sso"),
    ("POST", "/sso/saml/acs"),
    ("POST", "/factors"),
    ("POST", "/factors/{id}/challenge"),
    ("POST", "/factors/{id}/verify"),
    ("DELETE", "/factors/{id}"),
    ("POST", "/factors/recovery_codes/verify"),
    ("GET", "/admin/users/{id}/factors"),
    ("DELETE", "/admin/users/{id}/factors/{id}"),
    ("POST", "/admin/sso/providers"),
    ("GET", "/admin/sso/providers/{id}"),
    ("DELETE", "/admin/sso/providers/{id}"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), ENDPOINTS, ids=lambda part: part)
async def test_arbitrary_input_never_causes_a_server_error(
    visitor_with_google_and_saml: Visitor, keyring: Keyring, method: str, path: str
) -> None:
    visitor = visitor_with_google_and_saml
    mfa, enrolled = await enrol_app(visitor, json_of(await visitor.sign_up("rosa@rio-rafting.example")))
    challenge = json_of(await mfa.challenge(enrolled["id"]))
    admin_headers = {**API_VERSION_HEADER, "Authorization": f"Bearer {keyring.service_key}"}
    headers = admin_headers if path.startswith("/admin") else bearer(mfa.session)
    loop = asyncio.get_running_loop()

    async def send(body: Any, query: dict[str, str], id_in_path: str) -> httpx.Response:
        if isinstance(body, dict) and "challenge_id" in body:
            body = {**body, "challenge_id": challenge["id"]}
        url = path.replace("{id}", id_in_path)
        if path == "/sso/saml/acs":
            form = {name: str(value) for name, value in body.items()} if isinstance(body, dict) else {"x": str(body)}
            return await visitor.client.post(url, data=form, headers=API_VERSION_HEADER)
        # Python's json module writes NaN and Infinity, which httpx would refuse to encode.
        content = json.dumps(body).encode()
        params = query if method == "GET" else None
        return await visitor.client.request(method, url, content=content, params=params, headers=headers)

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(BODIES, QUERIES, st.sampled_from([enrolled["id"], str(uuid4()), "no-uuid", "%00"]))
    def check_response(body: Any, query: dict[str, str], id_in_path: str) -> None:
        response = asyncio.run_coroutine_threadsafe(send(body, query, id_in_path), loop).result(30)
        assert response.status_code < 500, (response.status_code, response.text)
        assert "Traceback" not in response.text

    await asyncio.to_thread(check_response)
