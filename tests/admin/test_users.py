"""The operator lists users, makes links for new passwords, and suspends users."""

import pytest

from cairn.admin.context import AdminContext
from cairn.admin.errors import UserUnknown
from cairn.admin.list_users import list_users
from cairn.admin.reset_user import reset_user
from cairn.admin.suspend_user import resume_user, suspend_user
from cairn.db import Database
from tests.admin.audit_log import logged_acts
from tests.people import Person, signed_in


@pytest.mark.accept("OPS-46")
async def test_users_are_found_by_address_and_name(context: AdminContext, rosa: Person, gil: Person) -> None:
    everyone = await list_users(context, "", 50)
    [found] = (await list_users(context, "marín", 50)).rows

    assert [row["email"] for row in everyone.rows] == [gil.email, rosa.email]
    assert found["id"] == rosa.id
    assert found["company"] == "Rio Rafting"
    assert found["state"] == "active"


@pytest.mark.accept("OPS-46")
async def test_a_reset_makes_a_link_for_a_new_password_and_is_logged(
    context: AdminContext, database: Database, rosa: Person
) -> None:
    report = await reset_user(context, rosa.email)

    [row] = report.rows
    assert str(row["link"]).startswith("http://127.0.0.1:8000/auth/v1/verify?")
    assert str(row["link"]) in str(report.message)
    assert [act for act, _ in await logged_acts(database, rosa.id)] == ["link_generated"]


@pytest.mark.accept("OPS-46")
async def test_a_suspended_user_is_signed_out_until_resumed(
    context: AdminContext, database: Database, rosa: Person
) -> None:
    principal = await signed_in(database, rosa)

    await suspend_user(context, str(rosa.id))

    async with database.acting_as(principal, read_only=True) as connection:
        assert await connection.fetchval("select auth.uid()") is None
    assert [row["state"] for row in (await list_users(context, "rosa", 50)).rows] == ["suspended"]
    await resume_user(context, rosa.email.upper())
    assert [row["state"] for row in (await list_users(context, "rosa", 50)).rows] == ["active"]
    assert await logged_acts(database, rosa.id) == [
        ("user_suspended", {"by": "operator"}),
        ("user_resumed", {"by": "operator"}),
    ]


async def test_an_unknown_user_is_reported(context: AdminContext) -> None:
    with pytest.raises(UserUnknown, match="no user ann@example.com"):
        await suspend_user(context, "ann@example.com")
