"""Asking again: by the button, by the company's rhythm, and never when it is not wanted."""

import asyncio
from collections.abc import AsyncIterator
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
from cairn.messaging import Email, MessagingSettings, add_email, send_patient_emails
from cairn.messaging.send import LOST, send_email
from cairn.waivers import DocumentContext, queue_scheduled_reminders, stop_page
from cairn.waivers.documents import store as document_store
from cairn.waivers.documents.timeline import timeline
from cairn.waivers.reminders import write_reminder
from cairn.waivers.reminders.rules import ReminderSchedule, is_sensible_hour, not_after, why_not
from tests.cast import Person
from tests.mail_server import MailServer, html, plain, running_mail_server
from tests.make import make_session, sign
from tests.running_worker import mail_sender, worker_running

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
NOON = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "hour", "sensible"),
    [
        ("UTC", 8, False), ("UTC", 9, True), ("UTC", 18, True), ("UTC", 19, False),
        ("America/Denver", 14, False), ("America/Denver", 15, True), ("America/Denver", 3, False),
        ("Pacific/Auckland", 22, True), ("Asia/Kolkata", 3, False), ("Asia/Kolkata", 4, True),
        ("Nowhere/Atlantis", 12, True), ("../../etc/passwd", 3, False),
    ],
)  # fmt: skip
def test_nobody_is_written_to_at_night(zone: str, hour: int, sensible: bool) -> None:
    assert is_sensible_hour(NOON.replace(hour=hour), zone) is sensible


def test_a_rhythm_says_what_is_due() -> None:
    rhythm = ReminderSchedule(first_days=3, every_days=5, limit=2)

    assert rhythm.first_before(NOON) == NOON - timedelta(days=3)
    assert rhythm.again_before(NOON) == NOON - timedelta(days=5)


@pytest.mark.parametrize(
    ("status", "expires_in", "refused", "reason"),
    [
        ("pending", 1, False, None),
        ("signed", 1, False, "Not sent: the waiver was signed in the meantime."),
        ("pending", 0, False, "Not sent: the link has expired in the meantime."),
        ("pending", 1, True, "Not sent: the recipient has stopped reminders."),
    ],
)
def test_what_speaks_against_a_reminder(status: str, expires_in: int, refused: bool, reason: str | None) -> None:
    assert why_not(status, NOON + timedelta(days=expires_in), refused, NOON) == reason


def test_a_reminder_does_not_outlive_its_link_or_its_news() -> None:
    assert not_after(NOON, NOON + timedelta(days=30)) == NOON + timedelta(days=2)
    assert not_after(NOON, NOON + timedelta(hours=1)) == NOON + timedelta(hours=1)


@pytest_asyncio.fixture
async def office() -> AsyncIterator[MailServer]:
    async with running_mail_server() as opened:
        yield opened


async def press(database: Database, person: Person, *sessions: UUID) -> int:
    async with database.acting_as(person.principal) as connection:
        queued: int = await connection.fetchval(
            "select send_reminders($1)" if sessions else "select send_reminders()",
            *([list(sessions)] if sessions else []),
        )
    return queued


async def age(admin: Admin, session_id: UUID, days: float) -> None:
    await admin.execute(
        "update waivers.sessions set created_at = now() - $2 * interval '1 day' where id = $1", session_id, days
    )


async def test_the_button_reminds_everybody_who_is_still_missing_and_nobody_else(
    database: Database,
    admin: Admin,
    login_url: str,
    documents: DocumentContext,
    office: MailServer,
    rosa: Person,
    mallory: Person,
) -> None:
    pending = await make_session(database, rosa)
    signed = await make_session(database, rosa, name="Ana Ortiz", email="ana@example.com")
    await sign(database, signed)
    expired = await make_session(database, rosa, name="Eva Late", email="eva@example.com")
    await admin.execute("update waivers.sessions set expires_at = now() - interval '1 minute' where id = $1", expired)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("insert into waiver_sessions (template_id, status) values ('t', 'template_default')")
        await connection.execute("insert into waiver_sessions (template_id, recipient_name) values ('t', 'No Address')")
    await make_session(database, mallory, email="rival@example.com")

    assert await press(database, rosa) == 1
    async with OutboxNotifier(login_url) as notifier:
        mail = MessagingSettings(smtp=office.settings)
        async with worker_running(database, login_url, notifier, mail=mail, documents=documents):
            letter = await office.next_letter()
            await until(admin, "select bool_and(status <> 'sending') from emails")

    [letter] = [one for one in office.letters if one["Subject"].startswith("Reminder")]
    link = f"https://waivers.example/waivers/sign/session/{pending}"
    assert letter["To"] == "gil@example.com"
    assert letter["Subject"] == "Reminder: please sign General Liability Waiver"
    assert letter["From"].startswith("Rio Rafting")
    assert "Hello Gil Okafor," in plain(letter)
    assert link in plain(letter)
    assert f'href="{link}"' in html(letter)
    stop = letter["List-Unsubscribe"].strip().strip("<>")
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop in plain(letter)
    assert f'href="{stop}"' in html(letter)


@pytest.mark.accept("DASH-03")
async def test_a_second_click_while_the_first_is_queued_queues_none(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, office: MailServer, rosa: Person
) -> None:
    await make_session(database, rosa)
    other = await make_session(database, rosa, email="ana@example.com")

    clicks = await asyncio.gather(*(press(database, rosa) for _ in range(5)))
    async with OutboxNotifier(login_url) as notifier:
        mail = MessagingSettings(smtp=office.settings)
        async with worker_running(database, login_url, notifier, mail=mail, documents=documents):
            await until(admin, "select count(*) = 2 and bool_and(status <> 'sending') from emails")
    again = await press(database, rosa, other)

    assert sorted(clicks) == [0, 0, 0, 0, 2]
    assert sorted(letter["To"] for letter in office.letters) == ["ana@example.com", "gil@example.com"]
    assert again == 1, "what is decided is queued no longer"
    async with database.acting_as(rosa.principal) as connection:
        history = await connection.fetch("select kind, status from emails")
    assert [tuple(row) for row in history] == [("reminder", "delivered")] * 2


async def test_only_ones_own_sessions_can_be_named(
    database: Database, admin: Admin, rosa: Person, bea: Person, mallory: Person, gil: Person
) -> None:
    session_id = await make_session(database, rosa)

    assert await press(database, mallory, session_id) == 0
    for stranger in (gil.principal, ANON):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(stranger) as connection:
                await connection.fetchval("select send_reminders()")
    assert await admin.fetchval("select count(*) from waivers.reminders") == 0
    assert await press(database, bea, session_id) == 1


@pytest.mark.accept("DASH-04")
@pytest.mark.parametrize(
    ("opened", "reminded", "rhythm", "queued"),
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
async def test_the_rhythm_reminds_without_a_click(
    database: Database, admin: Admin, rosa: Person, opened: float, reminded: list[float], rhythm: str, queued: int
) -> None:
    """`opened` and `reminded` in days ago; thirty days after it was sent a link expires."""
    session_id = await make_session(database, rosa)
    await admin.execute(
        """
        update waivers.sessions set created_at = now() - $2 * interval '1 day',
                                    expires_at = now() + (30 - $2) * interval '1 day' where id = $1
        """,
        session_id, opened,
    )  # fmt: skip
    for days in reminded:
        await admin.execute(
            """
            insert into waivers.reminders (session_id, company_id, scheduled, open, asked_at)
            values ($1, $2, true, false, now() - $3 * interval '1 day')
            """,
            session_id, rosa.company, days,
        )  # fmt: skip
    if rhythm:
        await admin.execute(f"update companies set {rhythm} where id = $1", rosa.company)

    # Two workers look at the same moment, and again a little later.
    rounds = [*await asyncio.gather(*(at_noon(database, rosa) for _ in range(2)))]
    rounds.append(await at_noon(database, rosa))

    assert sum(rounds) == queued


async def at_noon(database: Database, person: Person) -> int:
    """Whatever the clock of this machine says, the company is where it is noon now."""
    hour = now().hour
    zone = f"Etc/GMT{hour - 12:+d}" if hour != 12 else "UTC"
    async with database.acting_as(person.principal) as connection:
        await connection.execute("update companies set time_zone = $2 where id = $1", person.company, zone)
    return await queue_scheduled_reminders(database, now())


async def test_at_night_the_rhythm_rests(database: Database, admin: Admin, rosa: Person) -> None:
    await age(admin, await make_session(database, rosa), 5)
    midnight = now().replace(hour=0)

    assert await queue_scheduled_reminders(database, midnight) == 0
    assert await queue_scheduled_reminders(database, midnight.replace(hour=10)) == 1


async def test_a_reminder_overtaken_by_the_signature_is_not_sent(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, office: MailServer, rosa: Person
) -> None:
    """The provider was down when the reminder was written, and back only after the guest had signed."""
    session_id = await make_session(database, rosa)
    await press(database, rosa)
    mail = MessagingSettings(smtp=office.settings)
    office.answer = "451 Come back later"
    async with (
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=mail, documents=documents),
    ):
        await until(admin, "select attempts > 0 from emails where kind = 'reminder'")
    waiver = await sign(database, session_id)
    office.answer = "250 OK"
    await admin.execute("update emails set tried_at = now() - interval '2 hours'")

    await send_patient_emails(mail_sender(database, documents, mail))

    assert [one for one in office.letters if one["Subject"].startswith("Reminder")] == []
    row = await admin.fetchrow("select status, error from emails where kind = 'reminder'")
    assert row is not None
    assert tuple(row) == ("cancelled", "Not sent: the waiver was signed in the meantime.")
    assert await admin.fetchval("select open from waivers.reminders") is False
    async with database.acting_as(SERVICE) as connection:
        record = await document_store.signed_record(connection, waiver["id"])
    assert record is not None
    assert "Mail no longer needed, not sent" in {entry["what"] for entry in timeline(record)}


async def test_a_reminder_handed_over_by_a_worker_that_died_is_not_sent_again(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, office: MailServer, rosa: Person
) -> None:
    await make_session(database, rosa)
    await press(database, rosa)
    mail = MessagingSettings(smtp=office.settings)
    office.answer = "451 Come back later"
    async with (
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=mail, documents=documents),
    ):
        await until(admin, "select attempts > 0 from emails")
    office.answer = "250 OK"
    for ago in ("1 second", "3 minutes"):
        await admin.execute(
            f"update emails set handed_at = now() - interval '{ago}', tried_at = now() - interval '2 hours'"
        )
        await send_patient_emails(mail_sender(database, documents, mail))

    assert office.letters == []
    row = await admin.fetchrow("select status, error from emails")
    assert row is not None
    assert tuple(row) == ("failed", LOST)


async def until(admin: Admin, question: str) -> None:
    async with asyncio.timeout(20):
        while not await admin.fetchval(question):  # noqa: ASYNC110 - the answer is in the database
            await asyncio.sleep(0.05)


@pytest_asyncio.fixture
async def door(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(stop_page(database)), base_url="http://cairn") as client:
        yield client


async def test_opening_the_link_changes_nothing_and_one_click_stops_them(
    database: Database, admin: Admin, door: httpx.AsyncClient, rosa: Person, mallory: Person
) -> None:
    first, second = await make_session(database, rosa), await make_session(database, rosa)
    await press(database, rosa, first)
    address = f"/{await admin.fetchval('select id from waivers.reminders')}"

    shown = await door.get(address)
    still = await press(database, rosa, second)
    # As a mail program posts it by itself (RFC 8058).
    done = await door.post(address, data={"List-Unsubscribe": "One-Click"})
    await admin.execute("update waivers.reminders set open = false")

    assert shown.status_code == 200
    assert "Stop reminders from Rio Rafting?" in shown.text
    assert "gil@example.com" in shown.text
    assert still == 1, "a scanner that opens links stops nothing"
    assert done.status_code == 200
    assert "No more reminders" in done.text
    assert await press(database, rosa) == 0
    await age(admin, first, 5)
    assert await at_noon(database, rosa) == 0
    await make_session(database, mallory)
    assert await press(database, mallory) == 1, "it was Rosa's reminders they had enough of"

    again = await door.post(address, data={"again": "yes"})

    assert "Reminders are on again" in again.text
    assert await press(database, rosa) == 2


async def test_a_stop_link_that_is_not_ours_says_so(door: httpx.AsyncClient) -> None:
    unknown = await door.get("/254ee2e0-f4d3-402b-8297-3a27ca62af27")

    assert unknown.status_code == 404
    assert "This link is not complete" in unknown.text
    assert (await door.get("/nonsense")).status_code == 404


async def test_names_never_become_markup_on_the_page(
    database: Database, admin: Admin, door: httpx.AsyncClient, rosa: Person
) -> None:
    await admin.execute("update companies set name = '<b>Rio</b> {title}' where id = $1", rosa.company)
    await make_session(database, rosa)
    await press(database, rosa)

    shown = await door.get(f"/{await admin.fetchval('select id from waivers.reminders')}")

    assert "<b>" not in shown.text
    assert "&lt;b&gt;Rio&lt;/b&gt; {title}" in shown.text


async def test_a_thousand_reminders_let_somebody_who_is_waiting_pass(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, office: MailServer, rosa: Person
) -> None:
    for number in range(30):
        await make_session(database, rosa, email=f"guest{number}@example.com")
    assert await press(database, rosa) == 30
    urgent = Email(uuid4(), "urgent@example.com", "Please sign", "Now")
    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, urgent, company_id=rosa.company)

    async with OutboxNotifier(login_url) as notifier:
        mail = MessagingSettings(smtp=office.settings)
        async with worker_running(database, login_url, notifier, mail=mail, documents=documents):
            await until(admin, "select count(*) = 31 and bool_and(status <> 'sending') from emails")

    order = [letter["To"] for letter in office.letters]
    assert len(order) == 31
    assert order.index("urgent@example.com") < 8


async def test_workers_that_race_send_a_reminder_once(
    database: Database, admin: Admin, documents: DocumentContext, office: MailServer, rosa: Person
) -> None:
    await make_session(database, rosa)
    await press(database, rosa)
    reminder_id = await admin.fetchval("select id from waivers.reminders")
    await asyncio.gather(
        *(write_reminder(database, "https://waivers.example", reminder_id, is_last_try=False) for _ in range(4))
    )
    room = mail_sender(database, documents, MessagingSettings(smtp=office.settings))

    await asyncio.gather(*(send_email(room, reminder_id, last_try=False) for _ in range(6)))

    assert [letter["To"] for letter in office.letters] == ["gil@example.com"]
    assert await admin.fetchval("select status from emails") == "delivered"
