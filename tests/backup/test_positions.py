"""After a restore into another cluster, the outbox, live changes and signed heads go on where they were."""

from typing import Any

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Connection, Database, EmbeddedPostgres, migrate
from cairn.jobs import Job, dispatch, raise_event
from cairn.positions import rebase_positions
from cairn.realtime.store import committed_since, snapshot
from tests.backup.clusters import create_cluster_ahead


async def _do_nothing(_payload: dict[str, Any], _last_try: bool) -> None: ...


JOB = Job("test.counted", on="thing.happened", run=_do_nothing)


async def raise_thing(database: Database, number: int) -> None:
    async with database.acting_as(SERVICE) as connection:
        await raise_event(connection, "thing.happened", number=number)


async def dispatched_numbers(admin: Connection) -> list[int]:
    rows = await admin.fetch(
        "select (args -> 'payload' ->> 'number')::int from jobs.procrastinate_jobs"
        " where task_name = 'test.counted' order by id"
    )
    return [row[0] for row in rows]


@pytest_asyncio.fixture(scope="module")
async def dump(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A dump from a cluster that is far ahead. There, thing 1 was dispatched and thing 2 was not."""
    folder = tmp_path_factory.mktemp("ahead")
    source = create_cluster_ahead(folder / "data")
    with source.running():
        await migrate(source.url())
        async with Database(source.url("authenticator")) as database:
            await raise_thing(database, 1)
            await dispatch(database, [JOB])
            await raise_thing(database, 2)
        result = source.run("pg_dump", "-Fc", "-f", str(folder / "dump"), source.url())
    assert result.returncode == 0, result.stdout
    return str(folder / "dump")


@pytest.fixture
def restored(cluster: EmbeddedPostgres, admin_url: str, dump: str, database: Database) -> Database:
    """Replaces the test's database with the dump."""
    result = cluster.run("pg_restore", "--clean", "--if-exists", "--exit-on-error", "-d", admin_url, dump)
    assert result.returncode == 0, result.stdout
    return database


@pytest.mark.accept("OPS-02")
async def test_a_cluster_with_a_lower_counter_dispatches_waiting_and_new_events_once(
    restored: Database, admin: Connection, admin_url: str
) -> None:
    assert await rebase_positions(admin_url) is True
    await raise_thing(restored, 3)

    await dispatch(restored, [JOB])
    await dispatch(restored, [JOB])

    assert await dispatched_numbers(admin) == [1, 2, 3]


@pytest.mark.accept("OPS-02")
async def test_old_changes_are_not_live_changes_of_the_new_cluster(restored: Database, admin_url: str) -> None:
    await rebase_positions(admin_url)
    async with restored.acting_as(SERVICE) as connection:
        before = await snapshot(connection)
        _, ids = await committed_since(connection, before)

    assert ids == []


async def test_events_that_waited_since_an_earlier_restore_are_dispatched(
    restored: Database, admin: Connection, admin_url: str
) -> None:
    """Earlier versions did not notice the restore, so new events waited for a counter that was far away."""
    await raise_thing(restored, 3)
    assert await dispatch(restored, [JOB]) == 0

    await rebase_positions(admin_url)
    await dispatch(restored, [JOB])

    assert await dispatched_numbers(admin) == [1, 2, 3]


@pytest.mark.usefixtures("signed_waiver")
async def test_valid_positions_stay_as_they_are(database: Database, admin: Connection, admin_url: str) -> None:
    await dispatch(database, [])
    query = "select array_agg(e.xid::text order by e.id) || array_agg(r.xid::text) from jobs.events e, jobs.readers r"
    before = await admin.fetchval(query)

    assert await rebase_positions(admin_url) is False
    assert await admin.fetchval(query) == before


@pytest.mark.parametrize(("table", "column"), [("realtime.messages", "xid"), ("waivers.head_position", "next_xid")])
async def test_messages_and_heads_do_not_wait_for_the_transaction_counter(
    admin: Connection, admin_url: str, table: str, column: str
) -> None:
    await admin.execute("select realtime.send('{}', 'shout', 'lobby', true)")
    await admin.execute("insert into waivers.head_position (id, next_id, next_xid) values (0, 0, '3')")
    await admin.execute(f"update {table} set {column} = '900000000'")

    assert await rebase_positions(admin_url) is True

    assert await admin.fetchval(f"select {column}::text from {table}") == "1"
