"""Reminders are sent by the button or by the company's schedule, and never to guests who do not want them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TypeAlias
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.db import ANON, SERVICE, Database
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.messaging import Email, MessagingSettings, add_email, retry_emails
from cairn.messaging.send_email import INTERRUPTED, send_email
from cairn.waivers import DocumentContext, queue_scheduled_reminders, stop_page
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.timeline import timeline
from cairn.waivers.reminders import write_reminder
from cairn.waivers.reminders.rules import ReminderSchedule, cancellation_reason, is_sensible_hour, latest_sending_time
from tests.factories import make_session, sign
from tests.fixture_of import fixture_of
from tests.mail_server import MailServer, html_body, plain_body, running_mail_server
from tests.people import Person
from tests.running_worker import mail_sender, worker_running
from tests.waiting import PATIENCE_SECONDS

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
NOON = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "hour", "is_sensible"),
    [
        ("UTC", 8, False), ("UTC", 9, True), ("UTC", 18, True), ("UTC", 19, False),
        ("America/Denver", 14, False), ("America/Denver", 15, True), ("America/Denver", 3, False),
        ("Pacific/Auckland", 22, True), ("Asia/Kolkata", 3, False), ("Asia/Kolkata", 4, True),
        ("Nowhere/Atlantis", 12, True), ("../../etc/passwd", 3, False),
    ],
)  # fmt: skip
def test_reminders_are_not_sent_at_night(zone: str, hour: int, is_sensible: bool) -> None:
    assert is_sensible_hour(NOON.replace(hour=hour), zone) is is_sensible


def test_the_schedule_computes_when_a_reminder_is_due() -> None:
    schedule = ReminderSchedule(first_days=3, every_days=5, max_reminders=2)

    assert schedule.first_due_if_opened_before(NOON) == NOON - timedelta(days=3)
    assert schedule.due_again_if_reminded_before(NOON) == NOON - timedelta(days=5)


@pytest.mark.parametrize(
    ("status", "expires_in", "has_opted_out", "reason"),
    [
        ("pending", 1, False, None),
        ("signed", 1, False, "Not sent: the waiver was signed in the meantime."),
        ("cancelled", 1, False, "Not sent: the waiver was cancelled in the meantime."),
        ("pending", 0, False, "Not sent: the link has expired in the meantime."),
        ("pending", 1, True, "Not sent: the recipient has stopped reminders."),
    ],
)
def test_a_cancelled_reminder_has_a_reason(
    status: str, expires_in: int, has_opted_out: bool, reason: str | None
) -> None:
    assert cancellation_reason(status, NOON + timedelta(days=expires_in), has_opted_out, NOON) == reason


def test_a_reminder_is_not_sent_after_its_link_expired_or_two_days_late() -> None:
    assert latest_sending_time(NOON, NOON + timedelta(days=30)) == NOON + timedelta(days=2)
    assert latest_sending_time(NOON, NOON + timedelta(hours=1)) == NOON + timedelta(hours=1)


mail_server = fixture_of(running_mail_server)


@asynccontextmanager
async def worker_with_mail(
    database: Database, login_url: str, documents: DocumentContext, mail_server: MailServer
) -> AsyncIterator[None]:
    settings = MessagingSettings(smtp=mail_server.settings)
    async with (
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=settings, documents=documents),
    ):
        yield


async def press_remind_button(database: Database, person: Person, *sessions: UUID) -> int:
    """Reminds the guests of these sessions, or of all sessions if none is given. Returns the number of reminders."""
    async with database.acting_as(person.principal) as connection:
        queued: int = await connection.fetchval("select send_reminders($1)", list(sessions) or None)
    return queued


async def set_age_in_days(admin: Admin, session_id: UUID, days: float) -> None:
    await admin.execute(
        "update waivers.sessions set created_at = now() - $2 * interval '1 day' where id = $1", session_id, days
    )


async def test_the_button_reminds_exactly_those_who_have_not_signed(
    database: Database,
    admin: Admin,
    login_url: str,
    documents: DocumentContext,
    mail_server: MailServer,
    rosa: Person,
    mallory: Person,
) -> None:
    pending_session = await make_session(database, rosa)
    signed_session = await make_session(database, rosa, name="Ana Ortiz", email="ana@example.com")
    await sign(database, signed_session)
    expired_session = await make_session(database, rosa, name="Eva Late", email="eva@example.com")
    await admin.execute(
        "update waivers.sessions set expires_at = now() - interval '1 minute' where id = $1", expired_session
    )
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("insert into waiver_sessions (template_id, status) values ('t', 'template_default')")
        await connection.execute("insert into waiver_sessions (template_id, recipient_name) values ('t', 'No Address')")
    await make_session(database, mallory, email="rival@example.com")

    assert await press_remind_button(database, rosa) == 1
    async with worker_with_mail(database, login_url, documents, mail_server):
        # The worker also sends a copy of the signed waiver, before or after the reminder.
        await wait_until(admin, "select count(*) = 1 from emails where kind = 'reminder' and status <> 'sending'")

    [email] = [email for email in mail_server.emails if email["Subject"].startswith("Reminder")]
    link = f"https://waivers.example/waivers/sign/session/{pending_session}"
    assert email["To"] == "gil@example.com"
    assert email["Subject"] == "Reminder: please sign General Liability Waiver"
    assert email["From"].startswith("Rio Rafting")
    assert "Hi Gil," in plain_body(email)
    assert link in plain_body(email)
    assert f'href="{link}"' in html_body(email)
    stop_link = email["List-Unsubscribe"].strip().strip("<>")
    assert email["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop_link in plain_body(email)
    assert f'href="{stop_link}"' in html_body(email)


@pytest.mark.accept("DASH-03")
async def test_a_second_click_queues_no_reminder_while_the_first_is_still_queued(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, mail_server: MailServer, rosa: Person
) -> None:
    await make_session(database, rosa)
    anas_session = await make_session(database, rosa, email="ana@example.com")

    clicks = await asyncio.gather(*(press_remind_button(database, rosa) for _ in range(5)))
    async with worker_with_mail(database, login_url, documents, mail_server):
        await wait_until(admin, "select count(*) = 2 and bool_and(status <> 'sending') from emails")
    await admin.execute("update waivers.reminders set requested_at = now() - interval '1 hour'")
    queued_again = await press_remind_button(database, rosa, anas_session)

    assert sorted(clicks) == [0, 0, 0, 0, 2]
    assert sorted(email["To"] for email in mail_server.emails) == ["ana@example.com", "gil@example.com"]
    assert queued_again == 1, "an hour after a reminder, the next one can be sent"
    async with database.acting_as(rosa.principal) as connection:
        sent_emails = await connection.fetch("select kind, status from emails")
    assert [tuple(row) for row in sent_emails] == [("reminder", "delivered")] * 2


async def test_a_company_can_remind_only_its_own_sessions(
    database: Database, admin: Admin, rosa: Person, bea: Person, mallory: Person, gil: Person
) -> None:
    session_id = await make_session(database, rosa)

    assert await press_remind_button(database, mallory, session_id) == 0
    for stranger in (gil.principal, ANON):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(stranger) as connection:
                await connection.fetchval("select send_reminders()")
    assert await admin.fetchval("select count(*) from waivers.reminders") == 0
    assert await press_remind_button(database, bea, session_id) == 1


@pytest.mark.accept("DASH-04")
@pytest.mark.parametrize(
    ("opened_days_ago", "reminded_days_ago", "setting", "expected_count"),
    [
        (2.9, [], "", 0),
        (3.1, [], "", 1),
        (6.0, [2.9], "", 0),
        (6.0, [3.1], "", 1),
        (20.0, [14, 10], "", 1),
        (20.0, [14, 10, 6], "", 0),
        (29.9, [], "", 1),
        (30.1, [], "", 0),
        (9.0, [], "reminders = false", 0),
        (1.1, [], "reminder_first_days = 1", 1),
        (9.0, [4], "reminder_every_days = 5", 0),
        (9.0, [4, 3.1], "reminder_limit = 2", 0),
    ],
)
async def test_the_schedule_queues_reminders_when_they_are_due(
    database: Database, admin: Admin, rosa: Person,
    opened_days_ago: float, reminded_days_ago: list[float], setting: str, expected_count: int,
) -> None:  # fmt: skip
    """A link expires thirty days after it was sent."""
    session_id = await make_session(database, rosa)
    await admin.execute(
        """
        update waivers.sessions set created_at = now() - $2 * interval '1 day',
                                    expires_at = now() + (30 - $2) * interval '1 day' where id = $1
        """,
        session_id, opened_days_ago,
    )  # fmt: skip
    for days in reminded_days_ago:
        await admin.execute(
            """
            insert into waivers.reminders (session_id, company_id, scheduled, open, requested_at)
            values ($1, $2, true, false, now() - $3 * interval '1 day')
            """,
            session_id, rosa.company, days,
        )  # fmt: skip
    if setting:
        await admin.execute(f"update companies set {setting} where id = $1", rosa.company)

    # Two workers check at the same time, and one of them checks again later.
    counts = [*await asyncio.gather(*(queue_at_noon(database, rosa) for _ in range(2)))]
    counts.append(await queue_at_noon(database, rosa))

    assert sum(counts) == expected_count


async def queue_at_noon(database: Database, person: Person) -> int:
    """Moves the company to a time zone where it is noon now, and queues the reminders that are due."""
    hour = now().hour
    # The signs in these names are inverted: Etc/GMT+3 is three hours behind UTC.
    zone = f"Etc/GMT{hour - 12:+d}" if hour != 12 else "UTC"
    async with database.acting_as(person.principal) as connection:
        await connection.execute("update companies set time_zone = $2 where id = $1", person.company, zone)
    return await queue_scheduled_reminders(database, now())


async def test_the_schedule_pauses_at_night(database: Database, admin: Admin, rosa: Person) -> None:
    await set_age_in_days(admin, await make_session(database, rosa), 5)
    midnight = now().replace(hour=0)

    assert await queue_scheduled_reminders(database, midnight) == 0
    assert await queue_scheduled_reminders(database, midnight.replace(hour=10)) == 1


async def test_a_reminder_is_not_sent_if_the_guest_signed_in_the_meantime(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, mail_server: MailServer, rosa: Person
) -> None:
    """The mail provider was down when the reminder was written, and is back only after the guest has signed."""
    session_id = await make_session(database, rosa)
    await press_remind_button(database, rosa)
    mail_server.reply = "451 Come back later"
    async with worker_with_mail(database, login_url, documents, mail_server):
        await wait_until(admin, "select attempts > 0 from emails where kind = 'reminder'")
    waiver = await sign(database, session_id)
    mail_server.reply = "250 OK"
    await admin.execute("update emails set tried_at = now() - interval '2 hours'")

    await retry_emails(mail_sender(database, documents, MessagingSettings(smtp=mail_server.settings)))

    assert [email for email in mail_server.emails if email["Subject"].startswith("Reminder")] == []
    row = await admin.fetchrow("select status, error from emails where kind = 'reminder'")
    assert row is not None
    assert tuple(row) == ("cancelled", "Not sent: the waiver was signed in the meantime.")
    assert await admin.fetchval("select open from waivers.reminders") is False
    async with database.acting_as(SERVICE) as connection:
        record = await signed_record(connection, waiver["id"])
    assert record is not None
    assert "Email no longer needed, not sent" in {entry["what"] for entry in timeline(record)}


async def test_a_reminder_is_not_sent_again_after_a_worker_died_while_sending_it(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, mail_server: MailServer, rosa: Person
) -> None:
    await make_session(database, rosa)
    await press_remind_button(database, rosa)
    mail_server.reply = "451 Come back later"
    async with worker_with_mail(database, login_url, documents, mail_server):
        await wait_until(admin, "select attempts > 0 from emails where kind = 'reminder'")
    mail_server.reply = "250 OK"
    # Another worker may still be sending an email that it took a second ago. After three minutes, it counts as crashed.
    for time_ago in ("1 second", "3 minutes"):
        await admin.execute(
            f"update emails set handed_at = now() - interval '{time_ago}', tried_at = now() - interval '2 hours'"
        )
        await retry_emails(mail_sender(database, documents, MessagingSettings(smtp=mail_server.settings)))

    assert mail_server.emails == []
    row = await admin.fetchrow("select status, error from emails")
    assert row is not None
    assert tuple(row) == ("failed", INTERRUPTED)


async def wait_until(admin: Admin, query: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await admin.fetchval(query):  # noqa: ASYNC110 - the result changes in the database
            await asyncio.sleep(0.05)


@pytest_asyncio.fixture
async def client(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(stop_page(database)), base_url="http://cairn") as client:
        yield client


async def test_opening_the_stop_link_changes_nothing_and_one_click_stops_reminders(
    database: Database, admin: Admin, client: httpx.AsyncClient, rosa: Person, mallory: Person
) -> None:
    first, second = await make_session(database, rosa), await make_session(database, rosa)
    await press_remind_button(database, rosa, first)
    path = f"/{await admin.fetchval('select id from waivers.reminders')}"

    page = await client.get(path)
    queued_after_opening = await press_remind_button(database, rosa, second)
    # The request that a mail program sends (RFC 8058).
    stop_response = await client.post(path, data={"List-Unsubscribe": "One-Click"})
    await admin.execute("update waivers.reminders set open = false, requested_at = now() - interval '1 hour'")

    assert page.status_code == 200
    assert "Stop reminders from Rio Rafting?" in page.text
    assert "gil@example.com" in page.text
    assert queued_after_opening == 1, "a mail scanner that opens links must not stop reminders"
    assert stop_response.status_code == 200
    assert "No more reminders" in stop_response.text
    assert await press_remind_button(database, rosa) == 0
    await set_age_in_days(admin, first, 5)
    assert await queue_at_noon(database, rosa) == 0
    await make_session(database, mallory)
    assert await press_remind_button(database, mallory) == 1, "only reminders of Rosa's company are stopped"
    rivals_reminder = await admin.fetchval("select id from waivers.reminders where company_id = $1", mallory.company)
    assert "Stop reminders from Rapid Rivals?" in (await client.get(f"/{rivals_reminder}")).text

    resume_response = await client.post(path, data={"again": "yes"})

    assert "Reminders are on again" in resume_response.text
    assert await press_remind_button(database, rosa) == 2


async def test_an_unknown_stop_link_shows_an_error_page(client: httpx.AsyncClient) -> None:
    response = await client.get("/254ee2e0-f4d3-402b-8297-3a27ca62af27")

    assert response.status_code == 404
    assert "This link is not complete" in response.text
    assert (await client.get("/nonsense")).status_code == 404


async def test_names_never_become_markup_on_the_page(
    database: Database, admin: Admin, client: httpx.AsyncClient, rosa: Person
) -> None:
    await admin.execute("update companies set name = '<b>Rio</b> {title}' where id = $1", rosa.company)
    await make_session(database, rosa)
    await press_remind_button(database, rosa)

    page = await client.get(f"/{await admin.fetchval('select id from waivers.reminders')}")

    assert "<b>" not in page.text
    assert "&lt;b&gt;Rio&lt;/b&gt; {title}" in page.text


async def test_an_urgent_email_is_sent_before_many_queued_reminders(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, mail_server: MailServer, rosa: Person
) -> None:
    for number in range(30):
        await make_session(database, rosa, email=f"guest{number}@example.com")
    assert await press_remind_button(database, rosa) == 30
    urgent = Email(uuid4(), "urgent@example.com", "Please sign", "Now")
    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, urgent, company_id=rosa.company)

    async with worker_with_mail(database, login_url, documents, mail_server):
        await wait_until(admin, "select count(*) = 31 and bool_and(status <> 'sending') from emails")

    recipients = [email["To"] for email in mail_server.emails]
    assert len(recipients) == 31
    # Up to eight emails are sent concurrently, so some reminders may arrive first.
    assert recipients.index("urgent@example.com") < 8


async def test_concurrent_workers_send_a_reminder_once(
    database: Database, admin: Admin, documents: DocumentContext, mail_server: MailServer, rosa: Person
) -> None:
    await make_session(database, rosa)
    await press_remind_button(database, rosa)
    reminder_id = await admin.fetchval("select id from waivers.reminders")
    messaging = MessagingSettings(smtp=mail_server.settings)
    await asyncio.gather(
        *(
            write_reminder(database, "https://waivers.example", reminder_id, messaging, is_last_try=False)
            for _ in range(4)
        )
    )
    sender = mail_sender(database, documents, messaging)

    await asyncio.gather(*(send_email(sender, reminder_id, last_try=False) for _ in range(6)))

    assert [email["To"] for email in mail_server.emails] == ["gil@example.com"]
    assert await admin.fetchval("select status from emails") == "delivered"
