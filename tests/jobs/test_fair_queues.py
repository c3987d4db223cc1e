"""Companies take turns, queues do not wait for each other, and only the jobs of lost workers run again.

H3, C2, M7 and 17B8 are findings in docs/security.md.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.jobs import DEFAULT_QUEUE, Job, OutboxNotifier, Queue, end_pause, pause_company, raise_event, sweep
from cairn.jobs.lost_workers import LOCK_CLASS
from cairn.kit import frozen_dataclass
from tests.factories import make_session, sign
from tests.people import Person
from tests.running_worker import jobs_running, worker_running

ONE_AT_A_TIME = Queue("one at a time", 1, concurrency_per_company=1)
QUEUE_WITH_SPARE_PLACE = Queue("with a spare place", 3, concurrency_per_company=2)


@frozen_dataclass
class Outbox:
    """Raises events, and runs the jobs that follow from them."""

    database: Database
    login_url: str
    notifier: OutboxNotifier

    async def raise_events(self, companies: str, name: str = "thing.happened") -> None:
        """Raises one event for each character of `companies`. The character is the id of the company."""
        async with self.database.acting_as(SERVICE) as connection:
            for company in companies:
                await raise_event(connection, name, company_id=company)
        self.notifier.notify()

    def running(self, *jobs: Job) -> AbstractAsyncContextManager[None]:
        return jobs_running(self.database, self.login_url, self.notifier, jobs)

    @asynccontextmanager
    async def running_blocked_job(self, queue: Queue) -> AsyncIterator[tuple[list[str], asyncio.Event]]:
        """Yields the companies whose jobs have started. The jobs end only after the event is set."""
        companies: list[str] = []
        go_on = asyncio.Event()

        async def run(payload: dict[str, Any], _is_last_try: bool) -> None:
            companies.append(payload["company_id"])
            await go_on.wait()

        async with self.running(Job("test.blocked", on="thing.happened", run=run, queue=queue)):
            yield companies, go_on


@pytest.fixture
def outbox(database: Database, login_url: str, notifier: OutboxNotifier) -> Outbox:
    return Outbox(database, login_url, notifier)


async def wait_for(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - jobs change it
            await asyncio.sleep(0.02)


@pytest.mark.accept("SAFE-11")
async def test_h3_companies_take_turns(outbox: Outbox) -> None:
    order: list[str] = []

    async def run(payload: dict[str, Any], _is_last_try: bool) -> None:
        order.append(payload["company_id"])

    await outbox.raise_events("aaaaa")
    await outbox.raise_events("bbc")
    job = Job("test.turns", on="thing.happened", run=run, queue=ONE_AT_A_TIME)
    async with outbox.running(job):
        await wait_for(lambda: len(order) == 8)

    assert "".join(order) == "abcabaaa"


async def test_h3_later_jobs_of_a_waiting_company_go_behind_those_of_others(outbox: Outbox) -> None:
    async with outbox.running_blocked_job(ONE_AT_A_TIME) as (order, go_on):
        await outbox.raise_events("aaaa")
        await wait_for(lambda: len(order) == 1)
        await outbox.raise_events("ab")
        await asyncio.sleep(1)
        go_on.set()
        await wait_for(lambda: len(order) == 6)

    assert "".join(order) == "aabaaa"


async def test_h3_a_company_with_many_jobs_gets_its_turn_while_others_keep_adding_jobs(outbox: Outbox) -> None:
    """Each job of b is added while the previous one runs, so b never has more than one waiting."""
    order: list[str] = []

    async def run(payload: dict[str, Any], _is_last_try: bool) -> None:
        order.append(payload["company_id"])
        if payload["company_id"] == "b" and len(order) < 12 and order.count("a") < 4:
            await outbox.raise_events("b")
            await wait_for_jobs_of(outbox.database, "b")

    await outbox.raise_events("aaaab")
    job = Job("test.steady", on="thing.happened", run=run, queue=ONE_AT_A_TIME)
    async with outbox.running(job):
        await wait_for(lambda: order.count("a") == 4)

    assert "".join(order[:7]) == "abababa"


async def wait_for_jobs_of(database: Database, company: str) -> None:
    async with asyncio.timeout(20):
        while not await waiting_jobs_of(database, company):  # noqa: ASYNC110 - the dispatcher adds them
            await asyncio.sleep(0.02)


async def waiting_jobs_of(database: Database, company: str) -> int:
    async with database.acting_as(SERVICE) as connection:
        count: int = await connection.fetchval(
            "select count(*) from jobs.procrastinate_jobs where status = 'todo' and jobs.company_of(args) = $1", company
        )
        return count


async def test_17b8_companies_take_turns_in_the_default_queue(outbox: Outbox) -> None:
    """17B8: a company with many signatures does not delay the notifications, webhooks and reminders of others."""
    async with outbox.running_blocked_job(DEFAULT_QUEUE) as (running, go_on):
        await outbox.raise_events("a" * 12)
        await wait_for(lambda: len(running) >= 4)
        await outbox.raise_events("b")
        await wait_for(lambda: "b" in running)
        assert running.count("a") == 4
        go_on.set()
        await wait_for(lambda: len(running) == 13)


async def test_17b8_the_event_of_a_reminder_names_its_company(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await request_reminders(database, admin, rosa, count=1)

    company = await admin.fetchval("select payload ->> 'company_id' from jobs.events where name = 'reminder.requested'")
    assert company == str(rosa.company)


async def test_17b8_reminders_delay_no_notification_of_their_company(
    outbox: Outbox, admin: Connection, rosa: Person
) -> None:
    """17B8: a company may have thousands of reminders at once, and is notified of a signature all the same."""
    await request_reminders(outbox.database, admin, rosa, count=12)
    await sign(outbox.database, await make_session(outbox.database, rosa))

    # The jobs of the reminders wait for this lock.
    await admin.execute("begin; lock table waivers.reminders")
    async with worker_running(outbox.database, outbox.login_url, outbox.notifier):
        try:
            async with asyncio.timeout(20):
                while not await admin.fetchval("select count(*) from notifications"):  # noqa: ASYNC110 - a job adds it
                    await asyncio.sleep(0.1)
        finally:
            await admin.execute("rollback")


async def request_reminders(database: Database, admin: Connection, company: Person, *, count: int) -> None:
    session_ids = [await make_session(database, company) for _ in range(count)]
    await admin.execute(
        "insert into waivers.reminders (session_id, company_id, scheduled) select unnest($1::uuid[]), $2, true",
        session_ids, company.company,
    )  # fmt: skip


async def test_h3_one_company_never_takes_the_last_free_place(outbox: Outbox) -> None:
    async with outbox.running_blocked_job(QUEUE_WITH_SPARE_PLACE) as (running, go_on):
        await outbox.raise_events("aaaaaa")
        await wait_for(lambda: len(running) == 2)
        await asyncio.sleep(1)
        assert running == ["a", "a"]
        await outbox.raise_events("b")
        await wait_for(lambda: len(running) == 3)
        assert running == ["a", "a", "b"]
        go_on.set()
        await wait_for(lambda: len(running) == 7)


async def test_c2_jobs_of_a_paused_company_wait_and_those_of_others_do_not(outbox: Outbox) -> None:
    paused, other = uuid4(), uuid4()
    done: list[str] = []

    async def run(payload: dict[str, Any], _is_last_try: bool) -> None:
        done.append(payload["company_id"])

    async with outbox.database.acting_as(SERVICE) as connection:
        await pause_company(connection, ONE_AT_A_TIME, paused, timedelta(minutes=5))
        for company in (paused, paused, other):
            await raise_event(connection, "thing.happened", company_id=company)
    async with outbox.running(Job("test.paused", on="thing.happened", run=run, queue=ONE_AT_A_TIME)):
        await wait_for(lambda: len(done) == 1)
        await asyncio.sleep(1)
        assert done == [str(other)]
        async with outbox.database.acting_as(SERVICE) as connection:
            await end_pause(connection, ONE_AT_A_TIME, paused)
        await wait_for(lambda: len(done) == 3)


async def test_c2_jobs_start_again_when_the_pause_is_over(outbox: Outbox) -> None:
    company = uuid4()
    done = asyncio.Event()

    async def run(_payload: dict[str, Any], _is_last_try: bool) -> None:
        done.set()

    async with outbox.database.acting_as(SERVICE) as connection:
        await pause_company(connection, ONE_AT_A_TIME, company, timedelta(seconds=1))
        await raise_event(connection, "thing.happened", company_id=company)
    async with outbox.running(Job("test.over", on="thing.happened", run=run, queue=ONE_AT_A_TIME)):
        async with asyncio.timeout(10):
            await done.wait()
    await sweep(outbox.database)
    async with outbox.database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from jobs.pauses") == 0


async def test_c2_a_rival_can_neither_read_nor_add_a_pause(database: Database, mallory: Person, rosa: Person) -> None:
    for attempt in (
        "select * from jobs.pauses",
        f"insert into jobs.pauses values ('endpoints', '{rosa.company}', now())",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(mallory.principal) as connection:
                await connection.execute(attempt)


async def test_h3_a_company_gets_its_next_turn_without_waiting_for_a_poll(outbox: Outbox) -> None:
    """Without a wake-up after each job, the next one would wait for the poll every two seconds."""
    done: list[str] = []

    async def run(payload: dict[str, Any], _is_last_try: bool) -> None:
        await asyncio.sleep(0.02)
        done.append(payload["company_id"])

    await outbox.raise_events("a" * 20)
    job = Job("test.next", on="thing.happened", run=run, queue=QUEUE_WITH_SPARE_PLACE)
    async with outbox.running(job):
        await wait_for(lambda: len(done) > 0)
        async with asyncio.timeout(10):
            await wait_for(lambda: len(done) == 20)


async def test_m7_queues_do_not_wait_for_each_other(outbox: Outbox) -> None:
    done, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_payload: dict[str, Any], _is_last_try: bool) -> None:
        await go_on.wait()

    async def end(_payload: dict[str, Any], _is_last_try: bool) -> None:
        done.set()

    jobs = [
        Job("test.silent", on="email.requested", run=wait, queue=Queue("silent", 2)),
        Job("test.quick", on="thing.happened", run=end, queue=QUEUE_WITH_SPARE_PLACE),
    ]
    await outbox.raise_events("a" * 30, "email.requested")
    await outbox.raise_events("a")
    async with outbox.running(*jobs):
        async with asyncio.timeout(10):
            await done.wait()
        go_on.set()


async def test_h3_jobs_of_a_busy_worker_are_not_taken_away(outbox: Outbox, admin: Connection) -> None:
    done = asyncio.Event()

    async def run(_payload: dict[str, Any], _is_last_try: bool) -> None:
        done.set()

    job = Job("test.busy", on="thing.happened", run=run)
    worker_id = await admin.fetchval(
        "insert into jobs.procrastinate_workers (last_heartbeat) values (now() - interval '1 minute') returning id"
    )
    # A worker that is too busy for its heartbeat is still connected, so it still holds its lock.
    await admin.execute("select pg_advisory_lock_shared($1, $2)", LOCK_CLASS, worker_id)
    await admin.execute("set search_path = jobs, public")
    await admin.execute(
        """
        insert into jobs.procrastinate_jobs (queue_name, task_name, args, status, worker_id)
        values ('cairn', 'test.busy', '{"payload": {}}', 'doing', $1)
        """,
        worker_id,
    )
    async with outbox.running(job):
        await asyncio.sleep(3)
        assert not done.is_set()

        await admin.execute("select pg_advisory_unlock_all()")

        async with asyncio.timeout(10):
            await done.wait()


async def test_a_running_worker_holds_its_locks(outbox: Outbox, admin: Connection) -> None:
    async def run(_payload: dict[str, Any], _is_last_try: bool) -> None:
        raise AssertionError("no event")

    job = Job("test.locks", on="thing.happened", run=run, queue=ONE_AT_A_TIME)
    query = """
        select count(*) from jobs.procrastinate_workers w
          join pg_locks l on l.locktype = 'advisory' and l.classid::bigint = $1 and l.objid::bigint = w.id
    """
    async with outbox.running(job):
        async with asyncio.timeout(10):
            # There is one worker for the default queue, and one for the queue of the job.
            while await admin.fetchval(query, LOCK_CLASS) != 2:  # noqa: ASYNC110 - only the database knows
                await asyncio.sleep(0.1)


async def test_h3_a_hundred_thousand_waiting_jobs_of_one_company_do_not_slow_down_the_queues(admin: Connection) -> None:
    """The company already has its two jobs running, so every fetch has to skip all the others."""
    await admin.execute("set search_path = jobs, public")
    worker_id = await admin.fetchval("insert into jobs.procrastinate_workers default values returning id")
    await admin.execute(
        """
        insert into jobs.procrastinate_jobs (queue_name, task_name, priority, args, status, worker_id)
        select 'documents', 'test.many', -number, '{"payload": {"company_id": "a"}}',
               case when number < 2 then 'doing' else 'todo' end::jobs.procrastinate_job_status,
               case when number < 2 then $1::bigint end
          from generate_series(0, 100000) as number
        """,
        worker_id,
    )
    await admin.execute("analyze jobs.procrastinate_jobs")

    assert await pages_read(admin, f"select * from jobs.fetch_fairly('documents', {worker_id}, 2)") < 100
    assert await pages_read(admin, f"select * from jobs.fetch_fairly('cairn', {worker_id}, 4)") < 100
    assert await pages_read(admin, f"select * from jobs.procrastinate_fetch_job_v2('{{cairn}}', {worker_id})") < 100
    assert await pages_read(admin, "select * from jobs.next_turns('{documents,documents}', '{a,b}')") < 100
    # The next turn of a is behind its last job. The turn of b, which has no jobs, is that of the first waiting job.
    rows = await admin.fetch("select company, turn from jobs.next_turns('{documents,documents}', '{a,b}')")
    assert {row["company"]: row["turn"] for row in rows} == {"a": 100_001, "b": 2}


async def pages_read(admin: Connection, query: str) -> int:
    """Returns how many pages the query reads from the cache or the disk. The first run, which plans it, is left out."""
    await admin.fetch(query)
    [[plan]] = await admin.fetch(f"explain (analyze, buffers, format json) {query}")
    top = json.loads(plan)[0]
    pages: int = top["Plan"]["Shared Hit Blocks"] + top["Plan"]["Shared Read Blocks"]
    return pages
