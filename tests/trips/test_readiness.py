"""Who has signed what a trip needs, for one booking and for the whole trip."""

import json
from typing import Any

import asyncpg
import pytest

from cairn.db import Connection, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_template
from tests.people import Person
from tests.trips.factories import (
    check_in,
    make_activity,
    make_booking,
    make_trip,
    open_group_session,
    people_on,
    sign_for,
    update,
)
from tests.waivers.acts import revoke
from tests.waivers.forms.sample_forms import EMERGENCY, FAMILY_FORM, GUARDIAN, minor, sign_form
from tests.waivers.forms.sample_forms import make_template as make_template_with_form


async def readiness(database: Database, person: Person, view: str) -> list[dict[str, Any]]:
    async with database.acting_as(person.principal) as connection:
        return [dict(row) for row in await connection.fetch(f"select * from {view}")]


@pytest.mark.accept("TRIP-10")
async def test_a_booking_is_ready_when_its_whole_party_has_signed(database: Database, rosa: Person) -> None:
    booking = await make_booking(database, rosa, party_size=2)
    expected = {"booking_id": booking["id"], "company_id": rosa.company, "trip_id": booking["trip_id"], "party_size": 2}

    assert await readiness(database, rosa, "booking_readiness") == [{**expected, "covered": 0, "ready": False}]
    await sign_for(database, booking, "Ann Hill")
    # Signing again does not count twice, however the name is written.
    await sign_for(database, booking, "ANN HILL")
    assert await readiness(database, rosa, "booking_readiness") == [{**expected, "covered": 1, "ready": False}]
    waiver = await sign_for(database, booking, "Ben Hill")
    assert await readiness(database, rosa, "booking_readiness") == [{**expected, "covered": 2, "ready": True}]
    await revoke(database, rosa, waiver["id"])
    assert await readiness(database, rosa, "booking_readiness") == [{**expected, "covered": 1, "ready": False}]
    await update(database, rosa.principal, "bookings", booking["id"], status="cancelled")
    assert await readiness(database, rosa, "booking_readiness") == []


@pytest.mark.accept("TRIP-10")
async def test_two_guests_of_the_same_name_are_two_people(database: Database, rosa: Person) -> None:
    booking = await make_booking(database, rosa)
    await sign_for(database, booking, "Max Hill", signer_email="max@example.org")
    await sign_for(database, booking, "Max Hill", signer_email="max.hill@example.org")

    [row] = await readiness(database, rosa, "booking_readiness")
    assert (row["covered"], row["ready"]) == (2, True)


@pytest.mark.accept("TRIP-10")
async def test_a_participant_is_ready_with_every_waiver_that_the_trip_needs(database: Database, rosa: Person) -> None:
    templates = [await make_template(database, rosa), SAMPLE_TEMPLATE_ID]
    trip = await make_trip(database, rosa, await make_activity(database, rosa, templates=templates))
    booking = await make_booking(database, rosa, trip)

    first = await sign_for(database, booking, "Ann Hill", templates[0])
    [before] = await people_on(database, rosa.principal, trip)
    await sign_for(database, booking, "Ann Hill", templates[1])
    [after] = await people_on(database, rosa.principal, trip)

    assert (before["ready"], before["missing_template_ids"]) == (False, [SAMPLE_TEMPLATE_ID])
    assert (after["ready"], after["missing_template_ids"], len(after["waiver_ids"])) == (True, [], 2)
    assert after["participant_id"] == before["participant_id"] == first["id"]
    assert (after["name"], after["kind"], after["booking_id"]) == ("Ann Hill", "adult", booking["id"])


@pytest.mark.accept("TRIP-11")
async def test_a_family_counts_each_child_with_age_and_flags(database: Database, rosa: Person) -> None:
    template_id = await make_template_with_form(database, rosa, FAMILY_FORM)
    activity = await make_activity(database, rosa, templates=[template_id], minimum_age=6)
    trip = await make_trip(database, rosa, activity)
    booking = await make_booking(database, rosa, trip, party_size=3)
    session_id = await open_group_session(database, booking["link"])
    children = [
        minor(8, name="Mia Okafor", answers={"asthma": True, "inhaler": True, "swims": "badly"}),
        minor(4, name="Leo Okafor"),
    ]
    answers = {"emergency": EMERGENCY, "asthma": False}
    await sign_form(database, session_id, answers=answers, participants=children, guardian=GUARDIAN)

    people = {row["name"]: row for row in await people_on(database, rosa.principal, trip)}

    assert {name: (row["age"], row["ready"]) for name, row in people.items()} == {
        "Gil Okafor": (None, True), "Mia Okafor": (8, True), "Leo Okafor": (4, False),
    }  # fmt: skip
    flags = {flag["text"] for flag in json.loads(people["Mia Okafor"]["flags"])}
    assert flags == {"Asthma", "Cannot swim well"}
    [row] = await readiness(database, rosa, "trip_readiness")
    assert row == {
        "trip_id": trip["id"], "company_id": rosa.company,
        "expected": 3, "covered": 2, "checked_in": 0, "flagged": 1,
    }  # fmt: skip


@pytest.mark.accept("TRIP-11")
async def test_a_trip_adds_up_its_bookings(database: Database, rosa: Person) -> None:
    trip = await make_trip(database, rosa)
    bookings = [await make_booking(database, rosa, trip, party_size=size) for size in (2, 3, 4)]
    await update(database, rosa.principal, "bookings", bookings[2]["id"], status="cancelled")
    waiver = await sign_for(database, bookings[0], "Ann Hill")
    await sign_for(database, bookings[1], "Ben Hill")
    await check_in(database, rosa.principal, trip, waiver["id"])

    [row] = await readiness(database, rosa, "trip_readiness")
    assert (row["expected"], row["covered"], row["checked_in"], row["flagged"]) == (5, 2, 1, 0)


@pytest.mark.accept("TRIP-10")
@pytest.mark.parametrize("view", ["booking_readiness", "trip_readiness"])
async def test_readiness_is_never_written(database: Database, rosa: Person, admin: Connection, view: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute(f"insert into {view} (trip_id) values (null)")
    with pytest.raises(asyncpg.PostgresError, match="readiness_is_computed"):
        await admin.execute(f"insert into {view} (trip_id) values (null)")


@pytest.mark.accept("TRIP-12")
async def test_a_moved_booking_keeps_its_waivers(database: Database, rosa: Person) -> None:
    activity = await make_activity(database, rosa)
    trips = [await make_trip(database, rosa, activity) for _ in range(2)]
    other_activity = await make_trip(database, rosa)
    booking = await make_booking(database, rosa, trips[0], party_size=1)
    await sign_for(database, booking, "Ann Hill")

    await update(database, rosa.principal, "bookings", booking["id"], trip_id=trips[1]["id"])
    same_activity = await people_on(database, rosa.principal, trips[1])
    await update(database, rosa.principal, "bookings", booking["id"], trip_id=other_activity["id"])
    another_activity = await people_on(database, rosa.principal, other_activity)

    assert await people_on(database, rosa.principal, trips[0]) == []
    assert [row["ready"] for row in same_activity] == [True]
    # Another activity needs its own waiver.
    assert [row["ready"] for row in another_activity] == [False]


async def rows_read(database: Database, person: Person, sql: str, *values: object) -> int:
    """Returns how many buffers PostgreSQL reads for the query. Unlike a time, it does not depend on the machine."""
    async with database.acting_as(person.principal) as connection:
        await connection.fetch(sql, *values)
        plan = json.loads(await connection.fetchval(f"explain (analyze, buffers, format json) {sql}", *values))
    return int(plan[0]["Plan"]["Shared Hit Blocks"] + plan[0]["Plan"]["Shared Read Blocks"])


@pytest.mark.accept("TRIP-13")
@pytest.mark.parametrize(
    "sql",
    ["select * from trip_participants($1)", "select * from trip_readiness where trip_id = $1"],
)
async def test_the_readiness_of_a_trip_costs_the_same_among_many_other_trips(
    database: Database, rosa: Person, admin: Connection, sql: str
) -> None:
    trip = await make_trip(database, rosa)
    booking = await make_booking(database, rosa, trip)
    waiver = await sign_for(database, booking, "Ann Hill")
    await admin.execute("analyze")
    alone = await rows_read(database, rosa, sql, trip["id"])

    await add_other_trips(admin, trip, waiver)
    among_many = await rows_read(database, rosa, sql, trip["id"])

    # An index of many rows has one more level, and the statement reads about ten indexes.
    assert among_many <= alone + 40


async def add_other_trips(admin: Connection, trip: asyncpg.Record, waiver: asyncpg.Record) -> None:
    """Adds 2,000 trips of the same company, each with one booking, session, waiver and check-in."""
    await admin.execute("set session_replication_role = replica")
    await admin.execute("create temporary table other as select gen_random_uuid() as id from generate_series(1, 2000)")
    for table, example, keys in (
        ("trips", "t.id = $1", "id"),
        ("bookings", "t.trip_id = $1", "id trip_id"),
        ("waivers.sessions", "t.id = $1", "id first_waiver_id"),
        ("waivers.signed", "t.id = $1", "id session_id"),
    ):
        value = {"trips": trip["id"], "bookings": trip["id"], "waivers.sessions": waiver["session_id"]}
        changes = "jsonb_build_object(" + ", ".join(f"'{key}', other.id" for key in keys.split()) + ")"
        if table == "bookings":
            changes += " || jsonb_build_object('link', other.id)"
        await admin.execute(
            f"insert into {table} select (jsonb_populate_record(t, {changes})).* from {table} t, other where {example}",
            value.get(table, waiver["id"]),
        )
    await admin.execute(
        "insert into trips.booking_sessions (session_id, booking_id, company_id) select id, id, $1 from other",
        trip["company_id"],
    )
    await admin.execute(
        "insert into checkins (company_id, trip_id, participant_id) select $1, id, id from other", trip["company_id"]
    )
    await admin.execute("set session_replication_role = default")
    await admin.execute("analyze")
