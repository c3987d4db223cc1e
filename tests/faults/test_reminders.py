"""When a worker is killed while it sends a reminder, the guest receives the reminder once."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg

from tests.factories import SAMPLE_TEMPLATE_ID
from tests.mail_server import MailServer, running_mail_server
from tests.serving import RunningServer, environment, serving, smtp_environment
from tests.waiting import wait_until_true


async def test_a_reminder_is_sent_once_although_the_worker_is_killed(tmp_path: Path) -> None:
    async with running_mail_server() as mail_server:
        settings = smtp_environment(mail_server.settings)
        may_acknowledge = delay_acknowledgement(mail_server)
        server_context = serving(tmp_path, settings=settings, worker=False)
        server = await asyncio.to_thread(server_context.__enter__)
        try:
            connection = await asyncpg.connect(server.db_url)
            await queue_reminder(connection)
            async with running_worker(server, settings) as worker:
                await mail_server.first_email()
                worker.kill()
                worker.wait()
            may_acknowledge.set()
            async with running_worker(server, settings), running_worker(server, settings):
                no_job_is_left = "select count(*) = 0 from jobs.procrastinate_jobs where status in ('todo', 'doing')"
                await wait_until_true(connection, no_job_is_left)
                email = await connection.fetchrow("select status, handed_at is not null as handed from emails")
            await connection.close()
        finally:
            await asyncio.to_thread(server_context.__exit__, None, None, None)

    assert len(mail_server.emails) == 1
    assert email is not None
    assert tuple(email) == ("sending", True), "it is unknown whether the email arrived, so no outcome is reported yet"


def delay_acknowledgement(mail_server: MailServer) -> asyncio.Event:
    """Makes the mail server acknowledge emails only after the returned event is set."""
    handle_data, may_acknowledge = mail_server.handle_DATA, asyncio.Event()

    async def handle_data_and_wait(*arguments: Any) -> str:
        reply = await handle_data(*arguments)
        await may_acknowledge.wait()
        return reply

    vars(mail_server)["handle_DATA"] = handle_data_and_wait
    return may_acknowledge


async def queue_reminder(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    company_id = await connection.fetchval("insert into companies (name) values ('Rio Rafting') returning id")
    await connection.execute(
        """
        insert into waivers.sessions (company_id, template_id, template_name, template_content, recipient_email, status,
                                      expires_at)
        values ($1, $2, 'River trip', 'Text', 'gil@example.com', 'pending', now() + interval '9 days')
        """,
        company_id, SAMPLE_TEMPLATE_ID,
    )  # fmt: skip
    await connection.execute("select waivers.queue_reminders($1, null, false, 'infinity', 'infinity', 9)", company_id)


@asynccontextmanager
async def running_worker(server: RunningServer, settings: dict[str, str]) -> AsyncIterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(  # noqa: ASYNC220 - starting a process does not block
        [sys.executable, "-m", "cairn", "worker", "--data", str(server.data)], env=environment(**settings)
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            await asyncio.to_thread(process.wait, 30)
