"""The audit events of a session form a hash chain, which shows whether one of them was changed."""

from cairn.db import ANON, Connection, Database
from tests.factories import make_session, sign
from tests.people import Person

BROKEN_EVENTS = """
    select id
      from (select a.id, a.previous, a.hash, waivers.expected_hash(a) as expected_hash,
                   lag(hash) over (partition by session_id order by id) as hash_before
              from waivers.audit_events a) event
     where previous is distinct from hash_before or hash <> expected_hash
"""


async def test_audit_events_are_chained_in_order(database: Database, admin: Connection, rosa: Person) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    events = await admin.fetch("select name, details ->> 'waiver_id' as waiver from waivers.audit_events order by id")

    assert [tuple(event) for event in events] == [("session.opened", None), ("waiver.signed", str(waiver["id"]))]
    assert await admin.fetch(BROKEN_EVENTS) == []


async def test_each_event_points_to_the_event_before_it(database: Database, admin: Connection, rosa: Person) -> None:
    """The history has three events, because in a history of two the event before the last is also the first one."""
    session_id = await make_session(database, rosa)
    async with database.acting_as(ANON) as connection:
        await connection.execute("select note_waiver_view($1)", session_id)
    await sign(database, session_id)

    assert await admin.fetchval("select count(*) from waivers.audit_events") == 3
    assert await admin.fetch(BROKEN_EVENTS) == []


async def test_a_changed_event_breaks_the_chain_even_if_the_superuser_changed_it(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await sign(database, await make_session(database, rosa))
    changed = await admin.fetchval(
        """
        update waivers.audit_events set details = details || '{"ip": "192.0.2.1"}'
         where name = 'waiver.signed' returning id
        """
    )

    assert [row["id"] for row in await admin.fetch(BROKEN_EVENTS)] == [changed]


async def test_the_hash_does_not_depend_on_the_time_zone_of_the_connection(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await sign(database, await make_session(database, rosa))

    await admin.execute("set timezone = 'Pacific/Auckland'")

    assert await admin.fetch(BROKEN_EVENTS) == []


async def test_a_rival_reads_no_audit_event(database: Database, rosa: Person, mallory: Person) -> None:
    await sign(database, await make_session(database, rosa))

    async with database.acting_as(mallory.principal) as connection:
        assert await connection.fetch("select * from waivers.audit_events") == []
