"""Whatever is sent to these doors, the answer is a refusal with a name, never a failure of ours."""

import asyncio
import json
from typing import Any
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cairn.auth import Keyring
from tests.auth.mfa_client import with_app
from tests.auth.visitor import NEWER, Visitor, bearer, session_of

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
DOORS = [
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
@pytest.mark.parametrize(("method", "path"), DOORS, ids=lambda part: part)
async def test_nothing_that_is_sent_breaks_a_door(
    guest_of_everything: Visitor, keyring: Keyring, method: str, path: str
) -> None:
    visitor = guest_of_everything
    hand, enrolled = await with_app(visitor, session_of(await visitor.sign_up("rosa@rio-rafting.example")))
    asked = session_of(await hand.challenge(enrolled["id"]))
    as_admin = {**NEWER, "Authorization": f"Bearer {keyring.service_key}"}
    headers = as_admin if path.startswith("/admin") else bearer(hand.session)
    loop = asyncio.get_running_loop()

    async def sent(body: Any, query: dict[str, str], named: str) -> httpx.Response:
        if isinstance(body, dict) and "challenge_id" in body:
            body = {**body, "challenge_id": asked["id"]}
        address = path.replace("{id}", named)
        if path == "/sso/saml/acs":
            form = {name: str(value) for name, value in body.items()} if isinstance(body, dict) else {"x": str(body)}
            return await visitor.client.post(address, data=form, headers=NEWER)
        # Written by hand, because not everything Python calls JSON is.
        content = json.dumps(body).encode()
        params = query if method == "GET" else None
        return await visitor.client.request(method, address, content=content, params=params, headers=headers)

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(BODIES, QUERIES, st.sampled_from([enrolled["id"], str(uuid4()), "no-uuid", "%00"]))
    def whatever(body: Any, query: dict[str, str], named: str) -> None:
        answer = asyncio.run_coroutine_threadsafe(sent(body, query, named), loop).result(30)
        assert answer.status_code < 500, (answer.status_code, answer.text)
        assert "Traceback" not in answer.text

    await asyncio.to_thread(whatever)
