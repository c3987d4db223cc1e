"""`/health/ready` says whether events wait too long for a worker."""

import pytest

from cairn.db import Connection, Database
from cairn.health import check_database

LATE = "events have been waiting for a worker for more than two minutes"


@pytest.mark.accept("OPS-69")
@pytest.mark.parametrize(("waiting", "expected"), [("1 minute", "ok"), ("3 minutes", LATE), ("-1 hour", "ok")])
async def test_the_check_of_the_queue_fails_when_an_event_has_waited_for_more_than_two_minutes(
    database: Database, admin: Connection, waiting: str, expected: str
) -> None:
    await admin.execute("select jobs.raise_event('test.waiting', '{}')")
    await admin.execute("update jobs.events set at = now() - $1::text::interval", waiting)

    assert (await check_database(database))["queue"] == expected


@pytest.mark.accept("OPS-69")
async def test_many_jobs_of_one_company_do_not_make_the_server_unready(database: Database, admin: Connection) -> None:
    # The triggers of the queue find their tables by the search path.
    await admin.execute(
        """
        set search_path = jobs;
        insert into jobs.procrastinate_jobs (queue_name, task_name, args, status, scheduled_at)
        select 'documents', 'test', '{"payload": {"company_id": "a"}}', 'todo', now() - interval '20 minutes'
          from generate_series(1, 1000)
        """
    )

    assert (await check_database(database))["queue"] == "ok"
