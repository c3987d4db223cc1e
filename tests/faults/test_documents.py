"""Whatever breaks on the way to a document: nothing lost, nothing twice, the true state shown."""

import asyncio
import logging
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.doctor import _documents
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings, send_patient_emails
from cairn.waivers import DocumentContext, Seal, retry_overdue_documents, stuck_documents
from cairn.waivers.documents import prepare_document
from tests.cast import Person
from tests.faults.test_kill import open_sessions, sign_all
from tests.mail_server import running_mail_server
from tests.make import make_session, sign
from tests.running_worker import mail_sender, worker_running
from tests.serving import cairn, serving


class BrokenRenderer:
    """Out of paper as often as told."""

    def __init__(self, documents: DocumentContext, times: int) -> None:
        self._renderer, self.left = documents.renderer, times

    def render(self, template: str, contents: Any) -> bytes:
        if self.left > 0:
            self.left -= 1
            raise RuntimeError("out of paper")
        return self._renderer.render(template, contents)


async def test_a_renderer_that_fails_ten_times_loses_nothing(
    database: Database,
    admin: Connection,
    documents: DocumentContext,
    seal: Seal,
    rosa: Person,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)
    waiver = await sign(database, await make_session(database, rosa))
    broken = DocumentContext(BrokenRenderer(documents, 10), documents.storage, documents.data, documents.site_url)  # type: ignore[arg-type]

    for attempt in range(10):
        with pytest.raises(RuntimeError, match="out of paper"):
            await prepare_document(database, broken, seal, waiver["id"])
        failure = await admin.fetchrow("select attempts, error from waivers.document_failures")
        assert tuple(failure or ()) == (attempt + 1, "RuntimeError: out of paper")
    assert await admin.fetchval("select document_status from signed_waivers") == "preparing"
    assert await admin.fetchval("select count(*) from emails") == 0
    async with database.acting_as(SERVICE) as connection:
        told = _documents(await stuck_documents(connection, older_than=timedelta(0)))
    assert not told.healthy
    assert f"first {waiver['id']}: tried 10 times, RuntimeError: out of paper" in told.message

    await retry_overdue_documents(database, broken, seal)
    status = await admin.fetchval("select document_status from signed_waivers")
    assert status == "preparing", "it was tried a moment ago"
    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute("update waivers.signed set signed_at = signed_at - interval '3 hours'")
    await admin.execute("update waivers.document_failures set tried_at = tried_at - interval '3 hours'")
    await admin.execute("alter table waivers.signed enable trigger keep_signed")
    await retry_overdue_documents(database, broken, seal)

    assert await admin.fetchval("select document_status from signed_waivers") == "ready"
    assert await admin.fetchval("select count(*) from emails") == 1
    assert await admin.fetchval("select count(*) from waivers.document_failures") == 0


async def test_killed_between_the_bucket_and_the_record_the_same_document_is_found_again(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    await admin.execute("alter table waivers.audit_events add constraint killed check (name <> 'document.sealed')")
    with pytest.raises(asyncpg.CheckViolationError):
        await prepare_document(database, documents, seal, waiver["id"])
    path = f"{rosa.company}/{waiver['id']}.pdf"
    first = await documents.find(path)
    assert await admin.fetchval("select document_status from signed_waivers") == "preparing"

    await admin.execute("alter table waivers.audit_events drop constraint killed")
    await prepare_document(database, documents, seal, waiver["id"])

    assert first is not None
    assert await documents.find(path) == first
    assert await admin.fetchval("select count(*) from emails") == 1


async def test_workers_that_race_make_one_document_and_one_mail(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    await asyncio.gather(*(prepare_document(database, documents, seal, waiver["id"]) for _ in range(6)))

    assert await admin.fetchval("select count(*) from emails") == 1
    assert await admin.fetchval("select count(*) from waivers.audit_events where name = 'document.sealed'") == 1
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_a_mail_server_that_is_down_gets_the_copy_when_it_is_back(
    database: Database, admin: Connection, login_url: str, documents: DocumentContext, rosa: Person
) -> None:
    async with running_mail_server() as office, OutboxNotifier(login_url) as notifier:
        office.answer = "451 Come back later"
        mail = MessagingSettings(smtp=office.settings)
        async with worker_running(database, login_url, notifier, mail=mail, documents=documents):
            waiver = await sign(database, await make_session(database, rosa))
            notifier.notify()
            await until(admin, "select max(attempts) > 0 from emails")
        assert await admin.fetchval("select status from emails") == "sending"
        assert office.letters == []

        office.answer = "250 OK"
        room = mail_sender(database, documents, mail)
        await send_patient_emails(room)
        assert office.letters == [], "it was tried a moment ago"
        await admin.execute("update emails set attempts = 9, tried_at = now() - interval '2 hours'")
        await asyncio.gather(*(send_patient_emails(room) for _ in range(4)))

    [letter] = office.letters
    [attached] = letter.iter_attachments()
    assert letter["To"] == "gil@example.com"
    assert letter["Subject"] == "Your signed waiver: General Liability Waiver"
    assert attached.get_content_type() == "application/pdf"
    assert attached.get_content() == await documents.find(f"{rosa.company}/{waiver['id']}.pdf")
    assert await admin.fetchval("select status from emails") == "delivered"


async def until(admin: Connection, question: str) -> None:
    async with asyncio.timeout(20):
        while not await admin.fetchval(question):  # noqa: ASYNC110 - the answer is in the database
            await asyncio.sleep(0.05)


async def test_kill_9_after_signing_leaves_every_document_to_the_next_start(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        sessions = await open_sessions(served, 40)
        acknowledged = await sign_all(served, sessions, kill_after=20)

    with serving(tmp_path) as again:
        connection = await asyncpg.connect(again.db_url)
        await until(connection, "select count(*) > 0 and bool_and(document_path is not null) from waivers.signed")
        stored: set[UUID] = {row["id"] for row in await connection.fetch("select id from waivers.signed")}
        copies = await connection.fetch("select attachment_id from emails where attachment_source = 'waiver-document'")
        histories = await connection.fetchval(
            "select count(*) from waivers.audit_events where name = 'document.sealed'"
        )
        doctor = cairn("doctor", "--data", tmp_path)
        checked = cairn("verify", "--data", tmp_path)
        await connection.close()

    assert acknowledged <= stored
    assert sorted(copy["attachment_id"] for copy in copies) == sorted(stored), "one copy each, none twice"
    assert histories == len(stored)
    assert "documents   every signed waiver has its document" in doctor.stdout
    assert (checked.returncode, checked.stdout) == (0, "The history is intact.\n")
