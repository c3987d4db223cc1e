"""A signer requests a copy by email and sees the outcome."""

import asyncio
from uuid import uuid4

import httpx
import pytest

from cairn.db import Connection, Database
from cairn.functions import email_copy
from cairn.jobs import OutboxNotifier
from tests.cast import Person
from tests.factories import DOCUMENT_SECRET, make_session, sign
from tests.functions.test_documents import call
from tests.mail_server import MailServer


@pytest.mark.usefixtures("worker")
async def test_a_delivered_copy_is_reported_and_not_sent_again(
    client: httpx.AsyncClient, database: Database, notifier: OutboxNotifier, mail_server: MailServer, rosa: Person
) -> None:
    waiver = await sign(
        database, await make_session(database, rosa), time_zone="Europe/Madrid", document_secret=DOCUMENT_SECRET
    )
    notifier.notify()
    parameters = {"waiver_id": str(waiver["id"]), "secret": DOCUMENT_SECRET}
    responses = [await call(client, "anon", "email-copy", parameters) for _ in range(3)]

    assert [response.json() for response in responses] == [
        {"status": "delivered", "says": "Your copy was sent to gil@example.com."}
    ] * 3
    [email] = mail_server.emails
    plain_body = email.get_body(("plain",))
    assert plain_body is not None
    assert "UTC (" in plain_body.get_content(), "the time in UTC and in the signer's time zone"
    assert "Europe/Madrid" in str(email)


@pytest.mark.usefixtures("worker")
async def test_a_refused_copy_is_sent_again_on_request_but_not_twice_at_the_same_time(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    notifier: OutboxNotifier,
    mail_server: MailServer,
    rosa: Person,
) -> None:
    mail_server.reply = "550 No such mailbox"
    waiver = await sign(database, await make_session(database, rosa), document_secret=DOCUMENT_SECRET)
    notifier.notify()
    parameters = {"waiver_id": str(waiver["id"]), "secret": DOCUMENT_SECRET}
    failed_responses = [await call(client, "anon", "email-copy", parameters) for _ in range(2)]
    mail_server.reply = "250 OK"
    later_responses = await asyncio.gather(*(call(client, "anon", "email-copy", parameters) for _ in range(2)))

    assert {response.json()["says"] for response in failed_responses} == {
        "The mail to gil@example.com was refused. Please download your copy."
    }
    assert {response.json()["status"] for response in later_responses} == {"delivered"}
    assert len(mail_server.emails) == 1
    assert await admin.fetchval("select count(*) from emails") == 3


async def test_a_copy_that_was_not_sent_is_not_reported_as_sent(
    client: httpx.AsyncClient, database: Database, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(email_copy, "_WAIT_SECONDS", 0.1)
    waiver = await sign(database, await make_session(database, rosa), document_secret=DOCUMENT_SECRET)

    parameters = {"waiver_id": str(waiver["id"]), "secret": DOCUMENT_SECRET}
    response = await call(client, "anon", "email-copy", parameters)

    assert response.json() == {
        "status": "preparing",
        "says": "Your document is still being prepared. The mail with your copy follows by itself.",
    }
    assert (await call(client, "anon", "email-copy", {"waiver_id": str(uuid4())})).status_code == 404
