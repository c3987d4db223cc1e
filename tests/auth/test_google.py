"""Signing in with Google, against a real OpenID provider that happens to be ours."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.auth.model import s256
from cairn.db import SERVICE, Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.oauth_flow import (
    HOME,
    ROSA,
    SITE,
    VERIFIER,
    by_implicit_flow,
    code_for,
    come_back,
    exchange,
    facts,
    leave,
    said_at,
)
from tests.auth.visitor import NEWER, Visitor, refusal, session_of
from tests.external.openid import CLIENT_ID, OpenIdElsewhere

MALLORY = "mallory@rapid-rivals.example"


@pytest.fixture
def visitor(guest_of_google: Visitor) -> Visitor:
    return guest_of_google


@pytest.mark.accept("AUTH-14")
async def test_a_first_sign_in_with_google_makes_an_account(visitor: Visitor, google: OpenIdElsewhere) -> None:
    page = await leave(visitor)
    assert page.startswith(f"{google.issuer}/authorize?")

    address = await come_back(visitor, page)

    assert address.startswith(f"{HOME}#access_token=")
    landed = facts(address)
    assert (landed["token_type"], landed["expires_in"]) == ("bearer", "3600")
    assert landed["provider_token"] == f"access-{ROSA}"
    assert landed["provider_refresh_token"] == f"refresh-{ROSA}"
    user = session_of(await visitor.user(landed))
    assert user["email"] == ROSA
    assert user["email_confirmed_at"]
    assert user["app_metadata"].items() >= {"provider": "google", "providers": ["google"], "role": "company"}.items()
    assert user["user_metadata"].items() >= {"name": "Rosa", "full_name": "Rosa", "email_verified": True}.items()
    [identity] = user["identities"]
    assert (identity["provider"], identity["identity_data"]["iss"]) == ("google", google.issuer)
    assert session_of(await visitor.refresh(landed["refresh_token"]))


@pytest.mark.accept("AUTH-11")
async def test_a_code_is_exchanged_once_and_only_by_the_browser_that_began(visitor: Visitor) -> None:
    code = await code_for(visitor)

    assert refusal(await exchange(visitor, code, "b" * 112)) == (400, "bad_code_verifier")
    session = session_of(await exchange(visitor, code))
    assert refusal(await exchange(visitor, code)) == (404, "flow_state_not_found")

    assert session["user"]["email"] == ROSA
    assert session["provider_token"] == f"access-{ROSA}"
    assert session["provider_refresh_token"] == f"refresh-{ROSA}"
    assert session_of(await visitor.refresh(session["refresh_token"]))


async def test_a_code_is_good_for_five_minutes(visitor: Visitor, database: Database) -> None:
    code = await code_for(visitor)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.flow_state set auth_code_issued_at = now() - interval '301 seconds'")

    assert refusal(await exchange(visitor, code)) == (422, "flow_state_expired")


@pytest.mark.parametrize(
    "body", [{}, {"auth_code": "x"}, {"code_verifier": "x"}, {"auth_code": "", "code_verifier": ""}]
)
async def test_half_an_exchange_is_none(visitor: Visitor, body: dict[str, str]) -> None:
    answer = await visitor.client.post("/token?grant_type=pkce", json=body, headers=NEWER)

    assert refusal(answer) == (400, "validation_failed")
    assert refusal(await exchange(visitor, "no uuid")) == (404, "flow_state_not_found")


async def test_tokens_of_the_provider_are_not_lying_about(visitor: Visitor, database: Database) -> None:
    await code_for(visitor)

    async with database.acting_as(SERVICE) as connection:
        [row] = await connection.fetch("select provider_token, provider_refresh_token from auth.flow_state")
    assert row["provider_token"]
    assert ROSA not in row["provider_token"] + row["provider_refresh_token"]


@pytest.mark.accept("AUTH-14")
@pytest.mark.parametrize(
    "foreign",
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
async def test_nobody_is_sent_to_a_foreign_place(visitor: Visitor, foreign: str) -> None:
    landed = await come_back(visitor, await leave(visitor, redirect_to=foreign))

    assert landed.startswith(f"{SITE}#access_token=")


async def test_the_query_of_the_place_one_returns_to_survives(visitor: Visitor) -> None:
    page = await leave(
        visitor, redirect_to=f"{HOME}?sb_flow_id=7#old", code_challenge=s256(VERIFIER), code_challenge_method="s256"
    )

    landed = urlsplit(await come_back(visitor, page))

    assert parse_qs(landed.query).keys() == {"sb_flow_id", "code"}


@pytest.mark.accept("AUTHUI-12")
@pytest.mark.parametrize(
    ("asked", "role"), [({"role": "customer"}, "customer"), ({"role": "company"}, "company"), ({}, "company")]
)
async def test_the_role_chosen_at_sign_up_is_the_first_sign_ins(
    visitor: Visitor, database: Database, asked: dict[str, str], role: str
) -> None:
    first = await by_implicit_flow(visitor, **asked)
    again = await by_implicit_flow(visitor, role="company" if role == "customer" else "customer")

    assert first["user"]["app_metadata"]["role"] == again["user"]["app_metadata"]["role"] == role
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select role from profiles where email = $1", ROSA) == role


async def test_a_confirmed_address_is_joined_and_keeps_its_password(visitor: Visitor, database: Database) -> None:
    before = session_of(await visitor.sign_up(ROSA, name="Rosa Marín"))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set email_confirmed_at = now()")

    after = await by_implicit_flow(visitor)

    assert after["user"]["id"] == before["user"]["id"]
    assert after["user"]["app_metadata"]["providers"] == ["email", "google"]
    assert after["user"]["app_metadata"]["provider"] == "email"
    assert after["user"]["user_metadata"]["name"] == "Rosa Marín"
    assert session_of(await visitor.sign_in(ROSA))
    assert (await visitor.user(before)).status_code == 200


async def test_whoever_squatted_on_an_address_is_out_when_its_owner_comes(visitor: Visitor) -> None:
    """Mallory signs up with Rosa's address, never proves it, and waits."""
    mallory = session_of(await visitor.sign_up(ROSA, name="Not Rosa"))

    rosa = await by_implicit_flow(visitor)

    assert rosa["user"]["id"] == mallory["user"]["id"]
    assert refusal(await visitor.user(mallory)) == (403, "session_not_found")
    assert refusal(await visitor.refresh(mallory["refresh_token"])) == (400, "refresh_token_not_found")
    assert refusal(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")
    assert rosa["user"]["app_metadata"]["providers"] == ["google"]


async def test_a_change_that_a_squatter_had_begun_moves_nothing_any_more(visitor: Visitor, office: Mailbox) -> None:
    """Mallory has a link in the mail by which Rosa's account would become Mallory's."""
    mallory = session_of(await visitor.sign_up(ROSA))
    session_of(await visitor.change(mallory, email=MALLORY))
    letter = await office.newest(MALLORY)

    rosa = await by_implicit_flow(visitor)

    assert "new_email" not in rosa["user"]
    assert refusal(await visitor.verify("email_change", token_hash=letter.token_hash)) == (403, "otp_expired")
    assert (await visitor.user(rosa)).json()["email"] == ROSA


async def test_an_address_google_does_not_vouch_for_joins_nothing(visitor: Visitor) -> None:
    email = "unverified@rio-rafting.example"
    session_of(await visitor.sign_up(email))

    landed = facts(await come_back(visitor, await leave(visitor, email)))

    assert landed["error_code"] == "provider_email_needs_verification"
    assert "access_token" not in landed
    assert session_of(await visitor.sign_in(email))


async def test_a_closed_house_takes_in_nobody_new(database: Database, with_google: AuthSettings) -> None:
    closed = with_google.model_copy(update={"disable_signup": True})
    async with visiting(database, Keyring(closed), closed) as visitor:
        landed = facts(await come_back(visitor, await leave(visitor)))

    assert (landed["error"], landed["error_code"]) == ("access_denied", "signup_disabled")


async def test_a_no_at_the_provider_is_told_in_query_and_fragment(visitor: Visitor) -> None:
    landed = await come_back(visitor, await leave(visitor), "no")

    told = {name: values[0] for name, values in parse_qs(urlsplit(landed).query).items()}
    assert landed.startswith(f"{HOME}?")
    assert told == {
        "error": "access_denied",
        "error_code": "provider_refused",
        "error_description": "The person said no",
    }
    assert told.items() <= facts(landed).items()


async def test_an_answer_counts_once_and_only_when_it_is_expected(visitor: Visitor, database: Database) -> None:
    answered = await said_at(await leave(visitor))
    first = await visitor.client.get(answered)
    late = await said_at(await leave(visitor))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.flow_state set created_at = now() - interval '301 seconds'")

    assert "access_token" in facts(first.headers["location"])
    for unexpected in (answered, late, "/callback", "/callback?code=x&state=x", "/callback?code=x&state=" + "0" * 32):
        answer = await visitor.client.get(unexpected)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith(f"{SITE}?error=invalid_request&error_code=bad_oauth_state&")


@pytest.mark.parametrize(
    "lie",
    [
        {"nonce": "of another request"},
        {"aud": "somebody-else"},
        {"iss": "https://mallory.example"},
        {"exp": 1},
        {"sub": None},
        {"userinfo": {"sub": "somebody else"}},
    ],
    ids=lambda lie: next(iter(lie)),
)
async def test_an_answer_that_cannot_be_trusted_lets_nobody_in(
    visitor: Visitor, google: OpenIdElsewhere, lie: dict[str, Any]
) -> None:
    google.lie = lie

    landed = facts(await come_back(visitor, await leave(visitor)))

    assert (landed["error"], landed["error_code"]) == ("access_denied", "bad_oauth_callback")
    assert "access_token" not in landed


async def test_new_keys_of_the_provider_are_fetched(
    visitor: Visitor, google: OpenIdElsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.auth.openid.KEY_REFRESH_SECONDS", 0.0)
    first = await by_implicit_flow(visitor)
    google.change_key()

    assert (await by_implicit_flow(visitor))["user"]["id"] == first["user"]["id"]


async def test_parameters_are_passed_on_but_ours_are_not_replaced(visitor: Visitor) -> None:
    page = await leave(
        visitor, scopes="calendar", prompt="consent", client_id="mallory", nonce="x", response_type="token"
    )

    asked = {name: values[0] for name, values in parse_qs(urlsplit(page).query).items()}
    assert asked["prompt"] == "consent"
    assert asked["scope"] == "openid email profile calendar"
    assert (asked["client_id"], asked["response_type"]) == (CLIENT_ID, "code")
    assert asked["redirect_uri"] == f"{SITE}/auth/v1/callback"
    assert asked["nonce"] != "x"
    assert "redirect_to" not in asked


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"provider": "myspace"}, "Provider myspace could not be found"),
        ({"code_challenge": "a" * 43}, "PKCE flow requires code_challenge_method and code_challenge"),
        ({"code_challenge": "short", "code_challenge_method": "s256"}, "between 43 and 128"),
        ({"code_challenge": "a" * 43, "code_challenge_method": "md5"}, "must be s256 or plain"),
        ({"role": "admin"}, "Role must be company or customer"),
    ],
)
async def test_a_departure_that_makes_no_sense_is_refused(visitor: Visitor, asked: dict[str, str], words: str) -> None:
    answer = await visitor.client.get("/authorize", params={"provider": "google", **asked}, headers=NEWER)

    assert refusal(answer) == (400, "validation_failed")
    assert words in answer.json()["message"]


@pytest.mark.accept("AUTH-14")
async def test_without_credentials_google_is_not_offered(database: Database, settings: AuthSettings) -> None:
    async with visiting(database, Keyring(settings), settings) as visitor:
        offered = (await visitor.client.get("/settings")).json()["external"]["google"]
        asked = {"provider": "google", "redirect_to": f"{settings.site_url}/signin"}
        answer = await visitor.client.get("/authorize", params=asked, headers=NEWER)
        page = await visitor.client.get("/authorize", params=asked, headers={"Sec-Fetch-Mode": "navigate"})

    assert offered is False
    assert refusal(answer) == (400, "validation_failed")
    assert answer.json()["message"] == "Unsupported provider: provider is not enabled"
    assert page.headers["location"].startswith(f"{settings.site_url}/signin?error=access_denied&")
    assert facts(page.headers["location"])["error_description"] == "Unsupported provider: provider is not enabled"


async def test_a_provider_that_cannot_be_reached_is_a_passing_trouble(
    database: Database, with_google: AuthSettings
) -> None:
    google = with_google.google.model_copy(update={"issuer": "http://127.0.0.1:9"})
    away = with_google.model_copy(update={"google": google})
    async with visiting(database, Keyring(away), away) as visitor:
        answer = await visitor.client.get("/authorize", params={"provider": "google"}, headers=NEWER)

    assert refusal(answer) == (502, "provider_unreachable")
