"""I3: emails that stay on the server are limited too, and long histories do not keep the server busy.

I3 is a finding in docs/security.md.
"""

import asyncio
from uuid import UUID

import httpx
import pytest

from cairn.db import Connection, Database, Principal
from cairn.jobs import OutboxNotifier
from cairn.messaging import MailLimits, MessagingSettings
from cairn.waivers import DocumentContext
from cairn.waivers.reminders import write_reminder
from tests.abuse.locked_table import largest_waiting_count
from tests.factories import make_session
from tests.functions.test_documents import call
from tests.functions.test_send_email import send
from tests.functions_service import functions_client, make_functions_context
from tests.mail_server import MailServer
from tests.people import Person

MAX_EMAIL_EVENTS = 200

pytestmark = pytest.mark.usefixtures("return_before_the_email_is_sent")


async def use_mock_provider(admin: Connection, person: Person) -> None:
    await admin.execute(
        "insert into messaging.configurations (company_id, provider) values ($1, 'mock')", person.company
    )


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (MailLimits(per_day_without_plan=3), "daily_limit_reached"),
        (MailLimits(per_network_without_plan=3), "network_limit_reached"),
    ],
)
async def test_i3_emails_of_the_provider_mock_count_for_the_company_and_its_network(
    database: Database, admin: Connection, notifier: OutboxNotifier, documents: DocumentContext,
    mail_server: MailServer, people: dict[str, Principal], rosa: Person, limits: MailLimits, code: str,
) -> None:  # fmt: skip
    await use_mock_provider(admin, rosa)
    settings = MessagingSettings(smtp=mail_server.settings, emails=limits)
    context = make_functions_context(database, notifier, documents, messaging=settings)
    async with functions_client(context, people) as client:
        responses = [await send(client, "rosa", to=f"guest{number}@example.com") for number in range(4)]
        allowance = (await call(client, "rosa", "mail-allowance", {})).json()

    assert [response.json().get("code") for response in responses] == [None, None, None, code]
    assert (allowance["perDay"], allowance["sentToday"]) == (limits.per_day_without_plan, 3)


async def test_i3_at_most_200_events_of_emails_are_added_to_a_history(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await add_email_events(admin, session_id, MAX_EMAIL_EVENTS - 1)

    last = await send(client, "rosa", sessionId=str(session_id))
    refused = await send(client, "rosa", sessionId=str(session_id))

    assert last.status_code == 202
    assert (refused.status_code, refused.json()["code"]) == (409, "waiver_emailed_too_often")
    assert refused.json()["error"].startswith("Too many emails about this waiver were sent already. Please send a new")
    assert await admin.fetchval("select count(*) from emails") == 1


async def test_i3_a_waiver_with_200_events_of_emails_gets_no_reminder(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await add_email_events(admin, session_id, MAX_EMAIL_EVENTS)
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select send_reminders($1)", [session_id]) == 1
    reminder_id = await admin.fetchval("select id from waivers.reminders")

    await write_reminder(database, "https://waivers.example", reminder_id, MessagingSettings(), is_last_try=False)

    assert await admin.fetchval("select count(*) from emails") == 0
    assert await admin.fetchval("select open from waivers.reminders") is False


async def add_email_events(admin: Connection, session_id: UUID, count: int) -> None:
    await admin.execute(
        """
        select waivers.append_audit(s, 'email.requested', '{}')
          from waivers.sessions s, generate_series(1, $2) where s.id = $1
        """,
        session_id, count,
    )  # fmt: skip


async def test_i3_a_network_builds_at_most_two_packs_at_once_and_each_ends_after_a_short_time(
    client: httpx.AsyncClient, admin: Connection, sealed_waiver_id: UUID
) -> None:
    parameters = {"waiver_id": str(sealed_waiver_id)}
    async with admin.transaction():
        await admin.execute("lock table public.emails in access exclusive mode")
        packs = asyncio.gather(*(call(client, "rosa", "evidence-pack", parameters) for _ in range(4)))
        assert await largest_waiting_count(admin, "public.emails", until=packs) == 2

    outcomes = {(response.status_code, response.json()["code"]) for response in packs.result()}
    assert outcomes <= {(503, "history_not_checked"), (503, "too_busy")}
    assert (await call(client, "rosa", "evidence-pack", parameters)).status_code == 200
