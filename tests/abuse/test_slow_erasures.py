"""I5 and I6: erasing a waiver reads no rows of other companies, and an erasure that fails stops no others.

7W5: an erasure that exceeds the time limit of a statement stops no others either.

I5, I6 and 7W5 are findings in docs/security.md.
"""

from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import Connection, Database, DatabaseUnreachable
from cairn.kit import now
from cairn.waivers import apply_retention
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.test_retention import SITE, erased, keep_for, pass_days, sign_days_ago


async def test_i5_erasing_a_waiver_reads_neither_all_sessions_nor_all_events(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    """PostgreSQL reads small tables as a whole if that is faster, so the test switches this off."""
    waiver = await sign(database, await make_session(database, rosa))
    await admin.execute(
        "insert into notifications (company_id, about, title, message) values ($1, $2, 'Signed', 'Gil has signed')",
        rosa.company,
        waiver["id"],
    )
    for _ in range(100):
        await make_session(database, mallory)
        await admin.execute("select jobs.raise_event('row.changed', '{\"table\": \"notifications\"}')")
    async with admin.transaction():
        await admin.execute("set local enable_seqscan = off")
        await admin.execute(
            """
            select waivers.erase(w, '{"cause": "request", "reason": "Requested"}') from waivers.signed w where id = $1
            """,
            waiver["id"],
        )
        rows = await admin.fetch(
            """
            select schemaname || '.' || relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows_read
              from pg_stat_xact_user_tables where relname in ('sessions', 'events')
            """
        )
    rows_read = {row["name"]: row["rows_read"] for row in rows}
    assert rows_read["waivers.sessions"] < 100
    assert rows_read["jobs.events"] < 100


async def test_i5_the_events_of_the_notification_are_deleted(admin: Connection) -> None:
    notification_id, other_id = uuid4(), uuid4()
    for each in (notification_id, other_id):
        for change in ("record", "old"):
            await admin.execute(
                "select jobs.raise_event('row.changed', jsonb_build_object("
                "'table', 'notifications', $1::text, jsonb_build_object('id', $2::uuid)))",
                change, each,
            )  # fmt: skip
    await admin.execute("select jobs.delete_notification_events($1)", notification_id)
    payloads = [row[0] for row in await admin.fetch("select payload::text from jobs.events where name = 'row.changed'")]
    assert not any(str(notification_id) in payload for payload in payloads)
    assert sum(str(other_id) in payload for payload in payloads) == 2


async def make_erasure_fail(admin: Connection, waiver_id: UUID) -> None:
    await admin.execute(
        f"""
        create function public.fail() returns trigger language plpgsql as
            $$begin raise exception 'this waiver cannot be erased'; end$$;
        create trigger fail before update on waivers.signed
            for each row when (new.id = '{waiver_id}') execute function public.fail();
        """
    )


async def test_i6_an_erasure_that_fails_stops_no_others_and_is_tried_again(
    database: Database, admin: Connection, rosa: Person, mallory: Person, caplog: pytest.LogCaptureFixture
) -> None:
    failing = await sign_days_ago(database, admin, mallory, 400)
    others = {await sign_days_ago(database, admin, person, 399) for person in (mallory, rosa)}
    for person in (mallory, rosa):
        await keep_for(database, person, 12)
    await apply_retention(database, SITE, now())
    await pass_days(admin, 31)
    await make_erasure_fail(admin, failing)

    await apply_retention(database, SITE, now())
    assert await erased(admin) == others
    assert f"could not erase the waiver {failing}" in caplog.text

    await admin.execute("drop trigger fail on waivers.signed")
    await apply_retention(database, SITE, now())
    assert await erased(admin) == {failing, *others}


async def plan_two_erasures(database: Database, admin: Connection, first: Person, second: Person) -> tuple[UUID, UUID]:
    """Returns two waivers that are due to be erased, in the order in which that happens."""
    waiver_ids = (
        await sign_days_ago(database, admin, first, 400),
        await sign_days_ago(database, admin, second, 399),
    )
    for person in (first, second):
        await keep_for(database, person, 12)
    await apply_retention(database, SITE, now())
    await pass_days(admin, 31)
    return waiver_ids


async def test_7w5_an_erasure_that_takes_too_long_stops_no_others(
    database: Database,
    admin: Connection,
    rosa: Person,
    mallory: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A locked row stands for an erasure that takes longer than the 60 seconds after which a statement is cancelled."""
    slow, other = await plan_two_erasures(database, admin, mallory, rosa)
    monkeypatch.setattr("cairn.db.database.STATEMENT_TIMEOUT_SECONDS", 2.0)

    async with Database(database.url) as impatient, admin.transaction():
        await admin.execute(
            "select from waivers.sessions where id = (select session_id from waivers.signed where id = $1) for update",
            slow,
        )
        await apply_retention(impatient, SITE, now())

    assert await erased(admin) == {other}
    assert f"could not erase the waiver {slow}" in caplog.text


async def test_7w5_a_lost_connection_ends_the_run(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    first, other = await plan_two_erasures(database, admin, mallory, rosa)
    await admin.execute(
        f"""
        create function public.disconnect() returns trigger language plpgsql security definer as
            $$begin perform pg_terminate_backend(pg_backend_pid()); return new; end$$;
        create trigger disconnect before update on waivers.signed
            for each row when (new.id = '{first}') execute function public.disconnect();
        """
    )

    with pytest.raises(DatabaseUnreachable):
        await apply_retention(database, SITE, now())

    assert await erased(admin) == set(), f"the waiver {other} was erased although the database was unreachable"


async def test_i6_companies_take_turns_with_their_erasures(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    for days in (402, 401, 400):
        await sign_days_ago(database, admin, mallory, days)
    newest = await sign_days_ago(database, admin, rosa, 399)
    for person in (mallory, rosa):
        await keep_for(database, person, 12)
    await apply_retention(database, SITE, now())
    await pass_days(admin, 31)

    assert newest in [row[0] for row in await admin.fetch("select waivers.due_erasures(2)")]


async def test_i6_a_waiver_is_corrected_or_sent_again_at_most_20_times(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        for number in range(20):
            session_id = await connection.fetchval(
                "select correct_recipient($1, $2, null)", session_id, f"Gil {number}"
            )
    with pytest.raises(asyncpg.PostgresError, match="corrected or sent again 20 times already"):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute("select correct_recipient($1, 'Gil', null)", session_id)
    await sign(database, session_id)
