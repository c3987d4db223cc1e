"""7D1: a company or guest who cannot be deleted yet does not delay the deletion of others.

7D2: a deletion is decided before it destroys anything. 7D3: it destroys nothing that belongs to a stranger.

7D1, 7D2 and 7D3 are findings in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.deletion import delete_due_accounts, delete_due_companies
from cairn.functions import FunctionsContext
from cairn.kit import now
from tests.factories import make_session, sign
from tests.functions.deletions import signed_in
from tests.functions_service import functions_client
from tests.people import Person, sign_up
from tests.waiting import wait_until_true
from tests.waivers.acts import hold

# Earlier versions of the worker looked at no more than this many due companies and guests at a time.
OLD_COMPANY_LIMIT, OLD_GUEST_LIMIT = 20, 100
ADD_GUESTS = """
insert into auth.users (email, email_confirmed_at, app_metadata, user_metadata)
select 'guest' || n || '@example.org', now(), '{"role": "customer"}', '{"name": "Guest"}'
  from generate_series(1, $1) as n
"""
IS_WAITING = """
select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')
"""
DELETE_AT = "update companies set delete_at = now() - $2::text::interval where id = $1"
# A company whose deletion is overdue for this long has already got its last emails.
AFTER_LAST_EMAILS = "2 days"


@pytest_asyncio.fixture
async def owner(context: FunctionsContext, rosa: Person) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": "Bearer rosa"}
    async with functions_client(context, {"rosa": signed_in(rosa, 60)}) as client:
        client.headers.update(headers)
        yield client


async def delete_companies(context: FunctionsContext) -> int:
    return await delete_due_companies(context.billing, context.documents.storage, now())


async def test_7d1_companies_on_legal_hold_do_not_delay_the_deletion_of_others(
    context: FunctionsContext, database: Database, admin: Connection, rosa: Person
) -> None:
    for number in range(OLD_COMPANY_LIMIT):
        person = await sign_up(database, f"held{number}@example.org", "Mallory", company=f"Held {number}")
        waiver = await sign(database, await make_session(database, person))
        await hold(database, person, waiver["id"])
        await admin.execute(DELETE_AT, person.company, "3 days")
    await admin.execute(DELETE_AT, rosa.company, AFTER_LAST_EMAILS)

    assert await delete_companies(context) == 1

    assert await admin.fetchval("select deleted_at is not null from companies where id = $1", rosa.company)
    assert await admin.fetchval("select count(*) from companies where deleted_at is not null") == 1


async def test_7d1_guests_whose_last_email_waits_do_not_delay_the_deletion_of_others(
    context: FunctionsContext, database: Database, admin: Connection
) -> None:
    await admin.execute(ADD_GUESTS, OLD_GUEST_LIMIT)
    await admin.execute("update profiles set delete_at = now() - interval '2 hours'")
    stranger = await sign_up(database, "stranger@example.org", "Someone", company=None, is_confirmed=False)
    await admin.execute("update profiles set delete_at = now() - interval '1 hour' where id = $1", stranger.id)

    assert await delete_due_accounts(context.billing, context.documents.storage, now()) == 1

    assert await admin.fetchval("select count(*) from profiles where id = $1", stranger.id) == 0
    assert await admin.fetchval("select count(*) from profiles where delete_at is not null") == OLD_GUEST_LIMIT


async def test_7d2_a_hold_at_the_last_moment_stops_the_deletion_before_anything_is_destroyed(
    context: FunctionsContext, database: Database, admin: Connection, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker waits for a hold that is about to be saved."""
    erased_owners: list[UUID] = []

    async def note_owner(owner_id: UUID) -> None:
        erased_owners.append(owner_id)

    monkeypatch.setattr(context.documents.storage, "erase_files_of", note_owner)
    waiver = await sign(database, await make_session(database, rosa))
    await admin.execute(DELETE_AT, rosa.company, AFTER_LAST_EMAILS)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("select hold_waiver($1, 'A claim is open')", waiver["id"])
        deletion = asyncio.create_task(delete_companies(context))
        await wait_until_true(admin, IS_WAITING)

    assert await deletion == 0
    assert erased_owners == []
    row = await admin.fetchrow("select deleted_at, name from companies where id = $1", rosa.company)
    assert row is not None
    assert (row["deleted_at"], bool(row["name"])) == (None, True)


async def test_7d2_once_files_are_erased_the_company_cannot_be_kept_and_its_waivers_cannot_be_held(
    owner: httpx.AsyncClient,
    context: FunctionsContext,
    database: Database,
    admin: Connection,
    rosa: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    await admin.execute(DELETE_AT, rosa.company, AFTER_LAST_EMAILS)
    erase_files = context.documents.storage.erase_files_of
    keep_responses: list[httpx.Response] = []

    async def act_meanwhile(owner_id: UUID) -> None:
        await erase_files(owner_id)
        keep_responses.append(await owner.post("/keep-company", json={}))
        with pytest.raises(asyncpg.PostgresError, match="This waiver has been erased"):
            await hold(database, rosa, waiver["id"])
        raise ConnectionError("the file store cannot be reached")

    with monkeypatch.context() as patch:
        patch.setattr(context.documents.storage, "erase_files_of", act_meanwhile)
        assert await delete_companies(context) == 0

    [refused] = keep_responses
    assert (refused.status_code, refused.json()["code"]) == (409, "company_is_being_deleted")
    assert await delete_companies(context) == 1, "the steps are repeated"
    assert await admin.fetchval("select count(*) from profiles where company_id = $1", rosa.company) == 0
    assert await admin.fetchval("select count(*) from waivers.signed where erased_at is null") == 0


async def test_7d2_a_deletion_that_has_begun_is_finished_although_the_account_is_handed_over(
    context: FunctionsContext, admin: Connection, mallory: Person
) -> None:
    await admin.execute(DELETE_AT, mallory.company, AFTER_LAST_EMAILS)
    await admin.execute("update companies set deleted_at = now() where id = $1", mallory.company)

    await admin.execute("update auth.users set handed_over_at = now() where id = $1", mallory.id)

    assert await delete_companies(context) == 1


async def test_7d3_the_emails_to_a_stranger_stay_when_an_unconfirmed_account_with_her_address_is_deleted(
    context: FunctionsContext, database: Database, admin: Connection, rosa: Person
) -> None:
    mallory = await sign_up(database, "nia@example.org", "Mallory", company=None, is_confirmed=False)
    for recipient in (mallory.email, rosa.email):
        await admin.execute("insert into emails (recipient, subject, body) values ($1, 'Hello', '')", recipient)
    await admin.execute("update profiles set delete_at = now() - interval '2 days' where id = $1", mallory.id)
    await admin.execute(DELETE_AT, rosa.company, AFTER_LAST_EMAILS)

    assert await delete_due_accounts(context.billing, context.documents.storage, now()) == 1
    assert await delete_companies(context) == 1

    assert [row["recipient"] for row in await admin.fetch("select recipient from emails")] == [mallory.email]
