import json
import logging
from typing import Any

import pytest

from cairn.db import SERVICE, Database
from tests.auth.visitor import PASSWORD, Visitor, bearer, error_of, json_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-02", "AUTH-13")
async def test_signing_up_returns_a_session(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up("Rosa@Rio-Rafting.example", name="Rosa Marín", role="company"))

    assert session["access_token"]
    assert session["refresh_token"]
    assert session["token_type"] == "bearer"
    assert session["expires_in"] == 3600
    user = session["user"]
    assert user["email"] == ROSA
    assert user["user_metadata"] == {"name": "Rosa Marín"}
    assert user["app_metadata"].pop("company_id")
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"], "role": "company"}
    assert user["aud"] == user["role"] == "authenticated"
    assert [identity["provider"] for identity in user["identities"]] == ["email"]
    assert user["identities"][0]["id"] == user["id"]
    assert user["last_sign_in_at"].endswith("Z")


async def test_the_address_is_not_confirmed_by_signing_up(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(ROSA))

    assert "email_confirmed_at" not in session["user"]
    assert "confirmation_sent_at" in session["user"]
    assert session["user"]["identities"][0]["identity_data"]["email_verified"] is False


async def test_signing_up_as_a_company_creates_company_and_profile(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up(ROSA, name="Rosa Marín"))

    profile = await _profile(database, session)

    assert profile["name"] == "Rosa Marín"
    assert profile["role"] == "company"
    assert profile["company_id"] is not None


async def test_a_customer_has_no_company(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up("gil@example.com", name="Gil Okafor", role="customer"))

    profile = await _profile(database, session)

    assert profile["role"] == "customer"
    assert profile["company_id"] is None


@pytest.mark.accept("AUTHUI-19")
@pytest.mark.parametrize("data", [{}, {"name": None}, {"name": "   "}])
async def test_the_default_name_is_the_first_part_of_the_address(visitor: Visitor, data: dict[str, Any]) -> None:
    session = json_of(await visitor.sign_up(ROSA, **data))
    assert session["user"]["user_metadata"]["name"] == "rosa"


@pytest.mark.accept("AUTH-03")
async def test_the_role_is_chosen_once_and_defaults_to_company(visitor: Visitor, database: Database) -> None:
    for role in ("admin", "", 5, ["company"], {"a": "company"}):
        assert error_of(await visitor.sign_up(ROSA, role=role)) == (400, "validation_failed")
    session = json_of(await visitor.sign_up(ROSA))
    assert session["user"]["app_metadata"]["role"] == "company"

    changed = json_of(await visitor.change(session, data={"role": "customer"}))

    assert changed["app_metadata"]["role"] == "company"
    assert (await _profile(database, session))["role"] == "company"
    new_session = json_of(await visitor.sign_in(ROSA))
    assert new_session["user"]["app_metadata"]["role"] == "company"
    assert error_of(await visitor.change(session, app_metadata={"role": "customer"})) == (403, "not_admin")


@pytest.mark.accept("AUTH-04")
async def test_a_password_is_stored_as_a_slow_hash_and_never_shown(
    visitor: Visitor, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        responses = [
            await visitor.sign_up(ROSA),
            await visitor.sign_in(ROSA),
            await visitor.sign_in("unknown@example.com"),
            await visitor.sign_up(ROSA),
            await visitor.client.post("/signup", json={"email": [PASSWORD], "password": {"a": PASSWORD}}),
        ]

    assert all(PASSWORD not in response.text for response in responses)
    assert PASSWORD not in caplog.text
    stored_rows = await _all_rows(database)
    assert PASSWORD not in stored_rows
    assert "$argon2id$v=19$m=19456,t=2,p=1$" in stored_rows


async def test_equal_passwords_have_different_hashes(visitor: Visitor, database: Database) -> None:
    await visitor.sign_up(ROSA)
    await visitor.sign_up("mallory@rapid-rivals.example")

    async with database.acting_as(SERVICE) as connection:
        hash_count = await connection.fetchval("select count(distinct encrypted_password) from auth.users")

    assert hash_count == 2


@pytest.mark.accept("AUTH-05")
async def test_a_short_password_is_refused_with_reasons(visitor: Visitor) -> None:
    response = await visitor.sign_up(ROSA, "7 chars")

    assert error_of(response) == (422, "weak_password")
    assert response.json()["message"] == "Password should be at least 8 characters."
    assert response.json()["weak_password"] == {"reasons": ["length"]}
    assert (await visitor.sign_up(ROSA, "8 chars!")).status_code == 200


async def test_a_password_that_is_too_long_is_refused(visitor: Visitor) -> None:
    response = await visitor.sign_up(ROSA, "ä" * 37)
    assert response.json()["message"] == "Password cannot be longer than 72 characters"


@pytest.mark.accept("AUTH-06")
@pytest.mark.parametrize(
    "email", ["rosa", "rosa@", "@rio.example", "rosa@rio", "ro sa@rio.example", "a\x00@rio.example"]
)
async def test_a_malformed_address_is_refused(visitor: Visitor, email: str) -> None:
    response = await visitor.sign_up(email)

    assert error_of(response) == (400, "validation_failed")
    assert response.json()["message"] == "Unable to validate email address: invalid format"


@pytest.mark.accept("AUTH-07")
async def test_a_second_sign_up_changes_nothing(visitor: Visitor, database: Database) -> None:
    await visitor.sign_up(ROSA, name="Rosa Marín")
    rows_before = await _account_rows(database)

    response = await visitor.sign_up(ROSA.upper(), "another password", name="Mallory", role="customer")

    assert error_of(response) == (422, "user_already_exists")
    assert response.json()["message"] == "User already registered"
    assert await _account_rows(database) == rows_before
    assert error_of(await visitor.sign_in(ROSA, "another password")) == (400, "invalid_credentials")


@pytest.mark.accept("AUTH-30")
@pytest.mark.parametrize("path", ["/signup", "/token?grant_type=password"])
@pytest.mark.parametrize("body", [{"password": PASSWORD}, {"email": ROSA}, {"email": ROSA, "password": ""}])
async def test_address_and_password_are_required(visitor: Visitor, path: str, body: dict[str, str]) -> None:
    response = await visitor.client.post(path, json=body)

    assert response.status_code == 400
    assert response.json()["msg"] == "You must provide either an email or phone number and a password"


async def test_anonymous_sign_in_is_disabled_by_default(visitor: Visitor) -> None:
    response = await visitor.client.post("/signup", json={"data": {}, "gotrue_meta_security": {}})
    assert response.json() == {
        "code": 422,
        "error_code": "anonymous_provider_disabled",
        "msg": "Anonymous sign-ins are disabled",
    }


@pytest.mark.parametrize("name", ["a\x00b", "\\\x00"])
async def test_text_that_postgres_cannot_store_is_refused(visitor: Visitor, name: str) -> None:
    assert error_of(await visitor.sign_up(ROSA, name=name)) == (400, "bad_json")


async def test_a_literal_escape_sequence_is_stored_unchanged(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(ROSA, note="\\u0000"))
    assert session["user"]["user_metadata"]["note"] == "\\u0000"


async def test_metadata_must_fit_into_a_token(visitor: Visitor) -> None:
    assert error_of(await visitor.sign_up(ROSA, story="x" * 20_000)) == (400, "validation_failed")

    session = json_of(await visitor.sign_up(ROSA, story="x" * 10_000))

    assert error_of(await visitor.change(session, data={"more": "x" * 10_000})) == (400, "validation_failed")
    assert "more" not in (await visitor.user(session)).json()["user_metadata"]


async def test_every_action_is_logged_with_its_ip_address(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up(ROSA))
    await visitor.sign_up(ROSA)
    await visitor.sign_in(ROSA, "not her password")
    await visitor.sign_in(ROSA)
    await visitor.refresh(session["refresh_token"])
    await visitor.change(session, password="another password")
    await visitor.client.post("/logout", headers=bearer(session))

    async with database.acting_as(SERVICE) as connection:
        rows = await connection.fetch("select act, user_id, ip from auth.audit_log order by id")

    assert [row["act"] for row in rows] == [
        "user_signedup",
        "signup_sent",
        "user_repeated_signup",
        "login_refused",
        "login",
        "token_refreshed",
        "user_modified",
        "user_password_changed",
        "logout",
    ]
    assert {row["ip"] for row in rows} == {"203.0.113.7"}
    assert str(rows[0]["user_id"]) == session["user"]["id"]


async def _profile(database: Database, session: dict[str, Any]) -> dict[str, Any]:
    async with database.acting_as(SERVICE) as connection:
        row = await connection.fetchrow("select * from profiles where id::text = $1", session["user"]["id"])
    assert row is not None
    return dict(row)


async def _account_rows(database: Database) -> str:
    async with database.acting_as(SERVICE) as connection:
        return str(
            await connection.fetchval(
                """
                select jsonb_build_array(
                    (select jsonb_agg(u) from auth.users u),
                    (select jsonb_agg(i) from auth.identities i),
                    (select jsonb_agg(s) from auth.sessions s),
                    (select jsonb_agg(p) from profiles p),
                    (select jsonb_agg(c) from companies c))
                """
            )
        )


async def _all_rows(database: Database) -> str:
    async with database.acting_as(SERVICE) as connection:
        return json.dumps(
            [
                await connection.fetchval(f"select jsonb_agg(t)::text from auth.{table} t")
                for table in ("users", "identities", "sessions", "refresh_tokens", "audit_log")
            ]
        )


async def test_17l9_numbers_in_metadata_count_with_all_their_digits(visitor: Visitor) -> None:
    """17L9 in docs/security.md: PostgreSQL writes 1e+308 with 309 digits, and a token would contain them."""
    assert error_of(await visitor.sign_up(ROSA, numbers=[1e308] * 60)) == (400, "validation_failed")
    assert error_of(await visitor.sign_up(ROSA, numbers=[1e-300] * 60)) == (400, "validation_failed")

    session = json_of(await visitor.sign_up(ROSA, numbers=[1e20, 1e-7]))

    assert session["user"]["user_metadata"]["numbers"] == [1e20, 1e-7]
