"""These tests sign in with Google, which is replaced by a local OpenID provider."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.auth.model import s256
from cairn.db import SERVICE, Database
from tests.auth.conftest import open_visitor
from tests.auth.mailbox import Mailbox
from tests.auth.oauth_flow import (
    HOME,
    ROSA,
    SITE,
    VERIFIER,
    callback_path,
    exchange,
    finish_oauth,
    fragment_parameters,
    obtain_code,
    sign_in_with_google,
    start_oauth,
)
from tests.auth.visitor import API_VERSION_HEADER, Visitor, error_of, json_of
from tests.external.openid import CLIENT_ID, OpenIdProvider

MALLORY = "mallory@rapid-rivals.example"


@pytest.fixture
def visitor(visitor_with_google: Visitor) -> Visitor:
    return visitor_with_google


@pytest.mark.accept("AUTH-14")
async def test_a_first_sign_in_with_google_creates_an_account(visitor: Visitor, google: OpenIdProvider) -> None:
    page = await start_oauth(visitor)
    assert page.startswith(f"{google.issuer}/authorize?")

    url = await finish_oauth(visitor, page)

    assert url.startswith(f"{HOME}#access_token=")
    fragment = fragment_parameters(url)
    assert (fragment["token_type"], fragment["expires_in"]) == ("bearer", "3600")
    assert fragment["provider_token"] == f"access-{ROSA}"
    assert fragment["provider_refresh_token"] == f"refresh-{ROSA}"
    user = json_of(await visitor.user(fragment))
    assert user["email"] == ROSA
    assert user["email_confirmed_at"]
    assert user["app_metadata"].items() >= {"provider": "google", "providers": ["google"], "role": "company"}.items()
    assert user["user_metadata"].items() >= {"name": "Rosa", "full_name": "Rosa", "email_verified": True}.items()
    [identity] = user["identities"]
    assert (identity["provider"], identity["identity_data"]["iss"]) == ("google", google.issuer)
    assert json_of(await visitor.refresh(fragment["refresh_token"]))


@pytest.mark.accept("AUTH-11")
async def test_a_code_is_exchanged_once_and_only_with_its_verifier(visitor: Visitor) -> None:
    code = await obtain_code(visitor)

    assert error_of(await exchange(visitor, code, "b" * 112)) == (400, "bad_code_verifier")
    session = json_of(await exchange(visitor, code))
    assert error_of(await exchange(visitor, code)) == (404, "flow_state_not_found")

    assert session["user"]["email"] == ROSA
    assert session["provider_token"] == f"access-{ROSA}"
    assert session["provider_refresh_token"] == f"refresh-{ROSA}"
    assert json_of(await visitor.refresh(session["refresh_token"]))


async def test_a_code_expires_after_five_minutes(visitor: Visitor, database: Database) -> None:
    code = await obtain_code(visitor)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.flow_state set auth_code_issued_at = now() - interval '301 seconds'")

    assert error_of(await exchange(visitor, code)) == (422, "flow_state_expired")


@pytest.mark.parametrize(
    "body", [{}, {"auth_code": "x"}, {"code_verifier": "x"}, {"auth_code": "", "code_verifier": ""}]
)
async def test_an_incomplete_exchange_is_refused(visitor: Visitor, body: dict[str, str]) -> None:
    response = await visitor.client.post("/token?grant_type=pkce", json=body, headers=API_VERSION_HEADER)

    assert error_of(response) == (400, "validation_failed")
    assert error_of(await exchange(visitor, "not a uuid")) == (404, "flow_state_not_found")


async def test_provider_tokens_are_stored_encrypted(visitor: Visitor, database: Database) -> None:
    await obtain_code(visitor)

    async with database.acting_as(SERVICE) as connection:
        [row] = await connection.fetch("select provider_token, provider_refresh_token from auth.flow_state")
    assert row["provider_token"]
    assert ROSA not in row["provider_token"] + row["provider_refresh_token"]


@pytest.mark.accept("AUTH-14")
@pytest.mark.parametrize(
    "foreign_url",
    [
        "https://mallory.example/steal",
        "https://cairn.example.mallory.example/",
        "https://cairn.example@mallory.example/",
        "https://mallory.example\\@cairn.example/",
        "http://cairn.example/",
        "https://cairn.example:8443/",
        "//mallory.example",
        "javascript:alert(1)",
        "http://2130706433/",
        "https://[half/",
    ],
)
async def test_a_foreign_redirect_target_is_replaced_by_the_site(visitor: Visitor, foreign_url: str) -> None:
    target = await finish_oauth(visitor, await start_oauth(visitor, redirect_to=foreign_url))

    assert target.startswith(f"{SITE}#access_token=")


async def test_the_query_of_the_redirect_target_is_kept(visitor: Visitor) -> None:
    page = await start_oauth(
        visitor, redirect_to=f"{HOME}?sb_flow_id=7#old", code_challenge=s256(VERIFIER), code_challenge_method="s256"
    )

    target = urlsplit(await finish_oauth(visitor, page))

    assert parse_qs(target.query).keys() == {"sb_flow_id", "code"}


@pytest.mark.accept("AUTHUI-12")
@pytest.mark.parametrize(
    ("parameters", "role"), [({"role": "customer"}, "customer"), ({"role": "company"}, "company"), ({}, "company")]
)
async def test_the_role_is_set_by_the_first_sign_in_only(
    visitor: Visitor, database: Database, parameters: dict[str, str], role: str
) -> None:
    first = await sign_in_with_google(visitor, **parameters)
    second = await sign_in_with_google(visitor, role="company" if role == "customer" else "customer")

    assert first["user"]["app_metadata"]["role"] == second["user"]["app_metadata"]["role"] == role
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select role from profiles where email = $1", ROSA) == role


async def test_google_is_linked_to_a_confirmed_account_with_the_same_address(
    visitor: Visitor, database: Database
) -> None:
    account = json_of(await visitor.sign_up(ROSA, name="Rosa Marín"))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set email_confirmed_at = now()")

    google_sign_in = await sign_in_with_google(visitor)

    assert google_sign_in["user"]["id"] == account["user"]["id"]
    assert google_sign_in["user"]["app_metadata"]["providers"] == ["email", "google"]
    assert google_sign_in["user"]["app_metadata"]["provider"] == "email"
    assert google_sign_in["user"]["user_metadata"]["name"] == "Rosa Marín"
    assert json_of(await visitor.sign_in(ROSA))
    assert (await visitor.user(account)).status_code == 200


async def test_an_unconfirmed_account_is_taken_over_by_the_verified_owner_of_its_address(visitor: Visitor) -> None:
    """Mallory signs up with Rosa's address and never confirms it."""
    mallory = json_of(await visitor.sign_up(ROSA, name="Not Rosa"))

    rosa = await sign_in_with_google(visitor)

    assert rosa["user"]["id"] == mallory["user"]["id"]
    assert error_of(await visitor.user(mallory)) == (403, "session_not_found")
    assert error_of(await visitor.refresh(mallory["refresh_token"])) == (400, "refresh_token_not_found")
    assert error_of(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")
    assert rosa["user"]["app_metadata"]["providers"] == ["google"]


async def test_taking_over_an_account_cancels_a_pending_change_of_address(visitor: Visitor, mailbox: Mailbox) -> None:
    """Mallory has requested a change of address that would make Rosa's account Mallory's."""
    mallory = json_of(await visitor.sign_up(ROSA))
    json_of(await visitor.change(mallory, email=MALLORY))
    message = await mailbox.newest(MALLORY)

    rosa = await sign_in_with_google(visitor)

    assert "new_email" not in rosa["user"]
    assert error_of(await visitor.verify("email_change", token_hash=message.token_hash)) == (403, "otp_expired")
    assert (await visitor.user(rosa)).json()["email"] == ROSA


async def test_an_address_that_google_has_not_verified_is_not_linked(visitor: Visitor) -> None:
    email = "unverified@rio-rafting.example"
    json_of(await visitor.sign_up(email))

    fragment = fragment_parameters(await finish_oauth(visitor, await start_oauth(visitor, email)))

    assert fragment["error_code"] == "provider_email_needs_verification"
    assert "access_token" not in fragment
    assert json_of(await visitor.sign_in(email))


async def test_google_creates_no_account_if_sign_up_is_disabled(
    database: Database, google_settings: AuthSettings
) -> None:
    without_signup = google_settings.model_copy(update={"disable_signup": True})
    async with open_visitor(database, Keyring(without_signup), without_signup) as visitor:
        fragment = fragment_parameters(await finish_oauth(visitor, await start_oauth(visitor)))

    assert (fragment["error"], fragment["error_code"]) == ("access_denied", "signup_disabled")


async def test_a_cancelled_sign_in_is_reported_in_query_and_fragment(visitor: Visitor) -> None:
    target = await finish_oauth(visitor, await start_oauth(visitor), "no")

    query = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
    assert target.startswith(f"{HOME}?")
    assert query == {
        "error": "access_denied",
        "error_code": "provider_refused",
        "error_description": "The person said no",
    }
    assert query.items() <= fragment_parameters(target).items()


async def test_a_callback_is_accepted_once_and_only_with_a_known_state(visitor: Visitor, database: Database) -> None:
    used_path = await callback_path(await start_oauth(visitor))
    first = await visitor.client.get(used_path)
    expired_path = await callback_path(await start_oauth(visitor))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.flow_state set created_at = now() - interval '301 seconds'")

    assert "access_token" in fragment_parameters(first.headers["location"])
    for path in (
        used_path,
        expired_path,
        "/callback",
        "/callback?code=x&state=x",
        "/callback?code=x&state=" + "0" * 32,
    ):
        response = await visitor.client.get(path)
        assert response.status_code == 303
        assert response.headers["location"].startswith(f"{SITE}?error=invalid_request&error_code=bad_oauth_state&")


@pytest.mark.parametrize(
    "overrides",
    [
        {"nonce": "from another request"},
        {"aud": "another-client"},
        {"iss": "https://mallory.example"},
        {"exp": 1},
        {"sub": None},
        {"userinfo": {"sub": "another user"}},
    ],
    ids=lambda overrides: next(iter(overrides)),
)
async def test_a_forged_provider_response_is_refused(
    visitor: Visitor, google: OpenIdProvider, overrides: dict[str, Any]
) -> None:
    google.overrides = overrides

    fragment = fragment_parameters(await finish_oauth(visitor, await start_oauth(visitor)))

    assert (fragment["error"], fragment["error_code"]) == ("access_denied", "bad_oauth_callback")
    assert "access_token" not in fragment


async def test_new_provider_keys_are_fetched_if_no_cached_key_fits(
    visitor: Visitor, google: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.auth.openid.KEY_REFRESH_SECONDS", 0.0)
    first = await sign_in_with_google(visitor)
    google.change_key()

    assert (await sign_in_with_google(visitor))["user"]["id"] == first["user"]["id"]


async def test_extra_parameters_are_passed_on_but_cannot_replace_ours(visitor: Visitor) -> None:
    page = await start_oauth(
        visitor, scopes="calendar", prompt="consent", client_id="mallory", nonce="x", response_type="token"
    )

    query = {name: values[0] for name, values in parse_qs(urlsplit(page).query).items()}
    assert query["prompt"] == "consent"
    assert query["scope"] == "openid email profile calendar"
    assert (query["client_id"], query["response_type"]) == (CLIENT_ID, "code")
    assert query["redirect_uri"] == f"{SITE}/auth/v1/callback"
    assert query["nonce"] != "x"
    assert "redirect_to" not in query


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"provider": "myspace"}, "Provider myspace could not be found"),
        ({"code_challenge": "a" * 43}, "PKCE flow requires code_challenge_method and code_challenge"),
        ({"code_challenge": "short", "code_challenge_method": "s256"}, "between 43 and 128"),
        ({"code_challenge": "a" * 43, "code_challenge_method": "md5"}, "must be s256 or plain"),
        ({"role": "admin"}, "Role must be company or customer"),
    ],
)
async def test_an_invalid_authorize_request_is_refused(
    visitor: Visitor, parameters: dict[str, str], message: str
) -> None:
    response = await visitor.client.get(
        "/authorize", params={"provider": "google", **parameters}, headers=API_VERSION_HEADER
    )

    assert error_of(response) == (400, "validation_failed")
    assert message in response.json()["message"]


@pytest.mark.accept("AUTH-14")
async def test_without_credentials_google_is_not_offered(database: Database, settings: AuthSettings) -> None:
    async with open_visitor(database, Keyring(settings), settings) as visitor:
        is_offered = (await visitor.client.get("/settings")).json()["external"]["google"]
        parameters = {"provider": "google", "redirect_to": f"{settings.site_url}/signin"}
        response = await visitor.client.get("/authorize", params=parameters, headers=API_VERSION_HEADER)
        page = await visitor.client.get("/authorize", params=parameters, headers={"Sec-Fetch-Mode": "navigate"})

    assert is_offered is False
    assert error_of(response) == (400, "validation_failed")
    assert response.json()["message"] == "Unsupported provider: provider is not enabled"
    assert page.headers["location"].startswith(f"{settings.site_url}/signin?error=access_denied&")
    fragment = fragment_parameters(page.headers["location"])
    assert fragment["error_description"] == "Unsupported provider: provider is not enabled"


async def test_an_unreachable_provider_is_reported_as_a_bad_gateway(
    database: Database, google_settings: AuthSettings
) -> None:
    google = google_settings.google.model_copy(update={"issuer": "http://127.0.0.1:9"})
    unreachable_provider = google_settings.model_copy(update={"google": google})
    async with open_visitor(database, Keyring(unreachable_provider), unreachable_provider) as visitor:
        response = await visitor.client.get("/authorize", params={"provider": "google"}, headers=API_VERSION_HEADER)

    assert error_of(response) == (502, "provider_unreachable")
