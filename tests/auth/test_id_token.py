"""A mobile app signs in with Google itself and sends us the ID token."""

from hashlib import sha256
from typing import Any

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import open_visitor
from tests.auth.oauth_flow import ROSA
from tests.auth.visitor import API_VERSION_HEADER, Visitor, bearer, error_of, json_of
from tests.external.openid import APP_CLIENT_ID, OpenIdProvider

NONCE = "only this once"
NONCE_HASH = sha256(NONCE.encode()).hexdigest()


@pytest.fixture
def visitor(visitor_with_google: Visitor) -> Visitor:
    return visitor_with_google


async def sign_in_by_token(visitor: Visitor, id_token: str, provider: str = "google", **fields: Any) -> httpx.Response:
    body = {"provider": provider, "id_token": id_token, "gotrue_meta_security": {}, **fields}
    return await visitor.client.post("/token?grant_type=id_token", json=body, headers=API_VERSION_HEADER)


@pytest.mark.accept("AUTH-12")
async def test_an_id_token_for_our_client_signs_in(visitor: Visitor, google: OpenIdProvider) -> None:
    browser = json_of(await sign_in_by_token(visitor, google.id_token(ROSA), access_token="google's"))
    app = json_of(await sign_in_by_token(visitor, google.id_token(ROSA, audience=APP_CLIENT_ID)))
    by_issuer = json_of(await sign_in_by_token(visitor, google.id_token(ROSA), provider=google.issuer))

    assert browser["user"]["email"] == ROSA
    assert browser["provider_token"] == "google's"
    assert browser["user"]["id"] == app["user"]["id"] == by_issuer["user"]["id"]


@pytest.mark.accept("AUTH-12")
async def test_a_forged_id_token_or_one_for_another_client_is_refused(visitor: Visitor, google: OpenIdProvider) -> None:
    forged_key = RSAKey.generate_key(2048)
    tokens = [
        google.id_token(ROSA, key=forged_key),
        google.id_token(ROSA, audience="another-client"),
        google.id_token(ROSA, iss="https://mallory.example"),
        google.id_token(ROSA, exp=1),
        google.id_token(ROSA, exp=None),
        google.id_token(ROSA, sub=None),
        google.id_token(ROSA, sub=5),
        f"{google.id_token(ROSA)}x",
        "eyJhbGciOiJub25lIn0.e30.",
        "no token",
    ]
    for token in tokens:
        response = await sign_in_by_token(visitor, token)
        assert response.status_code == 400
        assert response.json() == {"error": "invalid request", "error_description": "Bad ID token"}


async def test_a_malformed_id_token_is_refused_without_a_request_to_the_provider(
    database: Database, google_settings: AuthSettings, google: OpenIdProvider
) -> None:
    """The keys of this provider cannot be fetched, so only a token that needs them gets the error about that."""
    unreachable_issuer = "http://127.0.0.1:9"
    provider = google_settings.google.model_copy(update={"issuer": unreachable_issuer})
    unreachable = google_settings.model_copy(update={"google": provider})
    claims: dict[str, Any] = {"iss": unreachable_issuer}
    malformed_tokens = [
        "no token",
        "a.b.c",
        "eyJhbGciOiJSUzI1NiJ9.W10.eA",
        "eyJhbGciOiJub25lIn0.e30.",
        jwt.encode({"alg": "HS256"}, claims, OctKey.import_key("a secret of someone else, 32 long")),
        google.id_token(ROSA, audience="another-client", **claims),
        google.id_token(ROSA, iss="https://mallory.example"),
        google.id_token(ROSA, exp=1, **claims),
        google.id_token(ROSA, sub=5, **claims),
    ]
    async with open_visitor(database, Keyring(unreachable), unreachable) as visitor:
        responses = [await sign_in_by_token(visitor, token) for token in malformed_tokens]
        well_formed = await sign_in_by_token(visitor, google.id_token(ROSA, **claims))

    for response in responses:
        assert response.status_code == 400
        assert response.json() == {"error": "invalid request", "error_description": "Bad ID token"}
    assert error_of(well_formed) == (502, "provider_unreachable")


async def test_the_nonce_must_match_the_id_token(visitor: Visitor, google: OpenIdProvider) -> None:
    token_with_nonce = google.id_token(ROSA, nonce=NONCE_HASH)

    assert json_of(await sign_in_by_token(visitor, token_with_nonce, nonce=NONCE))
    for token, fields in ((token_with_nonce, {}), (google.id_token(ROSA), {"nonce": NONCE})):
        response = await sign_in_by_token(visitor, token, **fields)
        assert "both exist or not" in response.json()["error_description"]
    wrong_nonce = await sign_in_by_token(visitor, token_with_nonce, nonce="another")
    assert (wrong_nonce.status_code, wrong_nonce.json()["error_description"]) == (400, "Nonces mismatch")


async def test_a_provider_that_is_not_enabled_is_refused(visitor: Visitor, google: OpenIdProvider) -> None:
    response = await sign_in_by_token(visitor, google.id_token(ROSA), provider="apple")
    assert error_of(response) == (400, "provider_disabled")
    for fields in ({"provider": ""}, {"id_token": ""}):
        response = await sign_in_by_token(visitor, **{"id_token": google.id_token(ROSA), **fields})
        assert response.status_code == 400


async def test_linking_by_id_token_requires_a_user_and_the_setting(visitor: Visitor, google: OpenIdProvider) -> None:
    session = json_of(await visitor.sign_up("gil@example.com"))
    token = google.id_token(ROSA)

    assert error_of(await sign_in_by_token(visitor, token, link_identity=True)) == (401, "no_authorization")
    body = {"provider": "google", "id_token": token, "link_identity": True}
    response = await visitor.client.post("/token?grant_type=id_token", json=body, headers=bearer(session))
    assert error_of(response) == (404, "manual_linking_disabled")


async def test_linking_by_id_token_adds_the_identity(
    database: Database, google_settings: AuthSettings, google: OpenIdProvider
) -> None:
    linking_settings = google_settings.model_copy(update={"manual_linking": True})
    async with open_visitor(database, Keyring(linking_settings), linking_settings) as visitor:
        session = json_of(await visitor.sign_up("gil@example.com"))
        body = {"provider": "google", "id_token": google.id_token(ROSA), "link_identity": True}
        linked_session = json_of(
            await visitor.client.post("/token?grant_type=id_token", json=body, headers=bearer(session))
        )

    assert linked_session["user"]["id"] == session["user"]["id"]
    assert linked_session["user"]["app_metadata"]["providers"] == ["email", "google"]
