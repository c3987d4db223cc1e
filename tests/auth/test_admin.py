from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from cairn.auth import Keyring
from cairn.auth.passwords import HASHER
from cairn.db import SERVICE, Database
from cairn.kit import now
from tests.auth.conftest import AdvanceClock
from tests.auth.mfa_client import enrol_app
from tests.auth.visitor import API_VERSION_HEADER, PASSWORD, Visitor, error_of, json_of
from tests.factories import make_session, sign
from tests.people import Person

GIL = "gil@example.com"


async def create_user(visitor: Visitor, email: str = GIL, **fields: Any) -> dict[str, Any]:
    return json_of(await visitor.admin("POST", "/admin/users", {"email": email, **fields}))


@pytest.mark.accept("AUTH-27", "AUTH-28")
async def test_an_administrator_creates_a_user(visitor: Visitor) -> None:
    created = await create_user(
        visitor, password=PASSWORD, email_confirm=True, user_metadata={"name": "Gil"}, app_metadata={"role": "customer"}
    )

    assert created["email_confirmed_at"]
    assert created["user_metadata"] == {"name": "Gil"}
    assert created["app_metadata"] == {"provider": "email", "providers": ["email"], "role": "customer"}
    assert json_of(await visitor.sign_in(GIL))["user"]["id"] == created["id"]
    fetched = json_of(await visitor.admin("GET", f"/admin/users/{created['id']}"))
    assert fetched["email"] == GIL


async def test_an_administrator_can_create_an_unconfirmed_user(visitor: Visitor) -> None:
    created = await create_user(visitor)
    assert "email_confirmed_at" not in created
    assert error_of(await visitor.sign_in(GIL)) == (400, "invalid_credentials")


async def test_an_administrator_can_add_a_user_to_a_company(visitor: Visitor, rosa: Person) -> None:
    bea = await create_user(visitor, "bea@rio-rafting.example", app_metadata={"company_id": str(rosa.company)})
    assert bea["app_metadata"]["company_id"] == str(rosa.company)

    for app_metadata in ({"company_id": str(uuid4())}, {"company_id": 5}, {"company_id": "x"}, {"role": "admin"},
                     {"role": "customer", "company_id": str(rosa.company)}):  # fmt: skip
        response = await visitor.admin("POST", "/admin/users", {"email": GIL, "app_metadata": app_metadata})
        assert error_of(response) == (400, "validation_failed")


async def test_an_existing_password_hash_can_be_imported(visitor: Visitor) -> None:
    created = await create_user(visitor, password_hash=HASHER.hash("from another system"))
    assert json_of(await visitor.sign_in(GIL, "from another system"))["user"]["id"] == created["id"]

    for password_hash in ("$2a$10$abcdefghijklmnopqrstuv", "plain"):
        response = await visitor.admin(
            "POST", "/admin/users", {"email": "x@example.com", "password_hash": password_hash}
        )
        assert error_of(response) == (400, "validation_failed")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, (400, "validation_failed")),
        ({"email": GIL}, (422, "email_exists")),
        ({"email": "no address"}, (400, "validation_failed")),
        ({"phone": "12"}, (400, "validation_failed")),
        ({"email": "x@example.com", "password": "short"}, (422, "weak_password")),
        ({"email": "x@example.com", "role": "service_role"}, (400, "validation_failed")),
        ({"email": "x@example.com", "ban_duration": "forever"}, (400, "validation_failed")),
        ({"email": "x@example.com", "id": "not a uuid"}, (400, "bad_json")),
    ],
)
async def test_an_invalid_request_is_refused(visitor: Visitor, body: dict[str, str], expected: tuple[int, str]) -> None:
    await create_user(visitor)
    assert error_of(await visitor.admin("POST", "/admin/users", body)) == expected


@pytest.mark.accept("AUTH-27")
async def test_users_are_listed_in_pages(visitor: Visitor) -> None:
    for number in range(5):
        await create_user(visitor, f"guest{number}@example.com")

    async def get_page(query: str) -> tuple[list[str], httpx.Response]:
        response = await visitor.admin("GET", f"/admin/users{query}")
        # The number in `guest3@example.com` is the sixth character.
        return [user["email"][5] for user in json_of(response)["users"]], response

    first_page, response = await get_page("?page=&per_page=")
    assert first_page == ["4", "3", "2", "1", "0"]
    assert response.json()["aud"] == "authenticated"
    second_page, response = await get_page("?page=2&per_page=2")
    assert second_page == ["2", "1"]
    assert response.headers["x-total-count"] == "5"
    assert response.headers["link"] == (
        '</admin/users?page=3&per_page=2>; rel="next", </admin/users?page=3&per_page=2>; rel="last"'
    )
    last_page, response = await get_page("?page=3&per_page=2")
    assert last_page == ["0"]
    assert "next" not in response.headers["link"]
    matches, _ = await get_page("?filter=GUEST3")
    assert matches == ["3"]
    for query in ("?page=-1", "?page=x", "?per_page=0", "?page=1.5", "?page=99999999999999999999"):
        assert error_of(await visitor.admin("GET", f"/admin/users{query}")) == (400, "validation_failed")


@pytest.mark.accept("AUTH-28")
async def test_an_administrator_changes_a_user(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up(GIL, role="customer", name="Gil"))
    path = f"/admin/users/{session['user']['id']}"

    changed = json_of(
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
    assert error_of(await visitor.user(session)) == (403, "session_not_found")
    assert json_of(await visitor.sign_in("gil.okafor@example.com", "ten rapids before noon"))
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select email from profiles") == "gil.okafor@example.com"


async def test_an_administrator_cannot_change_role_or_company(visitor: Visitor) -> None:
    created = await create_user(visitor, app_metadata={"role": "customer"})
    for change in ({"role": "company"}, {"company_id": str(uuid4())}, {"role": None}):
        response = await visitor.admin("PUT", f"/admin/users/{created['id']}", {"app_metadata": change})
        assert error_of(response) == (400, "validation_failed")
    unchanged = await visitor.admin("PUT", f"/admin/users/{created['id']}", {"app_metadata": {"role": "customer"}})
    assert unchanged.status_code == 200


async def test_a_ban_expires(visitor: Visitor, advance_clock: AdvanceClock) -> None:
    session = json_of(await visitor.sign_up(GIL))
    path = f"/admin/users/{session['user']['id']}"

    banned = json_of(await visitor.admin("PUT", path, {"ban_duration": "24h"}))

    assert banned["banned_until"]
    assert error_of(await visitor.sign_in(GIL)) == (400, "user_banned")
    assert error_of(await visitor.user(session)) == (403, "user_banned")
    assert error_of(await visitor.refresh(session["refresh_token"])) == (400, "refresh_token_not_found")
    advance_clock(timedelta(hours=25))
    assert json_of(await visitor.sign_in(GIL))
    json_of(await visitor.admin("PUT", path, {"ban_duration": "1h30m"}))
    unbanned = json_of(await visitor.admin("PUT", path, {"ban_duration": "none"}))
    assert "banned_until" not in unbanned


async def test_16l2_a_ban_ends_all_sessions(visitor: Visitor) -> None:
    """16L2 in docs/security.md: with an open session, a banned user went on reading and writing data."""
    session = json_of(await visitor.sign_up(GIL))
    path = f"/admin/users/{session['user']['id']}"
    json_of(await visitor.admin("PUT", path, {"ban_duration": "none"}))
    assert json_of(await visitor.user(session))

    json_of(await visitor.admin("PUT", path, {"ban_duration": "24h"}))

    json_of(await visitor.admin("PUT", path, {"ban_duration": "none"}))
    assert error_of(await visitor.user(session)) == (403, "session_not_found")


@pytest.mark.accept("SIGN-16")
@pytest.mark.parametrize("soft", [True, False])
async def test_deleting_the_account_of_a_company_keeps_its_signed_waivers(
    visitor: Visitor, database: Database, rosa: Person, soft: bool
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    response = await visitor.admin("DELETE", f"/admin/users/{rosa.id}", {"should_soft_delete": soft})

    assert json_of(response) == {}
    async with database.acting_as(SERVICE) as connection:
        waiver_row = await connection.fetchrow("select id, company_id, signer_name from signed_waivers")
        users = await connection.fetch("select email, deleted_at from auth.users")
        assert await connection.fetchval("select count(*) from profiles") == 0
    assert waiver_row is not None
    assert (waiver_row["id"], waiver_row["company_id"]) == (waiver["id"], rosa.company)
    assert [row["email"] for row in users] == ([None] if soft else [])


@pytest.mark.parametrize("soft", [True, False])
async def test_a_deleted_user_cannot_sign_in(visitor: Visitor, soft: bool) -> None:
    session = json_of(await visitor.sign_up(GIL, role="customer"))
    path = f"/admin/users/{session['user']['id']}"
    json_of(await visitor.admin("DELETE", path, {"should_soft_delete": soft}))

    assert (await visitor.user(session)).status_code == 403
    assert error_of(await visitor.refresh(session["refresh_token"])) == (400, "refresh_token_not_found")
    assert error_of(await visitor.sign_in(GIL)) == (400, "invalid_credentials")
    assert json_of(await visitor.admin("GET", "/admin/users"))["users"] == []
    new_account = json_of(await visitor.sign_up(GIL, role="customer"))
    assert new_account["user"]["id"] != session["user"]["id"]


async def test_soft_deletion_removes_the_factors(visitor: Visitor, database: Database) -> None:
    mfa, _ = await enrol_app(visitor, json_of(await visitor.sign_up(GIL, role="customer")))
    json_of(await mfa.recovery_codes())
    path = f"/admin/users/{mfa.session['user']['id']}"

    json_of(await visitor.admin("DELETE", path, {"should_soft_delete": True}))

    async with database.acting_as(SERVICE) as connection:
        for table in ("mfa_factors", "mfa_recovery_codes"):
            assert await connection.fetchval(f"select count(*) from auth.{table}") == 0


async def test_an_unknown_user_is_not_found(visitor: Visitor) -> None:
    for method, body in (("GET", None), ("PUT", {}), ("DELETE", None)):
        assert error_of(await visitor.admin(method, f"/admin/users/{uuid4()}", body)) == (404, "user_not_found")
        malformed = await visitor.admin(method, "/admin/users/no-uuid", body)
        assert error_of(malformed) == (404, "validation_failed")
        assert malformed.json()["message"] == "user_id must be an UUID"


@pytest.mark.accept("AUTH-29")
async def test_only_the_service_key_can_manage_users(visitor: Visitor, keyring: Keyring) -> None:
    rosa = json_of(await visitor.sign_up("rosa@rio-rafting.example"))
    user_id = rosa["user"]["id"]
    requests = [
        ("POST", "/invite"), ("POST", "/admin/generate_link"), ("GET", "/admin/users"), ("POST", "/admin/users"),
        ("GET", f"/admin/users/{user_id}"), ("PUT", f"/admin/users/{user_id}"), ("DELETE", f"/admin/users/{user_id}"),
    ]  # fmt: skip
    for token, expected in (
        (keyring.anon_key, (403, "not_admin")),
        (rosa["access_token"], (403, "not_admin")),
        ("a.b.c", (403, "bad_jwt")),
        ("", (401, "no_authorization")),
    ):
        for method, path in requests:
            headers = {"Authorization": f"Bearer {token}", **API_VERSION_HEADER}
            response = await visitor.client.request(method, path, json={"email": GIL}, headers=headers)
            assert error_of(response) == expected, (method, path, token)
    assert (await visitor.user(rosa)).status_code == 200


async def test_an_admin_token_is_accepted_even_if_its_subject_is_not_a_user(visitor: Visitor, keyring: Keyring) -> None:
    token = keyring.access_token({"sub": "1234567890", "role": "supabase_admin"}, now())
    response = await visitor.client.get("/admin/users", headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 200
