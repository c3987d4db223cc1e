"""When preparing a document fails, nothing is lost or done twice, and the reported state is true."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.doctor import _check_documents
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings, retry_emails
from cairn.waivers import DocumentContext, Seal, retry_overdue_documents, stuck_documents
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, sign
from tests.faults.test_kill import open_sessions, sign_all
from tests.mail_server import running_mail_server
from tests.people import Person
from tests.running_worker import mail_sender, worker_running
from tests.serving import run_cairn, serving
from tests.waiting import wait_until_true


class BrokenProcesses:
    """Replaces the rendering processes. The first `failures` calls fail, and later calls render."""

    def __init__(self, documents: DocumentContext, failures: int) -> None:
        self._processes, self.failures_left = documents.rendering, failures

    async def run(self, key: str, function: Callable[..., bytes], *args: object) -> bytes:
        if self.failures_left > 0:
            self.failures_left -= 1
            raise RuntimeError("out of memory")
        return await self._processes.run(key, function, *args)


async def test_a_renderer_that_fails_ten_times_loses_nothing(
    database: Database,
    admin: Connection,
    documents: DocumentContext,
    seal: Seal,
    signed_waiver: asyncpg.Record,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)
    broken_documents = replace(documents, rendering=BrokenProcesses(documents, failures=10))  # type: ignore[arg-type] # same method

    for attempt in range(10):
        with pytest.raises(RuntimeError, match="out of memory"):
            await prepare_document(database, broken_documents, seal, signed_waiver["id"])
        failure = await admin.fetchrow("select attempts, error from waivers.document_failures")
        assert tuple(failure or ()) == (attempt + 1, "RuntimeError: out of memory")
    assert await admin.fetchval("select document_status from signed_waivers") == "preparing"
    assert await admin.fetchval("select count(*) from emails") == 0
    async with database.acting_as(SERVICE) as connection:
        finding = _check_documents(await stuck_documents(connection, older_than=timedelta(0)))
    assert not finding.healthy
    assert f"first {signed_waiver['id']}: tried 10 times, RuntimeError: out of memory" in finding.message

    await retry_overdue_documents(database, broken_documents, seal)
    status = await admin.fetchval("select document_status from signed_waivers")
    assert status == "preparing", "the last attempt is too recent for a retry"
    # Signed waivers are protected by a trigger, so it is disabled to make this one older.
    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute("update waivers.signed set signed_at = signed_at - interval '3 hours'")
    await admin.execute("update waivers.document_failures set tried_at = tried_at - interval '3 hours'")
    await admin.execute("alter table waivers.signed enable trigger keep_signed")
    await retry_overdue_documents(database, broken_documents, seal)

    assert await admin.fetchval("select document_status from signed_waivers") == "ready"
    assert await admin.fetchval("select count(*) from emails") == 1
    assert await admin.fetchval("select count(*) from waivers.document_failures") == 0


async def test_after_a_crash_between_storing_and_recording_the_stored_document_is_used(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, signed_waiver: asyncpg.Record
) -> None:
    await admin.execute(
        "alter table waivers.audit_events add constraint simulated_crash check (name <> 'document.sealed')"
    )
    with pytest.raises(asyncpg.CheckViolationError):
        await prepare_document(database, documents, seal, signed_waiver["id"])
    path = f"{signed_waiver['company_id']}/{signed_waiver['id']}.pdf"
    stored_document = await documents.find(path)
    assert await admin.fetchval("select document_status from signed_waivers") == "preparing"

    await admin.execute("alter table waivers.audit_events drop constraint simulated_crash")
    await prepare_document(database, documents, seal, signed_waiver["id"])

    assert stored_document is not None
    assert await documents.find(path) == stored_document
    assert await admin.fetchval("select count(*) from emails") == 1


async def test_concurrent_workers_create_one_document_and_one_email(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, signed_waiver: asyncpg.Record
) -> None:
    await asyncio.gather(*(prepare_document(database, documents, seal, signed_waiver["id"]) for _ in range(6)))

    assert await admin.fetchval("select count(*) from emails") == 1
    assert await admin.fetchval("select count(*) from waivers.audit_events where name = 'document.sealed'") == 1
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_the_copy_is_sent_when_the_mail_server_works_again(
    database: Database, admin: Connection, login_url: str, documents: DocumentContext, rosa: Person
) -> None:
    async with running_mail_server() as mail_server, OutboxNotifier(login_url) as notifier:
        mail_server.reply = "451 Come back later"
        mail = MessagingSettings(smtp=mail_server.settings)
        async with worker_running(database, login_url, notifier, mail=mail, documents=documents):
            waiver = await sign(database, await make_session(database, rosa))
            notifier.notify()
            await wait_until_true(admin, "select max(attempts) > 0 from emails")
        assert await admin.fetchval("select status from emails") == "sending"
        assert mail_server.emails == []

        mail_server.reply = "250 OK"
        sender = mail_sender(database, documents, mail)
        await retry_emails(sender)
        assert mail_server.emails == [], "the last attempt is too recent for a retry"
        await admin.execute("update emails set attempts = 9, tried_at = now() - interval '2 hours'")
        await asyncio.gather(*(retry_emails(sender) for _ in range(4)))

    [email] = mail_server.emails
    [attachment] = email.iter_attachments()
    assert email["To"] == "gil@example.com"
    assert email["Subject"] == "Your signed waiver: General Liability Waiver"
    assert attachment.get_content_type() == "application/pdf"
    assert attachment.get_content() == await documents.find(f"{rosa.company}/{waiver['id']}.pdf")
    assert await admin.fetchval("select status from emails") == "delivered"


async def test_after_kill_9_the_next_start_prepares_every_document(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        sessions = await open_sessions(server, 40)
        acknowledged_ids = await sign_all(server, sessions, kill_after=20)

    with serving(tmp_path) as restarted_server:
        connection = await asyncpg.connect(restarted_server.db_url)
        await wait_until_true(
            connection, "select count(*) > 0 and bool_and(document_path is not null) from waivers.signed"
        )
        stored_ids: set[UUID] = {row["id"] for row in await connection.fetch("select id from waivers.signed")}
        copies = await connection.fetch("select attachment_id from emails where attachment_source = 'waiver-document'")
        sealed_count = await connection.fetchval(
            "select count(*) from waivers.audit_events where name = 'document.sealed'"
        )
        doctor = run_cairn("doctor", "--data", tmp_path)
        verification = run_cairn("verify", "--data", tmp_path)
        await connection.close()

    assert acknowledged_ids <= stored_ids
    assert sorted(copy["attachment_id"] for copy in copies) == sorted(stored_ids), "each waiver has exactly one copy"
    assert sealed_count == len(stored_ids)
    assert "documents   every signed waiver has its document" in doctor.stdout
    assert verification.returncode == 0
    assert "Nothing is wrong: every record, event, head and document is as it was signed." in verification.stdout
