from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.auth.passwords import HASHER
from cairn.db import SERVICE, Database
from cairn.kit import now
from tests.auth.mfa_client import with_app
from tests.auth.test_refresh import Later
from tests.auth.visitor import NEWER, PASSWORD, Visitor, refusal, session_of
from tests.cast import Person
from tests.make import make_session, sign

GIL = "gil@example.com"


async def make(visitor: Visitor, email: str = GIL, **more: Any) -> dict[str, Any]:
    return session_of(await visitor.admin("POST", "/admin/users", {"email": email, **more}))


@pytest.mark.accept("AUTH-27", "AUTH-28")
async def test_an_administrator_makes_a_person(visitor: Visitor) -> None:
    made = await make(
        visitor, password=PASSWORD, email_confirm=True, user_metadata={"name": "Gil"}, app_metadata={"role": "customer"}
    )

    assert made["email_confirmed_at"]
    assert made["user_metadata"] == {"name": "Gil"}
    assert made["app_metadata"] == {"provider": "email", "providers": ["email"], "role": "customer"}
    assert session_of(await visitor.sign_in(GIL))["user"]["id"] == made["id"]
    read = session_of(await visitor.admin("GET", f"/admin/users/{made['id']}"))
    assert read["email"] == GIL


async def test_an_administrators_word_proves_no_address(visitor: Visitor) -> None:
    made = await make(visitor)
    assert "email_confirmed_at" not in made
    assert refusal(await visitor.sign_in(GIL)) == (400, "invalid_credentials")


async def test_a_person_can_be_made_into_a_company(visitor: Visitor, rosa: Person) -> None:
    bea = await make(visitor, "bea@rio-rafting.example", app_metadata={"company_id": str(rosa.company)})
    assert bea["app_metadata"]["company_id"] == str(rosa.company)

    for nonsense in ({"company_id": str(uuid4())}, {"company_id": 5}, {"company_id": "x"}, {"role": "admin"},
                     {"role": "customer", "company_id": str(rosa.company)}):  # fmt: skip
        answer = await visitor.admin("POST", "/admin/users", {"email": GIL, "app_metadata": nonsense})
        assert refusal(answer) == (400, "validation_failed")


async def test_a_known_hash_is_taken_over(visitor: Visitor) -> None:
    made = await make(visitor, password_hash=HASHER.hash("from another house"))
    assert session_of(await visitor.sign_in(GIL, "from another house"))["user"]["id"] == made["id"]

    for hashed in ("$2a$10$abcdefghijklmnopqrstuv", "plain"):
        answer = await visitor.admin("POST", "/admin/users", {"email": "x@example.com", "password_hash": hashed})
        assert refusal(answer) == (400, "validation_failed")


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({}, (400, "validation_failed")),
        ({"email": GIL}, (422, "email_exists")),
        ({"email": "no address"}, (400, "validation_failed")),
        ({"phone": "12"}, (400, "validation_failed")),
        ({"email": "x@example.com", "password": "short"}, (422, "weak_password")),
        ({"email": "x@example.com", "role": "service_role"}, (400, "validation_failed")),
        ({"email": "x@example.com", "ban_duration": "for ever"}, (400, "validation_failed")),
        ({"email": "x@example.com", "id": "no uuid"}, (400, "bad_json")),
    ],
)
async def test_what_cannot_be_made_is_refused(visitor: Visitor, body: dict[str, str], answer: tuple[int, str]) -> None:
    await make(visitor)
    assert refusal(await visitor.admin("POST", "/admin/users", body)) == answer


@pytest.mark.accept("AUTH-27")
async def test_people_are_listed_by_pages(visitor: Visitor) -> None:
    for number in range(5):
        await make(visitor, f"guest{number}@example.com")

    async def page(query: str) -> tuple[list[str], httpx.Response]:
        answer = await visitor.admin("GET", f"/admin/users{query}")
        return [user["email"][5] for user in session_of(answer)["users"]], answer

    everybody, answer = await page("?page=&per_page=")
    assert everybody == ["4", "3", "2", "1", "0"]
    assert answer.json()["aud"] == "authenticated"
    second, answer = await page("?page=2&per_page=2")
    assert second == ["2", "1"]
    assert answer.headers["x-total-count"] == "5"
    assert answer.headers["link"] == (
        '</admin/users?page=3&per_page=2>; rel="next", </admin/users?page=3&per_page=2>; rel="last"'
    )
    last, answer = await page("?page=3&per_page=2")
    assert last == ["0"]
    assert "next" not in answer.headers["link"]
    found, _ = await page("?filter=GUEST3")
    assert found == ["3"]
    for nonsense in ("?page=-1", "?page=x", "?per_page=0", "?page=1.5", "?page=99999999999999999999"):
        assert refusal(await visitor.admin("GET", f"/admin/users{nonsense}")) == (400, "validation_failed")


@pytest.mark.accept("AUTH-28")
async def test_an_administrator_changes_a_person(visitor: Visitor, database: Database) -> None:
    session = session_of(await visitor.sign_up(GIL, role="customer", name="Gil"))
    path = f"/admin/users/{session['user']['id']}"

    changed = session_of(
        await visitor.admin(
            "PUT",
            path,
            {
                "email": "gil.okafor@example.com",
                "email_confirm": True,
                "password": "ten rapids before noon",
                "user_metadata": {"name": None, "boat": "red"},
                "app_metadata": {"roles": ["guide"]},
            },
        )
    )

    assert changed["email"] == "gil.okafor@example.com"
    assert changed["email_confirmed_at"]
    assert changed["user_metadata"] == {"boat": "red"}
    assert changed["app_metadata"]["roles"] == ["guide"]
    assert refusal(await visitor.user(session)) == (403, "session_not_found")
    assert session_of(await visitor.sign_in("gil.okafor@example.com", "ten rapids before noon"))
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select email from profiles") == "gil.okafor@example.com"


async def test_who_one_is_stays_settled_even_for_an_administrator(visitor: Visitor) -> None:
    made = await make(visitor, app_metadata={"role": "customer"})
    for change in ({"role": "company"}, {"company_id": str(uuid4())}, {"role": None}):
        answer = await visitor.admin("PUT", f"/admin/users/{made['id']}", {"app_metadata": change})
        assert refusal(answer) == (400, "validation_failed")
    same = await visitor.admin("PUT", f"/admin/users/{made['id']}", {"app_metadata": {"role": "customer"}})
    assert same.status_code == 200


async def test_a_ban_ends_with_its_time(visitor: Visitor, later: Later) -> None:
    session = session_of(await visitor.sign_up(GIL))
    path = f"/admin/users/{session['user']['id']}"

    banned = session_of(await visitor.admin("PUT", path, {"ban_duration": "24h"}))

    assert banned["banned_until"]
    assert refusal(await visitor.sign_in(GIL)) == (400, "user_banned")
    assert refusal(await visitor.user(session)) == (403, "user_banned")
    assert refusal(await visitor.refresh(session["refresh_token"])) == (400, "user_banned")
    later(timedelta(hours=25))
    assert session_of(await visitor.sign_in(GIL))
    session_of(await visitor.admin("PUT", path, {"ban_duration": "1h30m"}))
    lifted = session_of(await visitor.admin("PUT", path, {"ban_duration": "none"}))
    assert "banned_until" not in lifted


@pytest.mark.accept("SIGN-16")
@pytest.mark.parametrize("softly", [True, False])
async def test_deleting_a_companys_account_deletes_no_signed_record(
    visitor: Visitor, database: Database, rosa: Person, softly: bool
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    answer = await visitor.admin("DELETE", f"/admin/users/{rosa.id}", {"should_soft_delete": softly})

    assert session_of(answer) == {}
    async with database.acting_as(SERVICE) as connection:
        kept = await connection.fetchrow("select id, company_id, signer_name from signed_waivers")
        people = await connection.fetch("select email, deleted_at from auth.users")
        assert await connection.fetchval("select count(*) from profiles") == 0
    assert kept is not None
    assert (kept["id"], kept["company_id"]) == (waiver["id"], rosa.company)
    assert [row["email"] for row in people] == ([None] if softly else [])


@pytest.mark.parametrize("softly", [True, False])
async def test_a_deleted_person_is_gone(visitor: Visitor, softly: bool) -> None:
    session = session_of(await visitor.sign_up(GIL, role="customer"))
    path = f"/admin/users/{session['user']['id']}"
    session_of(await visitor.admin("DELETE", path, {"should_soft_delete": softly}))

    assert (await visitor.user(session)).status_code == 403
    assert refusal(await visitor.refresh(session["refresh_token"])) == (400, "refresh_token_not_found")
    assert refusal(await visitor.sign_in(GIL)) == (400, "invalid_credentials")
    assert session_of(await visitor.admin("GET", "/admin/users"))["users"] == []
    again = session_of(await visitor.sign_up(GIL, role="customer"))
    assert again["user"]["id"] != session["user"]["id"]


async def test_somebody_forgotten_leaves_no_factor_behind(visitor: Visitor, database: Database) -> None:
    hand, _ = await with_app(visitor, session_of(await visitor.sign_up(GIL, role="customer")))
    session_of(await hand.recovery_codes())
    path = f"/admin/users/{hand.session['user']['id']}"

    session_of(await visitor.admin("DELETE", path, {"should_soft_delete": True}))

    async with database.acting_as(SERVICE) as connection:
        for table in ("mfa_factors", "mfa_recovery_codes"):
            assert await connection.fetchval(f"select count(*) from auth.{table}") == 0


async def test_somebody_who_is_not_there(visitor: Visitor) -> None:
    for method, body in (("GET", None), ("PUT", {}), ("DELETE", None)):
        assert refusal(await visitor.admin(method, f"/admin/users/{uuid4()}", body)) == (404, "user_not_found")
        nobody = await visitor.admin(method, "/admin/users/somebody", body)
        assert refusal(nobody) == (404, "validation_failed")
        assert nobody.json()["message"] == "user_id must be an UUID"


@pytest.mark.accept("AUTH-29")
async def test_nobody_but_the_service_key_administers(visitor: Visitor, keyring: Keyring) -> None:
    rosa = session_of(await visitor.sign_up("rosa@rio-rafting.example"))
    me = rosa["user"]["id"]
    calls = [
        ("POST", "/invite"), ("POST", "/admin/generate_link"), ("GET", "/admin/users"), ("POST", "/admin/users"),
        ("GET", f"/admin/users/{me}"), ("PUT", f"/admin/users/{me}"), ("DELETE", f"/admin/users/{me}"),
    ]  # fmt: skip
    for token, answer in (
        (keyring.anon_key, (403, "not_admin")),
        (rosa["access_token"], (403, "not_admin")),
        ("a.b.c", (403, "bad_jwt")),
        ("", (401, "no_authorization")),
    ):
        for method, path in calls:
            headers = {"Authorization": f"Bearer {token}", **NEWER}
            refused = await visitor.client.request(method, path, json={"email": GIL}, headers=headers)
            assert refusal(refused) == answer, (method, path, token)
    assert (await visitor.user(rosa)).status_code == 200


async def test_another_administrator_may_hold_a_token_of_the_shared_secret(
    visitor: Visitor, settings: AuthSettings
) -> None:
    minted = Keyring(settings).access_token({"sub": "1234567890", "role": "supabase_admin"}, now())
    answer = await visitor.client.get("/admin/users", headers={"Authorization": f"Bearer {minted}"})
    assert answer.status_code == 200
