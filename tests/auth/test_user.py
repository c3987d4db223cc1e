from uuid import uuid4

import pytest

from cairn.auth import Keyring
from cairn.db import SERVICE, Database
from cairn.kit import now
from tests.auth.visitor import API_VERSION_HEADER, PASSWORD, Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-21")
async def test_a_user_reads_and_changes_their_own_data(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(ROSA, name="Rosa", color="red", old=1))
    assert (await visitor.user(session)).json() == session["user"]

    changed = json_of(await visitor.change(session, data={"name": "Rosa Marín", "deep": {"a": None}, "old": None}))

    assert changed["user_metadata"] == {"name": "Rosa Marín", "color": "red", "deep": {"a": None}}
    assert changed["updated_at"] > session["user"]["updated_at"]
    assert (await visitor.user(session)).json() == changed


async def test_a_new_password_ends_every_other_session(visitor: Visitor) -> None:
    phone = json_of(await visitor.sign_up(ROSA))
    laptop = json_of(await visitor.sign_in(ROSA))

    json_of(await visitor.change(laptop, password="ten rapids before noon"))

    assert error_of(await visitor.user(phone)) == (403, "session_not_found")
    assert error_of(await visitor.refresh(phone["refresh_token"])) == (400, "refresh_token_not_found")
    assert (await visitor.user(laptop)).status_code == 200
    assert error_of(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")
    assert json_of(await visitor.sign_in(ROSA, "ten rapids before noon"))


async def test_a_new_password_must_be_strong_and_different(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(ROSA))

    assert error_of(await visitor.change(session, password=PASSWORD)) == (422, "same_password")
    assert error_of(await visitor.change(session, password="short")) == (422, "weak_password")
    wrong_password = await visitor.change(session, password="ten rapids before noon", current_password="not hers")
    assert error_of(wrong_password) == (400, "invalid_credentials")
    assert json_of(await visitor.sign_in(ROSA))


async def test_the_same_address_in_upper_case_is_not_a_change(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(ROSA))

    user = json_of(await visitor.change(session, email=ROSA.upper(), data={"name": "Rosa"}))

    assert user["email"] == ROSA
    assert "new_email" not in user
    assert user["user_metadata"]["name"] == "Rosa"


@pytest.mark.accept("AUTH-22")
@pytest.mark.parametrize(
    ("scope", "ended_sessions"),
    [("global", {"phone", "laptop", "tablet"}), ("local", {"phone"}), ("others", {"laptop", "tablet"})],
)
async def test_signing_out_ends_the_sessions_in_its_scope(
    visitor: Visitor, scope: str, ended_sessions: set[str]
) -> None:
    await visitor.sign_up("mallory@rapid-rivals.example")
    mallory = json_of(await visitor.sign_in("mallory@rapid-rivals.example"))
    sessions = {"phone": json_of(await visitor.sign_up(ROSA))}
    sessions |= {device: json_of(await visitor.sign_in(ROSA)) for device in ("laptop", "tablet")}

    response = await visitor.log_out(sessions["phone"], scope)

    assert (response.status_code, response.content) == (204, b"")
    assert "content-type" not in response.headers
    for device, session in sessions.items():
        statuses = (
            (await visitor.user(session)).status_code,
            (await visitor.refresh(session["refresh_token"])).status_code,
        )
        assert statuses == ((403, 400) if device in ended_sessions else (200, 200)), device
    assert json_of(await visitor.refresh(mallory["refresh_token"]))


async def test_signing_out_without_a_scope_ends_every_session(visitor: Visitor) -> None:
    phone, laptop = json_of(await visitor.sign_up(ROSA)), json_of(await visitor.sign_in(ROSA))

    response = await visitor.log_out(phone, "everyone")
    assert error_of(response) == (400, "validation_failed")
    assert response.json()["message"] == 'Unsupported logout scope "everyone"'
    assert (await visitor.log_out(phone, "")).status_code == 204

    assert error_of(await visitor.user(laptop)) == (403, "session_not_found")


async def test_a_token_without_an_existing_user_is_refused(visitor: Visitor, keyring: Keyring) -> None:
    async def request_with(authorization: str) -> tuple[int, str, str]:
        response = await visitor.client.get("/user", headers={"Authorization": authorization, **API_VERSION_HEADER})
        return *error_of(response), response.json()["message"]

    for authorization in ("", "Bearer", "Bearer ", "Basic cm9zYTpyb3Nh"):
        assert await request_with(authorization) == (
            401,
            "no_authorization",
            "This endpoint requires a valid Bearer token",
        )
    project_key = await request_with(f"Bearer {keyring.anon_key}")
    assert project_key == (403, "bad_jwt", "invalid claim: missing sub claim")
    malformed = await request_with("Bearer a.b")
    assert malformed[2].startswith("invalid JWT: unable to parse or verify signature, ")
    unknown_user_token = keyring.access_token({"sub": str(uuid4())}, now())
    assert (await request_with(f"Bearer {unknown_user_token}"))[:2] == (403, "user_not_found")
    token_with_malformed_id = keyring.access_token({"sub": "rosa"}, now())
    assert (await request_with(f"Bearer {token_with_malformed_id}"))[:2] == (400, "bad_jwt")


async def test_a_token_cannot_name_the_session_of_another_user(visitor: Visitor, keyring: Keyring) -> None:
    rosa = json_of(await visitor.sign_up(ROSA))
    mallory = json_of(await visitor.sign_up("mallory@rapid-rivals.example"))
    session_id = keyring.principal(rosa["access_token"]).claims["session_id"]

    for foreign_id in (session_id, str(uuid4()), "not a uuid", 5):
        claims = {"sub": mallory["user"]["id"], "session_id": foreign_id}
        token = {"access_token": keyring.access_token(claims, now())}
        assert error_of(await visitor.user(token)) == (403, "session_not_found")


async def test_a_deleted_user_is_refused_immediately(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up("gil@example.com", role="customer"))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("delete from auth.users")

    assert error_of(await visitor.user(session)) == (403, "user_not_found")
