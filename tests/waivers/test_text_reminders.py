"""Reminders are also sent by text message if the company wants that, but only to guests it has texted before."""

from typing import TypeAlias
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import GuestText, MessagingSettings, TextLimits, queue_guest_text, sending_status
from cairn.waivers import DocumentContext
from tests.factories import make_session, sign
from tests.fake_service import running_fake_service
from tests.people import Person
from tests.running_worker import worker_running
from tests.sms_gateway import PHONE, messaging_settings, twilio_response
from tests.waivers.test_reminders import press_remind_button, queue_at_noon, set_age_in_days, wait_until

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def make_texted_session(database: Database, admin: Admin, person: Person, *, status: str = "delivered") -> UUID:
    """Makes a session that was sent by text message five days ago."""
    session_id = await make_session(database, person)
    text = GuestText(uuid4(), PHONE, "", person.company, session_id)
    async with database.acting_as(SERVICE) as connection:
        sending = await sending_status(connection, MessagingSettings(), person.company)
        await queue_guest_text(connection, text, TextLimits(), sending, "203.0.113.7")
        await connection.execute("update text_messages set status = $2 where id = $1", text.id, status)
    await admin.execute("update text_messages set created_at = now() - interval '5 days'")
    await set_age_in_days(admin, session_id, 5)
    return session_id


async def enable_text_reminders(database: Database, person: Person) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute("update companies set reminders_by_text = true where id = $1", person.company)


async def count_text_reminders(
    admin: Admin, settings: MessagingSettings, database: Database, login_url: str, documents: DocumentContext
) -> int:
    """Lets the worker process the queued reminders and counts the text messages among them."""
    async with (
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=settings, documents=documents),
    ):
        await wait_until(admin, "select count(*) > 0 and bool_and(status <> 'sending') from emails")
        await wait_until(admin, "select bool_and(status <> 'sending') from text_messages")
    count: int = await admin.fetchval("select count(*) from text_messages where kind = 'reminder'")
    return count


async def test_scheduled_reminders_are_also_sent_by_text_message(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, rosa: Person
) -> None:
    session_id = await make_texted_session(database, admin, rosa)
    await enable_text_reminders(database, rosa)
    assert await queue_at_noon(database, rosa) == 1

    async with running_fake_service(twilio_response) as gateway:
        await count_text_reminders(admin, messaging_settings(gateway), database, login_url, documents)

    [request] = gateway.requests
    assert request.form["To"] == f"+{PHONE}"
    assert request.form["Body"] == (
        "Rio Rafting: your waiver is still waiting for your signature "
        f"https://waivers.example/waivers/sign/session/{session_id}"
    )


@pytest.mark.parametrize("reason", ["not enabled", "requested by the button", "text not delivered", "no gateway"])
async def test_other_reminders_are_sent_by_email_only(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, rosa: Person, reason: str
) -> None:
    await make_texted_session(database, admin, rosa, status="failed" if reason == "text not delivered" else "delivered")
    if reason != "not enabled":
        await enable_text_reminders(database, rosa)
    if reason == "requested by the button":
        assert await press_remind_button(database, rosa) == 1
    else:
        assert await queue_at_noon(database, rosa) == 1

    async with running_fake_service(twilio_response) as gateway:
        settings = MessagingSettings() if reason == "no gateway" else messaging_settings(gateway)
        assert await count_text_reminders(admin, settings, database, login_url, documents) == 0

    assert gateway.requests == []
    assert await admin.fetchval("select count(*) from emails where kind = 'reminder'") == 1


async def test_a_guest_who_has_signed_gets_no_text_message(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, rosa: Person
) -> None:
    await enable_text_reminders(database, rosa)
    session_id = await make_texted_session(database, admin, rosa)
    assert await queue_at_noon(database, rosa) == 1
    await sign(database, session_id)

    async with (
        running_fake_service(twilio_response) as gateway,
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=messaging_settings(gateway), documents=documents),
    ):
        await wait_until(admin, "select not open from waivers.reminders")

    assert gateway.requests == []


async def test_a_rival_cannot_enable_text_reminders(database: Database, rosa: Person, mallory: Person) -> None:
    async with database.acting_as(mallory.principal) as connection:
        await connection.execute("update companies set reminders_by_text = true where id = $1", rosa.company)

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select reminders_by_text from companies") is False
