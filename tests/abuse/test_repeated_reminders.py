"""G9: pressing the button for reminders again and again stores only a few reminders for each session.

7W10: the job of a reminder that was deleted with its company ends without an error.

G9 and 7W10 are findings in docs/security.md.
"""

import pytest

from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MailLimits, MessagingSettings
from cairn.waivers import DocumentContext
from cairn.waivers.reminders import write_reminder
from tests.factories import make_session
from tests.mail_server import MailServer
from tests.people import Person
from tests.running_worker import worker_running
from tests.waiting import wait_until_true
from tests.waivers.test_reminders import press_remind_button


async def move_reminders_into_the_past(admin: Connection, duration: str) -> None:
    await admin.execute("update waivers.reminders set requested_at = requested_at - $1::text::interval", duration)


async def close_reminders(admin: Connection) -> None:
    """Closes the reminders, as the worker does after it has sent their emails."""
    await admin.execute("update waivers.reminders set open = false")


async def test_g9_a_session_gets_at_most_one_reminder_per_hour(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await make_session(database, rosa)

    counts = []
    # The third click is 61 minutes after the first.
    for time_since_last_click in ("0 minutes", "59 minutes", "2 minutes"):
        await move_reminders_into_the_past(admin, time_since_last_click)
        counts.append(await press_remind_button(database, rosa))
        await close_reminders(admin)

    assert counts == [1, 0, 1]


async def test_g9_a_session_gets_at_most_five_reminders_per_day(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await make_session(database, rosa)

    counts = []
    for _ in range(7):
        counts.append(await press_remind_button(database, rosa))
        await close_reminders(admin)
        await move_reminders_into_the_past(admin, "2 hours")
    await move_reminders_into_the_past(admin, "1 day")

    assert counts == [1, 1, 1, 1, 1, 0, 0]
    assert await press_remind_button(database, rosa) == 1


async def test_g9_a_reminder_that_a_limit_has_stopped_can_be_repeated_only_on_the_next_day(
    database: Database, admin: Connection, login_url: str, notifier: OutboxNotifier, documents: DocumentContext,
    mail_server: MailServer, rosa: Person,
) -> None:  # fmt: skip
    """Without this rule, each click would store an email, events and jobs for every session, without any limit."""
    for number in range(3):
        await make_session(database, rosa, email=f"guest{number}@example.com")
    await press_remind_button(database, rosa)
    settings = MessagingSettings(smtp=mail_server.settings, emails=MailLimits(per_day_without_plan=1))
    async with worker_running(database, login_url, notifier, mail=settings, documents=documents):
        await wait_until_true(admin, "select count(*) = 3 from emails where status in ('delivered', 'cancelled')")
    await move_reminders_into_the_past(admin, "1 hour")

    assert await press_remind_button(database, rosa) == 1, "only for the guest whose email was delivered"
    await move_reminders_into_the_past(admin, "1 day")
    await admin.execute("update emails set created_at = created_at - interval '1 day'")
    assert await press_remind_button(database, rosa) == 2, "for the two guests whose emails were cancelled"


@pytest.mark.parametrize("is_last_try", [False, True])
async def test_7w10_the_job_of_a_reminder_whose_company_was_deleted_ends_quietly(
    database: Database, admin: Connection, rosa: Person, is_last_try: bool
) -> None:
    await make_session(database, rosa)
    await press_remind_button(database, rosa)
    reminder_id = await admin.fetchval("select id from waivers.reminders")
    await admin.execute("select waivers.delete_company_data($1, 100)", rosa.company)

    await write_reminder(database, "https://waivers.example", reminder_id, MessagingSettings(), is_last_try=is_last_try)

    assert await admin.fetchval("select count(*) from emails") == 0
