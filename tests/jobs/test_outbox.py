"""The outbox is read in order, no event is skipped, and each event is turned into jobs."""

import asyncio
import re
from collections.abc import Collection
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database, EmbeddedPostgres, shipped_definitions
from cairn.jobs import (
    EVENTS,
    Job,
    OutboxNotifier,
    Position,
    dispatch,
    events_after,
    open_queue,
    raise_event,
    stuck_counts,
    sweep,
    work,
)
from tests.factories import make_session, sign
from tests.people import Person
from tests.running_worker import worker_running


async def names_after(database: Database, position: Position) -> list[str]:
    async with database.acting_as(SERVICE) as connection:
        return [event.name for event in await events_after(connection, position, with_payload=())]


async def test_a_late_commit_with_an_early_id_is_not_missed(database: Database) -> None:
    start = Position()
    async with database.acting_as(SERVICE) as slow:
        await raise_event(slow, "first.raised")
        async with database.acting_as(SERVICE) as fast:
            await raise_event(fast, "second.raised")
        seen_while_open = await names_after(database, start)

    assert seen_while_open == []
    assert await names_after(database, start) == ["first.raised", "second.raised"]


@pytest.mark.accept("OPS-01")
async def test_a_transaction_of_another_database_delays_no_event(database: Database, cluster: EmbeddedPostgres) -> None:
    foreign = await asyncpg.connect(cluster.url(database="postgres"))
    async with foreign.transaction():
        await foreign.execute("select pg_current_xact_id()")
        async with database.acting_as(SERVICE) as connection:
            await raise_event(connection, "thing.happened")

        assert await names_after(database, Position()) == ["thing.happened"]
    await foreign.close()


async def test_events_are_read_in_the_order_of_their_transactions(database: Database) -> None:
    """The event of the first transaction gets the higher id, because it is raised later."""
    async with database.acting_as(SERVICE) as first:
        await first.execute("select pg_current_xact_id()")
        async with database.acting_as(SERVICE) as second:
            await raise_event(second, "second.raised")
        await raise_event(first, "first.raised")
    async with database.acting_as(SERVICE) as connection:
        events = await events_after(connection, Position(), with_payload=())

    assert [event.name for event in events] == ["first.raised", "second.raised"]
    assert await names_after(database, events[-1].position) == []


async def test_a_rolled_back_event_is_never_read(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.acting_as(SERVICE) as connection:
            await raise_event(connection, "never.happened")
            raise RuntimeError

    assert await names_after(database, Position()) == []


def test_every_event_is_listed_with_the_files_that_raise_it() -> None:
    files_by_event: dict[str, tuple[str, ...]] = {}
    for definition in shipped_definitions():
        for name in _events_raised_in(definition.sql):
            files_by_event[name] = (*files_by_event.get(name, ()), definition.file)

    assert files_by_event == EVENTS


def _events_raised_in(sql: str) -> list[str]:
    return re.findall(r"jobs\.raise_(?:row_)?event\('([^']+)'", sql)


async def test_each_event_is_dispatched_once_even_with_several_workers(database: Database, admin: Connection) -> None:
    async with database.acting_as(SERVICE) as connection:
        for number in range(20):
            await raise_event(connection, "thing.happened", number=number)

    async def do_nothing(_payload: dict[str, Any], _last_try: bool) -> None: ...

    jobs = [
        Job("test.subscribed", on="thing.happened", run=do_nothing),
        Job("test.not_subscribed", on="else.happened", run=do_nothing),
    ]
    event_counts = await asyncio.gather(*(dispatch(database, jobs) for _ in range(4)))

    assert sum(event_counts) == 20
    # The four calls may have run at the same time, so that only one of them saw the events. None may be left.
    assert await dispatch(database, jobs) == 0
    job_counts = await admin.fetch("select task_name, count(*) from jobs.procrastinate_jobs group by 1")
    assert [tuple(row) for row in job_counts] == [("test.subscribed", 20)]


async def test_a_job_without_work_for_a_company_is_not_queued(database: Database, admin: Connection) -> None:
    with_work, without_work = uuid4(), uuid4()

    async def find_work(_connection: Connection, company_ids: Collection[UUID]) -> set[UUID]:
        assert set(company_ids) == {with_work, without_work}
        return {with_work}

    async def do_nothing(_payload: dict[str, Any], _last_try: bool) -> None: ...

    async with database.acting_as(SERVICE) as connection:
        for company_id in (with_work, without_work, with_work, None):
            await raise_event(connection, "thing.happened", company_id=company_id)
    job = Job("test.rare", on="thing.happened", run=do_nothing, companies_with_work=find_work)
    await dispatch(database, [job])

    companies = await admin.fetch("select args #>> '{payload,company_id}' as id from jobs.procrastinate_jobs")
    assert [row["id"] for row in companies] == [str(with_work)] * 2


async def test_a_failing_job_is_retried_and_knows_its_last_try(database: Database, login_url: str) -> None:
    last_try_flags: list[bool] = []
    done = asyncio.Event()

    async def fail_until_last(_payload: dict[str, Any], last_try: bool) -> None:
        last_try_flags.append(last_try)
        if not last_try:
            raise RuntimeError("not yet")
        done.set()

    job = Job("test.failing", on="thing.happened", run=fail_until_last, max_tries=3, retry_delay_seconds=1)
    async with OutboxNotifier(login_url) as notifier, worker_running(database, login_url, notifier, extra_jobs=[job]):
        async with database.acting_as(SERVICE) as connection:
            await raise_event(connection, "thing.happened")
        notifier.notify()
        await asyncio.wait_for(done.wait(), 15)

    assert last_try_flags == [False, False, True]


async def test_a_job_that_an_earlier_version_queued_still_runs(login_url: str) -> None:
    payloads: list[dict[str, Any]] = []
    done = asyncio.Event()

    async def record(payload: dict[str, Any], _last_try: bool) -> None:
        payloads.append(payload)
        done.set()

    job = Job("test.renamed", on="thing.happened", run=record, former_names=["test.former"])
    async with OutboxNotifier(login_url) as notifier, open_queue(login_url, [job], notifier) as queue:
        await queue.app.configure_task("test.former", queue="cairn").defer_async(former_argument={"number": 1})
        worker_task = asyncio.create_task(work(queue))
        await asyncio.wait_for(done.wait(), 15)
        worker_task.cancel()
        await asyncio.gather(worker_task, return_exceptions=True)

    assert payloads == [{"number": 1}]


async def test_the_queue_replaces_a_connection_that_the_server_has_closed(login_url: str, admin: Connection) -> None:
    job = Job("test.deferred", on="thing.happened", run=_do_nothing)
    close_all = """
        select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity where application_name = 'cairn queue'
        """
    async with OutboxNotifier(login_url) as notifier, open_queue(login_url, [job], notifier) as queue:
        defer = queue.app.configure_task("test.deferred", queue="cairn").defer_async
        await defer(payload={})

        assert await admin.fetchval(close_all) == 1
        await defer(payload={})

    assert await admin.fetchval("select count(*) from jobs.procrastinate_jobs where task_name = 'test.deferred'") == 2


async def _do_nothing(_payload: dict[str, Any], _last_try: bool) -> None:
    pass


async def test_the_notifier_of_one_process_wakes_readers_in_another(login_url: str) -> None:
    async with (
        OutboxNotifier(login_url) as local,
        OutboxNotifier(login_url) as remote,
        remote.listening() as wake_event,
    ):
        await asyncio.sleep(0.3)  # Both connections need a moment to open.
        wake_event.clear()

        local.notify()

        await asyncio.wait_for(wake_event.wait(), 2)


@pytest.mark.accept("NOTIF-01", "NOTIF-02")
async def test_a_signed_waiver_becomes_one_notification_with_no_browser_open(
    database: Database, login_url: str, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    waiver = await sign(database, session_id)

    async with OutboxNotifier(login_url) as notifier, worker_running(database, login_url, notifier):
        notifications = await _wait_for_notifications(database, rosa)

    [notification] = notifications
    assert notification["title"] == "New Waiver Signed"
    assert notification["message"] == "Gil Okafor has signed a waiver: General Liability Waiver"
    assert notification["read"] is False
    assert notification["about"] == waiver["id"]


async def _wait_for_notifications(database: Database, person: Person) -> list[Any]:
    for _ in range(100):
        async with database.acting_as(person.principal) as connection:
            notifications = await connection.fetch("select * from notifications")
        if notifications:
            return notifications
        await asyncio.sleep(0.05)
    return []


async def test_an_event_is_deleted_a_day_after_it_was_raised_but_only_if_it_was_dispatched(
    database: Database, admin: Connection
) -> None:
    async with database.acting_as(SERVICE) as connection:
        await raise_event(connection, "thing.happened")
    await admin.execute("update jobs.events set at = now() - interval '25 hours'")

    await sweep(database)
    assert await names_after(database, Position()) == ["thing.happened"]

    await dispatch(database, [])
    await sweep(database)
    assert await names_after(database, Position()) == []


async def test_events_that_no_worker_reads_are_counted_as_stuck(database: Database, admin: Connection) -> None:
    async with database.acting_as(SERVICE) as connection:
        await raise_event(connection, "thing.happened")
    await admin.execute("update jobs.events set at = now() - interval '5 minutes'")

    async with database.acting_as(SERVICE) as connection:
        assert await stuck_counts(connection) == (1, 0)
