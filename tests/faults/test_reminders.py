"""A worker killed while it hands a reminder over: the guest gets it once."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg

from tests.mail_server import MailServer, running_mail_server
from tests.make import SAMPLE
from tests.serving import Served, environment, mail_through, serving


async def test_kill_9_while_a_reminder_is_being_sent(tmp_path: Path) -> None:
    async with running_mail_server() as office:
        settings = mail_through(office.settings)
        answer = hold_the_answer(office)
        opened = serving(tmp_path, settings=settings, worker=False)
        served = await asyncio.to_thread(opened.__enter__)
        try:
            connection = await asyncpg.connect(served.db_url)
            await queue_one(connection)
            async with worker(served, settings) as first:
                await office.next_letter(seconds=30)
                first.kill()
                first.wait()
            answer.set()
            async with worker(served, settings), worker(served, settings):
                await until(
                    connection, "select count(*) = 0 from jobs.procrastinate_jobs where status in ('todo', 'doing')"
                )
                seen = await connection.fetchrow("select status, handed_at is not null as handed from emails")
            await connection.close()
        finally:
            await asyncio.to_thread(opened.__exit__, None, None, None)

    assert len(office.letters) == 1
    assert seen is not None
    assert tuple(seen) == ("sending", True), "nobody knows whether it arrived, so nobody says so yet"


def hold_the_answer(office: MailServer) -> asyncio.Event:
    """The letter is taken at once; that it was is said only when the event is set."""
    take, said = office.handle_DATA, asyncio.Event()

    async def slowly(*call: Any) -> str:
        answer = await take(*call)
        await said.wait()
        return answer

    vars(office)["handle_DATA"] = slowly
    return said


async def queue_one(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    company = await connection.fetchval("insert into companies (name) values ('Rio Rafting') returning id")
    await connection.execute(
        """
        insert into waivers.sessions (company_id, template_id, template_name, template_content, recipient_email, status,
                                      expires_at)
        values ($1, $2, 'River trip', 'Words', 'gil@example.com', 'pending', now() + interval '9 days')
        """,
        company, SAMPLE,
    )  # fmt: skip
    await connection.execute("select waivers.queue_reminders($1, null, false, 'infinity', 'infinity', 9)", company)


@asynccontextmanager
async def worker(served: Served, settings: dict[str, str]) -> AsyncIterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(  # noqa: ASYNC220 - starting it is quick
        [sys.executable, "-m", "cairn", "worker", "--data", str(served.data)], env=environment(**settings)
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            await asyncio.to_thread(process.wait, 30)


async def until(connection: "asyncpg.Connection[asyncpg.Record]", question: str) -> None:
    async with asyncio.timeout(40):
        while not await connection.fetchval(question):  # noqa: ASYNC110 - the answer is in the database
            await asyncio.sleep(0.1)
