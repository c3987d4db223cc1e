import asyncio

import pytest

from cairn.auth import passwords as passwords_module
from cairn.auth.errors import PasswordsBusy
from cairn.auth.passwords import Passwords
from cairn.db import SERVICE, Database
from tests.auth.visitor import PASSWORD, Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-09")
async def test_only_the_right_password_signs_in(visitor: Visitor) -> None:
    first_session = json_of(await visitor.sign_up(ROSA))

    session = json_of(await visitor.sign_in(ROSA.upper()))

    assert session["user"]["id"] == first_session["user"]["id"]
    assert session["refresh_token"] != first_session["refresh_token"]
    wrong_password = await visitor.sign_in(ROSA, "not her password")
    unknown_account = await visitor.sign_in("unknown@example.com")
    assert error_of(wrong_password) == (400, "invalid_credentials")
    assert wrong_password.json()["message"] == "Invalid login credentials"
    assert unknown_account.json() == wrong_password.json()
    assert dict(unknown_account.headers) == dict(wrong_password.headers)


@pytest.mark.parametrize("email", ["no address at all", "x" * 300, "a\x00@example.com"])
async def test_a_malformed_address_looks_like_an_unknown_account(visitor: Visitor, email: str) -> None:
    assert error_of(await visitor.sign_in(email)) == (400, "invalid_credentials")


async def test_an_account_without_a_password_accepts_no_password(visitor: Visitor, database: Database) -> None:
    await visitor.sign_up(ROSA)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set encrypted_password = null")

    for password in (PASSWORD, "the password of an account that does not exist"):
        assert error_of(await visitor.sign_in(ROSA, password)) == (400, "invalid_credentials")


async def test_a_banned_user_cannot_sign_in(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up(ROSA))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set banned_until = now() + interval '1 hour'")

    assert error_of(await visitor.sign_in(ROSA)) == (400, "user_banned")
    assert error_of(await visitor.refresh(session["refresh_token"])) == (400, "user_banned")
    assert error_of(await visitor.user(session)) == (403, "user_banned")
    assert error_of(await visitor.sign_in(ROSA, "not her password")) == (400, "invalid_credentials")


async def test_an_old_password_that_is_too_short_still_works_but_causes_a_warning(
    visitor: Visitor, database: Database
) -> None:
    await visitor.sign_up(ROSA)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set encrypted_password = $1", await Passwords().hash("river"))

    session = json_of(await visitor.sign_in(ROSA, "river"))

    assert session["weak_password"] == {
        "message": "Password should be at least 8 characters.",
        "reasons": ["length"],
    }
    assert "weak_password" not in json_of(await visitor.refresh(session["refresh_token"]))


async def test_an_unknown_grant_type_is_refused(visitor: Visitor) -> None:
    for query in ("", "?grant_type=", "?grant_type=magic"):
        response = await visitor.client.post(f"/token{query}", json={})
        assert (response.status_code, response.json()["msg"]) == (400, "unsupported_grant_type")


async def test_passwords_are_refused_while_the_queue_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords_module, "MAX_QUEUE_LENGTH", 3)
    passwords = Passwords()

    outcomes = await asyncio.gather(*(passwords.hash(PASSWORD) for _ in range(5)), return_exceptions=True)

    assert sum(isinstance(outcome, PasswordsBusy) for outcome in outcomes) == 2
    assert await passwords.match(PASSWORD, await passwords.hash(PASSWORD))
