"""Asking again by text message: where the company wants it, and only guests it has texted before."""

from typing import TypeAlias
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import GuestText, MessagingSettings, TextLimits, text_guest
from cairn.waivers import DocumentContext
from tests.cast import Person
from tests.make import make_session, sign
from tests.outside import outside
from tests.running_worker import worker_running
from tests.sms_gateway import PHONE, gateway, through
from tests.waivers.test_reminders import age, at_noon, press, until

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def texted(database: Database, admin: Admin, person: Person, *, status: str = "delivered") -> UUID:
    """Five days ago, by mail and by text message."""
    session_id = await make_session(database, person)
    text = GuestText(uuid4(), PHONE, "", person.company, session_id)
    async with database.acting_as(SERVICE) as connection:
        await text_guest(connection, text, TextLimits())
        await connection.execute("update text_messages set status = $2 where id = $1", text.id, status)
    await admin.execute("update text_messages set created_at = now() - interval '5 days'")
    await age(admin, session_id, 5)
    return session_id


async def wants_texts(database: Database, person: Person) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute("update companies set reminders_by_text = true where id = $1", person.company)


async def texts_of(
    admin: Admin, settings: MessagingSettings, database: Database, login_url: str, documents: DocumentContext
) -> int:
    """What the worker makes of the reminders that are queued."""
    async with (
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=settings, documents=documents),
    ):
        await until(admin, "select count(*) > 0 and bool_and(status <> 'sending') from emails")
        await until(admin, "select bool_and(status <> 'sending') from text_messages")
    count: int = await admin.fetchval("select count(*) from text_messages where kind = 'reminder'")
    return count


async def test_the_rhythm_reminds_by_text_too(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, rosa: Person
) -> None:
    session_id = await texted(database, admin, rosa)
    await wants_texts(database, rosa)
    assert await at_noon(database, rosa) == 1

    async with outside(gateway) as place:
        await texts_of(admin, through(place), database, login_url, documents)

    [asked] = place.asked
    assert asked.form["To"] == f"+{PHONE}"
    assert asked.form["Body"] == (
        "Rio Rafting: your waiver is still waiting for your signature "
        f"https://waivers.example/waivers/sign/session/{session_id}"
    )


@pytest.mark.parametrize("why", ["not wanted", "by the button", "never reached", "no gateway"])
async def test_and_otherwise_by_mail_alone(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, rosa: Person, why: str
) -> None:
    await texted(database, admin, rosa, status="failed" if why == "never reached" else "delivered")
    if why != "not wanted":
        await wants_texts(database, rosa)
    assert await (press if why == "by the button" else at_noon)(database, rosa) == 1

    async with outside(gateway) as place:
        settings = MessagingSettings() if why == "no gateway" else through(place)
        assert await texts_of(admin, settings, database, login_url, documents) == 0

    assert place.asked == []
    assert await admin.fetchval("select count(*) from emails where kind = 'reminder'") == 1


async def test_whoever_has_signed_is_not_texted(
    database: Database, admin: Admin, login_url: str, documents: DocumentContext, rosa: Person
) -> None:
    await wants_texts(database, rosa)
    session_id = await texted(database, admin, rosa)
    assert await at_noon(database, rosa) == 1
    await sign(database, session_id)

    async with (
        outside(gateway) as place,
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=through(place), documents=documents),
    ):
        await until(admin, "select not open from waivers.reminders")

    assert place.asked == []


async def test_a_rival_does_not_decide_it(database: Database, rosa: Person, mallory: Person) -> None:
    async with database.acting_as(mallory.principal) as connection:
        await connection.execute("update companies set reminders_by_text = true where id = $1", rosa.company)

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select reminders_by_text from companies") is False
