"""The `email_status` of a sending follows the email that was last sent for it."""

from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.messaging import Email, add_email
from tests.factories import make_session
from tests.people import Person


async def record_sending(database: Database, rosa: Person) -> UUID:
    session_id = await make_session(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            """
            insert into sent_waivers (session_id, template_id, template_name, template_content, recipient_name,
                                      recipient_email, status, sent_as_pdf)
            values ($1, 'tpl-1', 'River trip', 'I, [PARTICIPANT NAME], ride.', 'Gil Okafor', 'gil@example.com',
                    'sent_pdf', true)
            """,
            session_id,
        )
    return session_id


async def queue_email(database: Database, rosa: Person, session_id: UUID) -> UUID:
    email = Email(uuid4(), "gil@example.com", "Please sign", "Hello Gil")
    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, email, company_id=rosa.company, session_id=session_id)
    return email.id


async def set_outcome(database: Database, email_id: UUID, status: str, **columns: str) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "update emails set status = $2, message_id = $3, error = $4 where id = $1",
            email_id, status, columns.get("message_id"), columns.get("error"),
        )  # fmt: skip


async def read_sending(database: Database, reader: Person) -> asyncpg.Record:
    async with database.acting_as(reader.principal) as connection:
        row = await connection.fetchrow("select * from sent_waivers")
    assert row is not None
    return row


@pytest.mark.accept("ENT-13")
async def test_a_sending_is_stored_for_everyone_in_the_company(database: Database, rosa: Person, bea: Person) -> None:
    session_id = await record_sending(database, rosa)
    await set_outcome(
        database, await queue_email(database, rosa, session_id), "delivered", message_id="<1@mail.example>"
    )

    record = dict(await read_sending(database, bea))

    assert isinstance(record.pop("id"), UUID)
    assert record.pop("sent_at") is not None
    assert record == {
        "company_id": rosa.company,
        "email_error": None,
        "template_id": "tpl-1",
        "template_name": "River trip",
        "template_content": "I, [PARTICIPANT NAME], ride.",
        "recipient_name": "Gil Okafor",
        "recipient_email": "gil@example.com",
        "status": "sent_pdf",
        "sent_as_pdf": True,
        "email_status": "delivered",
        "email_message_id": "<1@mail.example>",
        "recipient_phone": None,
        "text_status": None,
        "text_error": None,
        "session_id": session_id,
    }


async def test_sending_again_resets_a_failed_status(database: Database, rosa: Person) -> None:
    session_id = await record_sending(database, rosa)
    await set_outcome(database, await queue_email(database, rosa, session_id), "failed", error="Mailbox full")
    assert (await read_sending(database, rosa))["email_error"] == "Mailbox full"

    second_email = await queue_email(database, rosa, session_id)
    while_queued = await read_sending(database, rosa)
    await set_outcome(database, second_email, "delivered", message_id="<2@mail.example>")

    assert (while_queued["email_status"], while_queued["email_error"]) == ("sending", None)
    assert (await read_sending(database, rosa))["email_status"] == "delivered"


NOTE_FAILURE = "select note_failed_sending($1, 'This email address cannot be used.')"


async def test_an_email_refused_before_it_was_queued_is_recorded_as_failed(
    database: Database, rosa: Person, mallory: Person
) -> None:
    session_id = await record_sending(database, rosa)
    async with database.acting_as(mallory.principal) as connection:
        await connection.execute(NOTE_FAILURE, session_id)
    assert (await read_sending(database, rosa))["email_status"] == "sending"

    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(NOTE_FAILURE, session_id)

    record = await read_sending(database, rosa)
    assert (record["email_status"], record["email_error"]) == ("failed", "This email address cannot be used.")


async def test_an_email_that_is_being_sent_cannot_be_marked_as_failed(database: Database, rosa: Person) -> None:
    session_id = await record_sending(database, rosa)
    await queue_email(database, rosa, session_id)

    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(NOTE_FAILURE, session_id)

    assert (await read_sending(database, rosa))["email_status"] == "sending"
