"""After the clock was set back, times in the future neither put off work for hours nor hide that a worker has ended."""

import asyncio

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.jobs import Job, OutboxNotifier, Payload, dispatch, is_worker_running, raise_event
from cairn.messaging import retry_emails
from cairn.waivers import DocumentContext, Seal, retry_overdue_documents
from cairn.waivers.documents import prepare_document
from tests.running_worker import jobs_running, mail_sender

pytestmark = pytest.mark.accept("OPS-68")


async def test_a_worker_that_ended_is_not_reported_as_running(
    database: Database, admin: Connection, login_url: str
) -> None:
    await admin.execute("update jobs.readers set read_at = now() + interval '2 hours' where name = 'worker'")
    await admin.execute("insert into jobs.procrastinate_workers (last_heartbeat) values (now() + interval '2 hours')")
    assert not await is_worker_running(admin)

    async with OutboxNotifier(login_url) as notifier, jobs_running(database, login_url, notifier, []):
        async with asyncio.timeout(20):
            while not await is_worker_running(admin):  # noqa: ASYNC110 - the result changes in the database
                await asyncio.sleep(0.1)


async def test_a_job_whose_next_try_is_hours_ahead_runs_soon(
    database: Database, admin: Connection, login_url: str
) -> None:
    has_run = asyncio.Event()

    async def run(_payload: Payload, _is_last_try: bool) -> None:
        has_run.set()

    job = Job("things.happen", on="thing.happened", run=run)
    async with database.acting_as(SERVICE) as connection:
        await raise_event(connection, "thing.happened")
    await dispatch(database, [job])
    # The triggers of procrastinate refer to their tables without a schema.
    await admin.execute("set search_path = jobs")
    await admin.execute("update procrastinate_jobs set scheduled_at = now() + interval '2 hours'")
    await admin.execute("reset search_path")

    async with (
        OutboxNotifier(login_url) as notifier,
        jobs_running(database, login_url, notifier, [job]),
        asyncio.timeout(20),
    ):
        await has_run.wait()


async def test_a_document_and_an_email_whose_last_try_is_hours_ahead_are_tried_again(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, signed_waiver: asyncpg.Record
) -> None:
    await admin.execute(
        """
        insert into waivers.document_failures (waiver_id, error, attempts, tried_at)
        values ($1, 'No space left on device', 4, now() + interval '2 hours')
        """,
        signed_waiver["id"],
    )
    await retry_overdue_documents(database, documents, seal)
    assert not await prepare_document(database, documents, seal, signed_waiver["id"]), "the document exists"

    await admin.execute("update emails set attempts = 3, tried_at = now() + interval '2 hours'")
    await retry_emails(mail_sender(database, documents))
    assert await admin.fetchval("select status from emails") == "kept", "there is no mail server in this test"
