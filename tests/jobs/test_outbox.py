"""The outbox is read in order and nothing is stepped over."""

import asyncio
from typing import Any

import pytest

from cairn.db import SERVICE, Connection, Database, shipped_definitions
from cairn.jobs import EVENTS, Job, OutboxNotifier, Position, dispatch, events_after, raise_event, stuck
from tests.cast import Person
from tests.make import make_session, sign
from tests.running_worker import worker_running


async def names_after(database: Database, position: Position) -> list[str]:
    async with database.acting_as(SERVICE) as connection:
        return [event.name for event in await events_after(connection, position)]


async def test_a_late_commit_with_an_early_id_is_not_missed(database: Database) -> None:
    start = Position()
    async with database.acting_as(SERVICE) as slow:
        await raise_event(slow, "first.raised")
        async with database.acting_as(SERVICE) as quick:
            await raise_event(quick, "second.raised")
        seen_while_open = await names_after(database, start)

    assert seen_while_open == []
    assert await names_after(database, start) == ["first.raised", "second.raised"]


async def test_a_rolled_back_event_never_happened(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.acting_as(SERVICE) as connection:
            await raise_event(connection, "never.happened")
            raise RuntimeError

    assert await names_after(database, Position()) == []


def test_every_event_is_listed_with_the_files_that_raise_it() -> None:
    raised: dict[str, tuple[str, ...]] = {}
    for definition in shipped_definitions():
        for name in _raised_in(definition.sql):
            raised[name] = (*raised.get(name, ()), definition.file)

    assert raised == EVENTS


def _raised_in(sql: str) -> list[str]:
    return [piece.split("'")[1] for piece in sql.split("jobs.raise_event(")[1:] if piece.startswith("'")]


async def test_each_event_is_dispatched_once_even_with_several_workers(database: Database, admin: Connection) -> None:
    async with database.acting_as(SERVICE) as connection:
        for number in range(20):
            await raise_event(connection, "thing.happened", number=number)

    async def nothing(_facts: dict[str, Any], _last: bool) -> None: ...

    jobs = [Job("test.one", on="thing.happened", run=nothing), Job("test.other", on="else.happened", run=nothing)]
    passed = await asyncio.gather(*(dispatch(database, jobs) for _ in range(4)))

    assert sum(passed) == 20
    queued = await admin.fetch("select task_name, count(*) from jobs.procrastinate_jobs group by 1")
    assert [tuple(row) for row in queued] == [("test.one", 20)]


async def test_a_failing_job_is_retried_and_knows_its_last_try(database: Database, login_url: str) -> None:
    tries: list[bool] = []
    done = asyncio.Event()

    async def stubborn(_facts: dict[str, Any], last_try: bool) -> None:
        tries.append(last_try)
        if not last_try:
            raise RuntimeError("not yet")
        done.set()

    job = Job("test.stubborn", on="thing.happened", run=stubborn, tries=3, wait_seconds=1)
    async with OutboxNotifier(login_url) as notifier, worker_running(database, login_url, notifier, more=[job]):
        async with database.acting_as(SERVICE) as connection:
            await raise_event(connection, "thing.happened")
        notifier.notify()
        await asyncio.wait_for(done.wait(), 15)

    assert tries == [False, False, True]


async def test_a_notification_in_one_process_wakes_the_other(login_url: str) -> None:
    async with OutboxNotifier(login_url) as local, OutboxNotifier(login_url) as remote, remote.listening() as woken:
        await asyncio.sleep(0.3)  # both connections are up
        woken.clear()

        local.notify()

        await asyncio.wait_for(woken.wait(), 2)


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
            found = await connection.fetch("select * from notifications")
        if found:
            return found
        await asyncio.sleep(0.05)
    return []


async def test_stuck_counts_unread_events(database: Database, admin: Connection) -> None:
    async with database.acting_as(SERVICE) as connection:
        await raise_event(connection, "thing.happened")
    await admin.execute("update jobs.events set at = now() - interval '5 minutes'")

    async with database.acting_as(SERVICE) as connection:
        assert await stuck(connection) == (1, 0)
