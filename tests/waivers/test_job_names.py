"""Jobs that an earlier version queued under their former names still run."""

import asyncio
from typing import Any

from cairn.db import Connection, Database
from cairn.jobs import Job, OutboxNotifier, dispatch
from tests.factories import make_session, sign
from tests.people import Person
from tests.running_worker import worker_running
from tests.waiting import PATIENCE_SECONDS


async def test_a_job_queued_as_tell_company_notifies_the_company(
    database: Database, admin: Connection, login_url: str, rosa: Person
) -> None:
    async def run(_payload: dict[str, Any], _is_last_try: bool) -> None:
        raise AssertionError("only queued here, never run")

    await sign(database, await make_session(database, rosa))
    await dispatch(database, [Job("waivers.tell_company", on="waiver.signed", run=run)])

    async with OutboxNotifier(login_url) as notifier, worker_running(database, login_url, notifier):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await admin.fetchval("select count(*) from notifications"):  # noqa: ASYNC110 - a job adds it
                await asyncio.sleep(0.05)

    assert await admin.fetchval("select title from notifications") == "New Waiver Signed"
    assert await admin.fetchval("select count(*) from jobs.procrastinate_jobs") == 0
