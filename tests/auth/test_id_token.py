"""An app on a telephone signs in with Google by itself and brings the id token."""

from hashlib import sha256
from typing import Any

import httpx
import pytest
from joserfc.jwk import RSAKey

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.oauth_flow import ROSA
from tests.auth.visitor import NEWER, Visitor, bearer, refusal, session_of
from tests.external.openid import APP_CLIENT_ID, OpenIdElsewhere

NONCE = "only this once"
HASHED = sha256(NONCE.encode()).hexdigest()


@pytest.fixture
def visitor(guest_of_google: Visitor) -> Visitor:
    return guest_of_google


async def bring(visitor: Visitor, id_token: str, provider: str = "google", **more: Any) -> httpx.Response:
    body = {"provider": provider, "id_token": id_token, "gotrue_meta_security": {}, **more}
    return await visitor.client.post("/token?grant_type=id_token", json=body, headers=NEWER)


@pytest.mark.accept("AUTH-12")
async def test_an_id_token_for_us_signs_in(visitor: Visitor, google: OpenIdElsewhere) -> None:
    browser = session_of(await bring(visitor, google.id_token(ROSA), access_token="google's"))
    app = session_of(await bring(visitor, google.id_token(ROSA, audience=APP_CLIENT_ID)))
    by_issuer = session_of(await bring(visitor, google.id_token(ROSA), provider=google.issuer))

    assert browser["user"]["email"] == ROSA
    assert browser["provider_token"] == "google's"
    assert browser["user"]["id"] == app["user"]["id"] == by_issuer["user"]["id"]


@pytest.mark.accept("AUTH-12")
async def test_a_token_that_is_not_genuine_or_not_for_us_is_refused(visitor: Visitor, google: OpenIdElsewhere) -> None:
    forged = RSAKey.generate_key(2048)
    tokens = [
        google.id_token(ROSA, key=forged),
        google.id_token(ROSA, audience="somebody-else"),
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
        answer = await bring(visitor, token)
        assert answer.status_code == 400
        assert answer.json() == {"error": "invalid request", "error_description": "Bad ID token"}


async def test_a_nonce_is_named_on_both_sides_or_on_none(visitor: Visitor, google: OpenIdElsewhere) -> None:
    bound = google.id_token(ROSA, nonce=HASHED)

    assert session_of(await bring(visitor, bound, nonce=NONCE))
    for token, more in ((bound, {}), (google.id_token(ROSA), {"nonce": NONCE})):
        lopsided = await bring(visitor, token, **more)
        assert "both exist or not" in lopsided.json()["error_description"]
    other = await bring(visitor, bound, nonce="another")
    assert (other.status_code, other.json()["error_description"]) == (400, "Nonces mismatch")


async def test_a_provider_that_is_not_offered_is_named_as_such(visitor: Visitor, google: OpenIdElsewhere) -> None:
    assert refusal(await bring(visitor, google.id_token(ROSA), provider="apple")) == (400, "provider_disabled")
    for incomplete in ({"provider": ""}, {"id_token": ""}):
        answer = await bring(visitor, **{"id_token": google.id_token(ROSA), **incomplete})
        assert answer.status_code == 400


async def test_linking_by_token_needs_the_person_and_the_setting(visitor: Visitor, google: OpenIdElsewhere) -> None:
    session = session_of(await visitor.sign_up("gil@example.com"))
    token = google.id_token(ROSA)

    assert refusal(await bring(visitor, token, link_identity=True)) == (401, "no_authorization")
    body = {"provider": "google", "id_token": token, "link_identity": True}
    answer = await visitor.client.post("/token?grant_type=id_token", json=body, headers=bearer(session))
    assert refusal(answer) == (404, "manual_linking_disabled")


async def test_linking_by_token_joins_the_identity(
    database: Database, with_google: AuthSettings, google: OpenIdElsewhere
) -> None:
    running_server = with_google.model_copy(update={"manual_linking": True})
    async with visiting(database, Keyring(running_server), running_server) as visitor:
        session = session_of(await visitor.sign_up("gil@example.com"))
        body = {"provider": "google", "id_token": google.id_token(ROSA), "link_identity": True}
        linked = session_of(await visitor.client.post("/token?grant_type=id_token", json=body, headers=bearer(session)))

    assert linked["user"]["id"] == session["user"]["id"]
    assert linked["user"]["app_metadata"]["providers"] == ["email", "google"]
