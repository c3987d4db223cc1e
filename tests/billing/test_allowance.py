"""A plan can have a monthly limit. The database counts every waiver that is sent as an email or text message."""

import asyncio
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.messaging import Email, add_email
from tests.billing.conftest import BillingClient, query_as
from tests.factories import make_session, record_sending
from tests.people import Person

BASIC_PRICE_CENTS = 2000
PROFESSIONAL_PRICE_CENTS = 4000
REFUSAL_START = "Without a plan you can send 1000 waivers a month, and that many were sent in "


async def set_count(admin: Connection, person: Person, sent_count: int) -> None:
    await admin.execute(
        """
        insert into billing.sendings_by_month values ($1, billing.this_month(), $2)
        on conflict (company_id, month) do update set sent = excluded.sent
        """,
        person.company, sent_count,
    )  # fmt: skip


async def read_count(admin: Connection, person: Person) -> int:
    sent_count: int | None = await admin.fetchval(
        "select sent from billing.sendings_by_month where company_id = $1", person.company
    )
    return sent_count or 0


async def add_waiver_email(
    database: Database, company: UUID, session_id: UUID | None, *, to: str = "gil@example.com", **options: object
) -> UUID:
    email = Email(uuid4(), to, "Please sign", "Hello")
    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, email, company_id=company, session_id=session_id, **options)  # type: ignore[arg-type] # any option
    return email.id


async def set_status(database: Database, email_id: UUID, status: str) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update emails set status = $2 where id = $1", email_id, status)


async def send(client: BillingClient, session_id: UUID, attachment_type: str = "link") -> httpx.Response:
    """Sends a waiver as the dashboard does. No worker runs, so an accepted email stays `sending`."""
    email = {"to": "gil@example.com", "subject": "Please sign", "body": "Hello"}
    return await client.call(
        "send-email", "rosa", {**email, "sessionId": str(session_id), "attachmentType": attachment_type}
    )


@pytest.fixture(autouse=True)
def _return_before_the_email_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.functions.email_outcome._WAIT_SECONDS", 0.01)


@pytest.mark.accept("PLAN-04", "PLAN-07")
@pytest.mark.parametrize("attachment_type", ["link", "pdf"])
async def test_the_thousandth_waiver_is_sent_and_the_next_is_refused_with_the_limit(
    sandbox_client: BillingClient, database: Database, admin: Connection, rosa: Person, attachment_type: str
) -> None:
    await set_count(admin, rosa, 999)
    allowed_session, refused_session = await make_session(database, rosa), await make_session(database, rosa)

    assert (await send(sandbox_client, allowed_session, attachment_type)).status_code == 202
    refused_response = await send(sandbox_client, refused_session, attachment_type)

    assert (refused_response.status_code, refused_response.json()["code"]) == (402, "plan_limit_reached")
    assert refused_response.json()["error"].startswith(REFUSAL_START)
    assert refused_response.json()["error"].endswith("The Professional plan has no limit.")
    assert await read_count(admin, rosa) == 1000
    assert await admin.fetchval("select count(*) from emails where session_id = $1", refused_session) == 0


@pytest.mark.accept("PLAN-04", "PLAN-07")
async def test_the_basic_plan_has_the_limit_and_the_professional_plan_has_none(
    sandbox_client: BillingClient, database: Database, admin: Connection, rosa: Person
) -> None:
    await set_count(admin, rosa, 1000)
    session = await make_session(database, rosa)
    await sandbox_client.pay(await sandbox_client.open_checkout("rosa", BASIC_PRICE_CENTS))
    refused_response = await send(sandbox_client, session)
    assert refused_response.json()["error"].startswith("The Basic plan covers 1000 waivers a month")

    await sandbox_client.pay(await sandbox_client.open_checkout("rosa", PROFESSIONAL_PRICE_CENTS))

    assert (await send(sandbox_client, session)).status_code == 202
    assert await query_as(database, rosa, "select sent, covered from waiver_allowance()") == [
        {"sent": 1001, "covered": None}
    ]


@pytest.mark.accept("PLAN-06")
async def test_only_one_of_two_simultaneous_sends_at_the_limit_succeeds(
    sandbox_client: BillingClient, database: Database, admin: Connection, rosa: Person
) -> None:
    await set_count(admin, rosa, 999)
    sessions = [await make_session(database, rosa) for _ in range(2)]

    responses = await asyncio.gather(*(send(sandbox_client, session) for session in sessions))

    assert sorted(response.status_code for response in responses) == [202, 402]
    assert await read_count(admin, rosa) == 1000


async def test_simultaneous_emails_never_exceed_the_limit(database: Database, admin: Connection, rosa: Person) -> None:
    await set_count(admin, rosa, 990)
    sessions = [await make_session(database, rosa) for _ in range(20)]

    results = await asyncio.gather(
        *(add_waiver_email(database, rosa.company, session) for session in sessions), return_exceptions=True
    )

    refusals = [result for result in results if isinstance(result, asyncpg.PostgresError)]
    assert (len(refusals), {error.sqlstate for error in refusals}) == (10, {"PT402"})
    assert await read_count(admin, rosa) == 1000


@pytest.mark.accept("PLAN-05")
async def test_failed_emails_reminders_and_repeated_emails_do_not_count(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await set_count(admin, rosa, 999)
    session = await make_session(database, rosa)

    failed_email = await add_waiver_email(database, rosa.company, session)
    assert await read_count(admin, rosa) == 1000
    await set_status(database, failed_email, "failed")
    assert await read_count(admin, rosa) == 999

    delivered_email = await add_waiver_email(database, rosa.company, session)
    await set_status(database, delivered_email, "delivered")
    await add_waiver_email(database, rosa.company, session)
    await add_waiver_email(database, rosa.company, session, kind="reminder")
    await add_waiver_email(database, rosa.company, None, kind="copy")

    assert await read_count(admin, rosa) == 1000


async def counts_around_failure(
    database: Database, admin: Connection, person: Person, email_id: UUID
) -> tuple[int, int]:
    """Lets the email fail, and returns how many waivers of the company count before and after that."""
    before = await read_count(admin, person)
    await set_status(database, email_id, "failed")
    return before, await read_count(admin, person)


async def test_a_failed_email_without_a_session_does_not_count(
    database: Database, admin: Connection, rosa: Person
) -> None:
    first = await add_waiver_email(database, rosa.company, None)
    await add_waiver_email(database, rosa.company, None)

    assert await counts_around_failure(database, admin, rosa, first) == (2, 1)


async def test_a_corrected_address_does_not_count_if_the_first_email_failed(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session = await make_session(database, rosa)
    failed = await add_waiver_email(database, rosa.company, session, to="gil@exmaple.com")
    await set_status(database, await add_waiver_email(database, rosa.company, session), "delivered")

    assert await counts_around_failure(database, admin, rosa, failed) == (2, 1)


async def test_a_waiver_counted_by_an_earlier_version_is_not_counted_again(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session = await make_session(database, rosa)
    await add_waiver_email(database, rosa.company, session)
    # Earlier versions did not store the recipient.
    await admin.execute("update billing.counted_sendings set recipient = ''")

    await add_waiver_email(database, rosa.company, session)

    assert await read_count(admin, rosa) == 1


@pytest.mark.accept("PLAN-05")
async def test_a_failed_second_email_does_not_reduce_the_count(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session = await make_session(database, rosa)
    await set_status(database, await add_waiver_email(database, rosa.company, session), "delivered")

    await set_status(database, await add_waiver_email(database, rosa.company, session), "failed")

    assert await read_count(admin, rosa) == 1


@pytest.mark.accept("PLAN-04")
async def test_the_count_starts_again_with_each_calendar_month_in_utc(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await admin.execute(
        "insert into billing.sendings_by_month values ($1, (billing.this_month() - interval '1 month')::date, 1000)",
        rosa.company,
    )
    async with database.acting_as(rosa.principal, {"timezone": "Pacific/Kiritimati"}) as connection:
        month = await connection.fetchval("select month from waiver_allowance()")

    await add_waiver_email(database, rosa.company, await make_session(database, rosa))

    assert month == await admin.fetchval("select date_trunc('month', now() at time zone 'UTC')::date")
    assert await query_as(database, rosa, "select sent, covered from waiver_allowance()") == [
        {"sent": 1, "covered": 1000}
    ]


@pytest.mark.accept("PLAN-04")
@pytest.mark.parametrize("time_zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
async def test_a_month_begins_and_ends_at_midnight_in_utc(admin: Connection, time_zone: str) -> None:
    await admin.execute(f"set timezone to '{time_zone}'")

    months = await admin.fetchval(
        """
        select array_agg(billing.month_of(moment::timestamptz)::text order by moment)
          from unnest(array['2026-10-31 23:59:59.999999+00', '2026-11-01 00:00:00+00']) as moment
        """
    )

    assert months == ["2026-10-01", "2026-11-01"]
    # The count uses this function with the time of the transaction.
    source = await admin.fetchval("select pg_get_functiondef('billing.this_month'::regproc)")
    assert "RETURN billing.month_of(now())" in source


@pytest.mark.accept("PLAN-08")
async def test_at_the_limit_everything_else_still_works(
    sandbox_client: BillingClient, database: Database, admin: Connection, rosa: Person
) -> None:
    """A waiver can be sent again, a session can be created, and a reminder can be sent."""
    await set_count(admin, rosa, 999)
    session = await make_session(database, rosa)
    await send(sandbox_client, session)

    assert (await send(sandbox_client, session)).status_code == 202, "the same waiver can be sent again"
    assert await make_session(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        reminder_count = await connection.fetchval("select send_reminders($1)", [session])
    assert reminder_count == 1


async def test_a_refused_waiver_is_not_sent_as_a_reminder(
    sandbox_client: BillingClient, database: Database, admin: Connection, rosa: Person
) -> None:
    await set_count(admin, rosa, 999)
    sent_session, refused_session, never_sent_session = [await make_session(database, rosa) for _ in range(3)]
    for session in (sent_session, refused_session):
        await record_sending(database, rosa, session)
        await send(sandbox_client, session)
    assert await remind_all(database, rosa) == {sent_session}, "the others were never sent"

    await sandbox_client.pay(await sandbox_client.open_checkout("rosa", PROFESSIONAL_PRICE_CENTS))
    # No worker runs here, so the test closes the first reminder, as the worker does after it has sent one.
    await admin.execute("update waivers.reminders set open = false")

    assert await remind_all(database, rosa) == {sent_session, never_sent_session, refused_session}


async def remind_all(database: Database, person: Person) -> set[UUID]:
    """Sends reminders for all sessions, and returns the ids of the sessions that have a reminder."""
    async with database.acting_as(person.principal) as connection:
        await connection.fetchval("select send_reminders()")
        rows = await connection.fetch("select session_id from waivers.reminders")
    return {row["session_id"] for row in rows}


async def test_each_company_has_its_own_count_and_sees_no_other_count(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    await set_count(admin, rosa, 1000)

    await add_waiver_email(database, mallory.company, await make_session(database, mallory))

    assert await query_as(database, mallory, "select sent from waiver_allowance()") == [{"sent": 1}]
    assert await query_as(database, mallory, "select sent from billing.sendings_by_month") == [{"sent": 1}]
