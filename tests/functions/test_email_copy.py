"""The function `email-copy` reports what happened to the email with the signer's copy, and sends it again if it failed.

The first copy is sent automatically after the signature.
"""

import asyncio
from uuid import uuid4

import httpx
import pytest

from cairn.db import Connection, Database
from cairn.functions import email_copy
from cairn.jobs import OutboxNotifier
from cairn.waivers import DocumentContext, SignerCopy, send_copy_again
from tests.factories import DOCUMENT_SECRET, make_session, sign
from tests.functions.test_documents import call
from tests.mail_server import MailServer
from tests.people import Person


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
    assert "M (Central European Time)." in plain_body.get_content(), "the time is in the signer's time zone"


@pytest.mark.usefixtures("worker")
async def test_a_refused_copy_is_sent_again_on_request_but_only_once_for_two_simultaneous_requests(
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
    # The second and the third email were requested: the first call waited for the automatic email, the second call sent
    # another one, and the two simultaneous calls together sent one.
    assert await admin.fetchval("select count(*) from emails") == 3


async def test_a_signer_gets_at_most_three_copies(
    database: Database, admin: Connection, documents: DocumentContext, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    assert not await send_copy_again(database, documents, waiver["id"], SignerCopy("gil@example.com", "failed", 3))
    assert await admin.fetchval("select count(*) from emails") == 0
    assert await send_copy_again(database, documents, waiver["id"], SignerCopy("gil@example.com", "failed", 2))
    assert await admin.fetchval("select count(*) from emails") == 1


async def test_a_copy_is_reported_as_preparing_until_its_document_is_ready(
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


async def test_a_copy_of_an_unknown_waiver_is_refused(client: httpx.AsyncClient) -> None:
    response = await call(client, "anon", "email-copy", {"waiver_id": str(uuid4())})

    assert response.status_code == 404
