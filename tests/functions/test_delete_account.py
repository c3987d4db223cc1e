"""A guest deletes their account: after a fresh sign-in, with a waiting period, and without leaving a trace.

IL1 and I6 are findings in docs/security.md.
"""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.deletion import delete_due_accounts
from cairn.functions import FunctionsContext
from cairn.kit import now
from tests.factories import make_session, sign
from tests.functions.deletions import acts, call, pass_days, request_twice, signed_in
from tests.functions.stored_data import expect_all_stored, expect_none_stored, stored_files_with
from tests.functions_service import functions_client
from tests.mail_server import MailServer
from tests.people import Person, sign_up
from tests.waiting import wait_until_true

NAME, EMAIL = "Zebulon Quist", "zebulon@example.org"
PICTURE = b"a picture of Zebulon"


@pytest_asyncio.fixture
async def zebulon(database: Database) -> Person:
    return await sign_up(database, EMAIL, NAME, company=None)


@pytest_asyncio.fixture
async def deletion_client(
    context: FunctionsContext, zebulon: Person, rosa: Person, bea: Person, database: Database
) -> AsyncIterator[httpx.AsyncClient]:
    unconfirmed = await sign_up(database, "stranger@example.org", "Someone Else", company=None, is_confirmed=False)
    people = {
        "zebulon": signed_in(zebulon, 60), "zebulon an hour ago": signed_in(zebulon, 3600),
        "zebulon without a sign-in": zebulon.principal, "unconfirmed": signed_in(unconfirmed, 60),
        "rosa": signed_in(rosa, 60), "bea": signed_in(bea, 60), "service": SERVICE, "anon": ANON,
    }  # fmt: skip
    async with functions_client(context, people) as client:
        yield client


async def delete_due(context: FunctionsContext) -> int:
    return await delete_due_accounts(context.billing, context.documents.storage, now())


@pytest.mark.accept("TRUE-33")
@pytest.mark.usefixtures("worker")
async def test_a_guest_requests_the_deletion_and_gets_an_email(
    deletion_client: httpx.AsyncClient, admin: Connection, zebulon: Person, mail_server: MailServer
) -> None:
    delete_at = await request_twice(deletion_client, "zebulon", "delete-account", waiting_days=7)

    await wait_until_true(admin, "select count(*) = 1 from emails where status = 'delivered'")
    [email] = mail_server.emails
    assert email["To"] == EMAIL
    assert email["Subject"] == f"Your account will be deleted on {delete_at:%B} {delete_at.day}, {delete_at.year}"
    assert await acts(admin, zebulon) == ["deletion_requested"]


@pytest.mark.accept("TRUE-33")
async def test_a_guest_keeps_the_account_within_the_waiting_period(
    deletion_client: httpx.AsyncClient, context: FunctionsContext, admin: Connection, zebulon: Person
) -> None:
    await call(deletion_client, "zebulon", "delete-account")
    await pass_days(admin, "profiles", 6)
    assert await delete_due(context) == 0

    response = await call(deletion_client, "zebulon an hour ago", "keep-account")

    assert response.status_code == 200, response.text
    await pass_days(admin, "profiles", 30)
    assert await delete_due(context) == 0
    assert await acts(admin, zebulon) == ["deletion_requested", "deletion_cancelled"]


@pytest.mark.accept("TRUE-33")
@pytest.mark.parametrize(
    ("caller", "status", "code"),
    [
        ("zebulon an hour ago", 403, "recent_sign_in_needed"),
        ("zebulon without a sign-in", 403, "recent_sign_in_needed"),
        ("rosa", 403, "only_guests_delete"),
        ("bea", 403, "only_guests_delete"),
        ("anon", 401, "deletion_needs_sign_in"),
        ("service", 401, "deletion_needs_sign_in"),
    ],
)
async def test_everyone_else_is_refused(
    deletion_client: httpx.AsyncClient, admin: Connection, caller: str, status: int, code: str
) -> None:
    response = await call(deletion_client, caller, "delete-account")

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert await admin.fetchval("select count(*) from profiles where delete_at is not null") == 0


async def test_the_account_cannot_be_kept_after_the_waiting_period(
    deletion_client: httpx.AsyncClient, admin: Connection
) -> None:
    await call(deletion_client, "zebulon", "delete-account")
    await pass_days(admin, "profiles", 8)

    response = await call(deletion_client, "zebulon", "keep-account")

    assert (response.status_code, response.json()["code"]) == (409, "account_is_being_deleted")


async def test_no_one_schedules_a_deletion_by_editing_the_profile(database: Database, zebulon: Person) -> None:
    async with database.acting_as(zebulon.principal) as connection:
        with pytest.raises(Exception, match="permission denied"):
            await connection.execute("update profiles set delete_at = now()")


async def test_an_address_that_was_never_confirmed_gets_no_email(
    deletion_client: httpx.AsyncClient, context: FunctionsContext, admin: Connection
) -> None:
    await call(deletion_client, "unconfirmed", "delete-account")
    await pass_days(admin, "profiles", 8)

    assert await delete_due(context) == 1

    assert await admin.fetchval("select count(*) from emails") == 0


async def test_il1_the_complaint_of_a_stranger_stays_when_an_unconfirmed_account_with_her_address_is_deleted(
    deletion_client: httpx.AsyncClient, context: FunctionsContext, admin: Connection, zebulon: Person
) -> None:
    for address in ("stranger@example.org", zebulon.email):
        await admin.execute(
            "insert into messaging.suppressions (scope, address, reason) values ('service', $1, 'complaint')", address
        )
    await call(deletion_client, "zebulon", "delete-account")
    await call(deletion_client, "unconfirmed", "delete-account")
    await pass_days(admin, "profiles", 9)

    assert await delete_due(context) == 2

    addresses = await admin.fetch("select address from messaging.suppressions")
    assert [row["address"] for row in addresses] == ["stranger@example.org"]


async def test_i6_an_account_that_cannot_be_deleted_does_not_stop_the_others(
    deletion_client: httpx.AsyncClient, context: FunctionsContext, admin: Connection, zebulon: Person
) -> None:
    await call(deletion_client, "zebulon", "delete-account")
    await call(deletion_client, "unconfirmed", "delete-account")
    await pass_days(admin, "profiles", 9)
    await admin.execute(
        f"""
        create function public.fail() returns trigger language plpgsql as $$begin raise exception 'kept'; end$$;
        create trigger fail before delete on auth.users
            for each row when (old.id = '{zebulon.id}') execute function public.fail();
        """
    )
    assert await delete_due(context) == 1

    await admin.execute("drop trigger fail on auth.users")
    assert await delete_due(context) == 1


@pytest.mark.accept("TRUE-34")
@pytest.mark.usefixtures("worker")
async def test_after_the_deletion_no_byte_about_the_guest_is_left(
    deletion_client: httpx.AsyncClient,
    context: FunctionsContext,
    admin: Connection,
    admin_url: str,
    zebulon: Person,
    mail_server: MailServer,
) -> None:
    files = context.documents.storage
    await files.put("profile-pictures", f"{zebulon.id}/me.png", PICTURE, content_type="image/png")
    await admin.execute("update storage.objects set owner_id = $1", str(zebulon.id))
    await admin.execute("update profiles set profile_picture = $2 where id = $1", zebulon.id, f"{zebulon.id}/me.png")
    await admin.execute("insert into auth.sessions (user_id, ip) values ($1, '203.0.113.99')", zebulon.id)
    await admin.execute("select auth.log_act($1, 'login', '203.0.113.99')", zebulon.id)
    await call(deletion_client, "zebulon", "delete-account")
    await wait_until_true(admin, "select count(*) = 1 from emails where status = 'delivered'")
    personal = [NAME, "Zebulon", EMAIL, "203.0.113.99"]
    await expect_all_stored(personal, admin_url)
    await pass_days(admin, "profiles", 7)

    assert await delete_due(context) == 0, "the last email is sent first"
    await wait_until_true(admin, "select count(*) = 2 from emails where status = 'delivered'")
    assert await delete_due(context) == 1

    assert [email["Subject"] for email in mail_server.emails][1:] == ["Your account is deleted"]
    await expect_none_stored(personal, admin_url)
    assert stored_files_with(PICTURE, context.documents.data_folder) == []
    assert await acts(admin, zebulon) == ["user_deleted"]


@pytest.mark.accept("TRUE-34")
async def test_the_waivers_of_a_deleted_guest_stay_with_their_company(
    deletion_client: httpx.AsyncClient, context: FunctionsContext, database: Database, admin: Connection, rosa: Person
) -> None:
    await sign(database, await make_session(database, rosa), name=NAME, signer_email=EMAIL)
    await call(deletion_client, "zebulon", "delete-account")
    await pass_days(admin, "profiles", 9)

    assert await delete_due(context) == 1, "the last email has waited for more than a day"

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select signer_email from signed_waivers") == EMAIL
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_a_deletion_can_be_requested_and_cancelled_three_times_a_day(
    deletion_client: httpx.AsyncClient, admin: Connection
) -> None:
    """Each request sends an email and is logged."""
    for _ in range(3):
        assert (await call(deletion_client, "zebulon", "delete-account")).status_code == 200
        assert (await call(deletion_client, "zebulon", "keep-account")).status_code == 200
    emails = await admin.fetchval("select count(*) from emails")

    response = await call(deletion_client, "zebulon", "delete-account")

    assert (response.status_code, response.json()["code"]) == (429, "too_many_deletions")
    assert await admin.fetchval("select count(*) from emails") == emails
