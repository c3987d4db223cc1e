"""An email that was sent is not sent again, although the database could not record it at first."""

import asyncio
from dataclasses import replace
from typing import Any

import asyncpg
import pytest

from cairn.db import Connection, Database, DatabaseUnreachable
from cairn.messaging import MessagingSettings, store
from cairn.messaging.send_email import send_email
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.mail_server import running_mail_server
from tests.running_worker import mail_sender


async def test_an_interrupted_job_does_not_send_its_email_again(
    database: Database,
    admin: Connection,
    documents: DocumentContext,
    seal: Seal,
    signed_waiver: asyncpg.Record,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_read_only = True
    record_receipt = store.record_receipt

    async def record_if_possible(*arguments: Any) -> None:
        if is_read_only:
            raise DatabaseUnreachable
        await record_receipt(*arguments)

    monkeypatch.setattr(store, "record_receipt", record_if_possible)
    async with running_mail_server() as mail_server:
        mail = MessagingSettings(smtp=mail_server.settings)
        await prepare_document(database, replace(documents, messaging=mail), seal, signed_waiver["id"])
        email_id = await admin.fetchval("select id from emails")
        sender = mail_sender(database, documents, mail)
        interrupted_job = asyncio.create_task(send_email(sender, email_id, last_try=False))
        await mail_server.first_email()
        await asyncio.sleep(0.1)
        interrupted_job.cancel()
        next_try = asyncio.create_task(send_email(sender, email_id, last_try=True))
        await asyncio.sleep(0.1)
        is_read_only = False
        await next_try

    assert len(mail_server.emails) == 1
    assert await admin.fetchval("select status from emails") == "delivered"
