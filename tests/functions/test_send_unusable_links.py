"""`send-email` sends no link that the guest cannot use. An email that waits is checked again before it is sent."""

from uuid import UUID

import httpx
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.messaging import Email, MessagingSettings, add_email
from cairn.messaging.send_email import send_email
from cairn.waivers import DocumentContext
from tests.factories import make_session, record_sending
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.people import Person
from tests.running_worker import mail_sender
from tests.waivers.acts import cancel, correct_recipient, expire, resend


async def emails_about(database: Database, rosa: Person, session_id: UUID) -> list[tuple[str, str | None]]:
    async with database.acting_as(rosa.principal) as connection:
        rows = await connection.fetch("select status, error from emails where session_id = $1", session_id)
    return [(row["status"], row["error"]) for row in rows]


@pytest.mark.accept("SIGN-21")
@pytest.mark.usefixtures("worker")
async def test_an_expired_waiver_is_not_mailed_but_its_new_session_is(
    client: httpx.AsyncClient, database: Database, admin: Connection, mail_server: MailServer, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await expire(admin, session_id)

    refused = await send(client, "rosa", sessionId=str(session_id))
    new_id = await resend(database, rosa, session_id)
    sent = await send(client, "rosa", sessionId=str(new_id), body=f"https://cairn.example/session/{new_id}")

    assert (refused.status_code, refused.json()["code"]) == (410, "waiver_link_expired")
    assert "Send the waiver again to get a new link" in refused.json()["error"]
    assert await emails_about(database, rosa, session_id) == []
    assert sent.status_code == 200
    assert len(mail_server.emails) == 1


async def test_a_cancelled_waiver_is_not_mailed(client: httpx.AsyncClient, database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    await cancel(database, rosa, session_id)

    response = await send(client, "rosa", sessionId=str(session_id))

    assert (response.status_code, response.json()["code"]) == (410, "waiver_was_cancelled")
    assert await emails_about(database, rosa, session_id) == []


async def test_a_rival_does_not_learn_that_a_waiver_was_cancelled(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await cancel(database, rosa, session_id)

    assert (await send(client, "mallory", sessionId=str(session_id))).json()["code"] == "session_not_yours"


@pytest.mark.parametrize("act", ["cancel", "correct"])
async def test_an_email_that_waits_is_not_sent_after_its_waiver_was_cancelled_or_corrected(
    database: Database,
    documents: DocumentContext,
    mail_server: MailServer,
    messaging: MessagingSettings,
    rosa: Person,
    act: str,
) -> None:
    session_id = await make_session(database, rosa)
    await record_sending(database, rosa, session_id)
    email = Email(
        id=session_id, recipient="gil@example.com", subject="Please sign", body="Hello Gil", sender_name="Rio Rafting"
    )
    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, email, company_id=rosa.company, session_id=session_id)
    if act == "cancel":
        await cancel(database, rosa, session_id)
    else:
        await correct_recipient(database, rosa, session_id, email="ana@example.com")

    await send_email(mail_sender(database, documents, messaging), email.id, last_try=True)

    reason = "Not sent: the waiver was cancelled in the meantime."
    assert mail_server.emails == []
    assert await emails_about(database, rosa, session_id) == [("cancelled", reason)]
    async with database.acting_as(rosa.principal) as connection:
        sending = await connection.fetchrow(
            "select email_status, email_error from sent_waivers where session_id = $1", session_id
        )
    assert sending is not None
    assert tuple(sending) == ("failed", reason)
