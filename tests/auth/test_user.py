from uuid import uuid4

import pytest

from cairn.auth import Keyring
from cairn.db import SERVICE, Database
from cairn.kit import now
from tests.auth.visitor import NEWER, PASSWORD, Visitor, refusal, session_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-21")
async def test_a_person_reads_and_changes_themselves(visitor: Visitor) -> None:
    session = session_of(await visitor.sign_up(ROSA, name="Rosa", color="red", old=1))
    assert (await visitor.user(session)).json() == session["user"]

    changed = session_of(await visitor.change(session, data={"name": "Rosa Marín", "deep": {"a": None}, "old": None}))

    assert changed["user_metadata"] == {"name": "Rosa Marín", "color": "red", "deep": {"a": None}}
    assert changed["updated_at"] > session["user"]["updated_at"]
    assert (await visitor.user(session)).json() == changed


async def test_a_new_password_ends_every_other_session(visitor: Visitor) -> None:
    phone = session_of(await visitor.sign_up(ROSA))
    laptop = session_of(await visitor.sign_in(ROSA))

    session_of(await visitor.change(laptop, password="ten rapids before noon"))

    assert refusal(await visitor.user(phone)) == (403, "session_not_found")
    assert refusal(await visitor.refresh(phone["refresh_token"])) == (400, "refresh_token_not_found")
    assert (await visitor.user(laptop)).status_code == 200
    assert refusal(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")
    assert session_of(await visitor.sign_in(ROSA, "ten rapids before noon"))


async def test_a_password_is_changed_only_to_a_good_new_one(visitor: Visitor) -> None:
    session = session_of(await visitor.sign_up(ROSA))

    assert refusal(await visitor.change(session, password=PASSWORD)) == (422, "same_password")
    assert refusal(await visitor.change(session, password="short")) == (422, "weak_password")
    wrong = await visitor.change(session, password="ten rapids before noon", current_password="not hers")
    assert refusal(wrong) == (400, "invalid_credentials")
    assert session_of(await visitor.sign_in(ROSA))


async def test_the_same_address_in_other_letters_is_no_change(visitor: Visitor) -> None:
    session = session_of(await visitor.sign_up(ROSA))

    same = session_of(await visitor.change(session, email=ROSA.upper(), data={"name": "Rosa"}))

    assert same["email"] == ROSA
    assert "new_email" not in same
    assert same["user_metadata"]["name"] == "Rosa"


@pytest.mark.accept("AUTH-22")
@pytest.mark.parametrize(
    ("scope", "ended"),
    [("global", {"here", "there", "elsewhere"}), ("local", {"here"}), ("others", {"there", "elsewhere"})],
)
async def test_signing_out_ends_what_its_scope_says(visitor: Visitor, scope: str, ended: set[str]) -> None:
    await visitor.sign_up("mallory@rapid-rivals.example")
    mallory = session_of(await visitor.sign_in("mallory@rapid-rivals.example"))
    sessions = {"here": session_of(await visitor.sign_up(ROSA))}
    sessions |= {place: session_of(await visitor.sign_in(ROSA)) for place in ("there", "elsewhere")}

    answer = await visitor.log_out(sessions["here"], scope)

    assert (answer.status_code, answer.content) == (204, b"")
    assert "content-type" not in answer.headers
    for place, session in sessions.items():
        seen = (await visitor.user(session)).status_code, (await visitor.refresh(session["refresh_token"])).status_code
        assert seen == ((403, 400) if place in ended else (200, 200)), place
    assert session_of(await visitor.refresh(mallory["refresh_token"]))


async def test_without_a_scope_every_session_ends_and_an_unknown_one_is_refused(visitor: Visitor) -> None:
    here, there = session_of(await visitor.sign_up(ROSA)), session_of(await visitor.sign_in(ROSA))

    unknown = await visitor.log_out(here, "everyone")
    assert refusal(unknown) == (400, "validation_failed")
    assert unknown.json()["message"] == 'Unsupported logout scope "everyone"'
    assert (await visitor.log_out(here, "")).status_code == 204

    assert refusal(await visitor.user(there)) == (403, "session_not_found")


async def test_nobody_is_let_in_without_a_person_behind_the_token(visitor: Visitor, keyring: Keyring) -> None:
    async def asked_with(authorization: str) -> tuple[int, str, str]:
        answer = await visitor.client.get("/user", headers={"Authorization": authorization, **NEWER})
        return *refusal(answer), answer.json()["message"]

    for nothing in ("", "Bearer", "Bearer ", "Basic cm9zYTpyb3Nh"):
        assert await asked_with(nothing) == (401, "no_authorization", "This endpoint requires a valid Bearer token")
    project_key = await asked_with(f"Bearer {keyring.anon_key}")
    assert project_key == (403, "bad_jwt", "invalid claim: missing sub claim")
    garbled = await asked_with("Bearer a.b")
    assert garbled[2].startswith("invalid JWT: unable to parse or verify signature, ")
    stranger = keyring.access_token({"sub": str(uuid4())}, now())
    assert (await asked_with(f"Bearer {stranger}"))[:2] == (403, "user_not_found")
    no_uuid = keyring.access_token({"sub": "rosa"}, now())
    assert (await asked_with(f"Bearer {no_uuid}"))[:2] == (400, "bad_jwt")


async def test_a_token_never_opens_somebody_elses_session(visitor: Visitor, keyring: Keyring) -> None:
    rosa = session_of(await visitor.sign_up(ROSA))
    mallory = session_of(await visitor.sign_up("mallory@rapid-rivals.example"))
    session_id = keyring.principal(rosa["access_token"]).claims["session_id"]

    for named in (session_id, str(uuid4()), "no uuid", 5):
        claims = {"sub": mallory["user"]["id"], "session_id": named}
        token = {"access_token": keyring.access_token(claims, now())}
        assert refusal(await visitor.user(token)) == (403, "session_not_found")


async def test_a_deleted_person_is_turned_away_at_once(visitor: Visitor, database: Database) -> None:
    session = session_of(await visitor.sign_up("gil@example.com", role="customer"))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("delete from auth.users")

    assert refusal(await visitor.user(session)) == (403, "user_not_found")
