"""The signer asks for their copy by mail and hears the truth about it."""

import asyncio
from uuid import uuid4

import httpx
import pytest

from cairn.db import Connection, Database
from cairn.functions import email_copy
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext
from tests.cast import Person
from tests.functions.test_documents import call
from tests.mail_server import MailServer
from tests.make import make_session, sign
from tests.running_worker import worker_running


async def test_a_delivered_copy_is_told_and_not_sent_twice(
    client: httpx.AsyncClient,
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    office: MailServer,
    rosa: Person,
) -> None:
    async with worker_running(
        database, login_url, notifier, mail=MessagingSettings(smtp=office.settings), documents=documents
    ):
        waiver = await sign(database, await make_session(database, rosa), time_zone="Europe/Madrid")
        notifier.notify()
        asked = {"waiver_id": str(waiver["id"])}
        answers = [await call(client, "anon", "email-copy", asked) for _ in range(3)]

    assert [answer.json() for answer in answers] == [
        {"status": "delivered", "says": "Your copy was sent to gil@example.com."}
    ] * 3
    [letter] = office.emails
    assert "UTC (" in letter.get_body(("plain",)).get_content(), "server time, and that of the signer's zone"  # type: ignore[union-attr]
    assert "Europe/Madrid" in str(letter)


async def test_a_refused_copy_is_sent_again_when_asked_for_and_not_for_ever(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    login_url: str,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    office: MailServer,
    rosa: Person,
) -> None:
    office.answer = "550 No such mailbox"
    async with worker_running(
        database, login_url, notifier, mail=MessagingSettings(smtp=office.settings), documents=documents
    ):
        waiver = await sign(database, await make_session(database, rosa))
        notifier.notify()
        asked = {"waiver_id": str(waiver["id"])}
        refused = [await call(client, "anon", "email-copy", asked) for _ in range(2)]
        office.answer = "250 OK"
        both = await asyncio.gather(*(call(client, "anon", "email-copy", asked) for _ in range(2)))

    assert {answer.json()["says"] for answer in refused} == {
        "The mail to gil@example.com was refused. Please download your copy."
    }
    assert {answer.json()["status"] for answer in both} == {"delivered"}
    assert len(office.emails) == 1
    assert await admin.fetchval("select count(*) from emails") == 3


async def test_while_nothing_is_sent_nothing_is_called_sent(
    client: httpx.AsyncClient, database: Database, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(email_copy, "_WAIT_SECONDS", 0.1)
    waiver = await sign(database, await make_session(database, rosa))

    answer = await call(client, "anon", "email-copy", {"waiver_id": str(waiver["id"])})

    assert answer.json() == {
        "status": "preparing",
        "says": "Your document is still being prepared. The mail with your copy follows by itself.",
    }
    assert (await call(client, "anon", "email-copy", {"waiver_id": str(uuid4())})).status_code == 404
