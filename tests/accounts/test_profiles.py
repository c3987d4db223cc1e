"""People may change some fields of their profile and not the others."""

import asyncpg
import pytest

from cairn.db import Connection
from tests.accounts.conftest import GIL, Accounts
from tests.people import Person

OWN_ROW = "where id = auth.uid()"


@pytest.mark.accept("PROF-10", "ENT-03")
async def test_a_changed_name_bio_and_picture_are_shown_in_another_session(accounts: Accounts) -> None:
    first_session = await accounts.sign_up(GIL)
    picture = f"{first_session['user']['id']}/face.png"
    await accounts.fetch(
        first_session,
        f"update profiles set name = 'Gil O.', bio = 'Paddles', profile_picture = $1 {OWN_ROW}",
        picture,
    )

    second_session = await accounts.sign_in(GIL)
    [profile] = await accounts.fetch(second_session, "select name, bio, profile_picture from profiles")

    assert tuple(profile) == ("Gil O.", "Paddles", picture)


@pytest.mark.accept("PROF-12")
@pytest.mark.parametrize(
    "protected",
    [
        "email = 'rosa@rio-rafting.example'",
        "id = gen_random_uuid()",
        "role = 'company'",
        "company_id = (select id from companies limit 1)",
        "created_at = now()",
    ],
)
async def test_the_protected_columns_of_a_profile_cannot_be_updated(accounts: Accounts, protected: str) -> None:
    session = await accounts.sign_up(GIL)

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await accounts.fetch(session, f"update profiles set name = 'Gil', {protected} {OWN_ROW}")


@pytest.mark.accept("PROF-12")
async def test_user_metadata_changes_neither_role_nor_trial(accounts: Accounts, admin: Connection) -> None:
    session = await accounts.sign_up(GIL)
    await accounts.visitor.change(
        session, data={"role": "company", "subscribed": True, "company_id": "1"}, app_metadata={"role": "company"}
    )

    [profile] = await accounts.fetch(await accounts.sign_in(GIL), "select role, company_id from profiles")

    assert tuple(profile) == ("customer", None)
    assert await admin.fetchval("select subscribed from billing.trials") is False
    assert await admin.fetchval("select app_metadata ->> 'role' from auth.users") == "customer"


@pytest.mark.parametrize("path", ["{stranger}/face.png", "{own}/../x.png", "{own}/a/b.png", "https://evil.example/x"])
async def test_a_profile_picture_must_be_in_the_owners_own_folder(accounts: Accounts, rosa: Person, path: str) -> None:
    session = await accounts.sign_up(GIL)
    picture = path.format(stranger=rosa.id, own=session["user"]["id"])

    with pytest.raises(asyncpg.CheckViolationError):
        await accounts.fetch(session, f"update profiles set profile_picture = $1 {OWN_ROW}", picture)
