"""Staff check in the participants who are there and ready. It can be undone, and both are logged."""

import asyncio

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, sign
from tests.people import Person
from tests.trips.factories import check_in, make_activity, make_booking, make_trip, people_on, sign_for, update


@pytest.mark.accept("TRIP-14")
async def test_a_check_in_and_its_undo_record_who_did_it(database: Database, rosa: Person, bea: Person) -> None:
    trip = await make_trip(database, rosa)
    waiver = await sign_for(database, await make_booking(database, rosa, trip), "Ann Hill")

    checkin = await check_in(database, bea.principal, trip, waiver["id"])
    [person] = await people_on(database, rosa.principal, trip)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("delete from checkins where id = $1", checkin["id"])
        log = await connection.fetch("select act, by, by_name from checkin_log order by at")
    [after_undo] = await people_on(database, rosa.principal, trip)

    assert (checkin["checked_in_by"], checkin["checked_in_by_name"]) == (bea.id, bea.name)
    assert (person["checkin_id"], person["checked_in_by_name"]) == (checkin["id"], bea.name)
    assert after_undo["checkin_id"] is None
    assert [tuple(row) for row in log] == [("checked_in", bea.id, bea.name), ("undone", rosa.id, rosa.name)]


@pytest.mark.accept("TRIP-14")
async def test_who_checked_in_and_when_cannot_be_invented(database: Database, rosa: Person, mallory: Person) -> None:
    trip = await make_trip(database, rosa)
    waiver = await sign_for(database, await make_booking(database, rosa, trip), "Ann Hill")
    await check_in(database, rosa.principal, trip, waiver["id"])

    for statement in (
        "insert into checkins (trip_id, participant_id, checked_in_by) select trip_id, id, id from checkins",
        "update checkins set checked_in_by = null",
        "delete from checkin_log",
        "update checkin_log set by = null",
        "insert into checkin_log (act) values ('undone')",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(rosa.principal) as connection:
                await connection.execute(statement)
    async with database.acting_as(mallory.principal) as connection:
        assert await connection.execute("delete from checkins") == "DELETE 0"
    with pytest.raises(asyncpg.PostgresError, match='"trip_not_found"'):
        await check_in(database, mallory.principal, trip, waiver["id"])


@pytest.mark.accept("TRIP-15")
async def test_two_devices_check_in_the_same_person_once(database: Database, rosa: Person, bea: Person) -> None:
    trip = await make_trip(database, rosa)
    booking = await make_booking(database, rosa, trip)
    first = await sign_for(database, booking, "Ann Hill")
    # The same person has signed again, so they have two participant rows.
    second = await sign_for(database, booking, "Ann Hill")

    outcomes = await asyncio.gather(
        check_in(database, rosa.principal, trip, first["id"]),
        check_in(database, bea.principal, trip, second["id"]),
        return_exceptions=True,
    )

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Record", "UniqueViolationError"]
    [person] = await people_on(database, rosa.principal, trip)
    assert person["checkin_id"] is not None


@pytest.mark.accept("TRIP-15")
async def test_only_participants_who_are_ready_are_checked_in(database: Database, rosa: Person) -> None:
    templates = [await make_template(database, rosa), SAMPLE_TEMPLATE_ID]
    trip = await make_trip(database, rosa, await make_activity(database, rosa, templates=templates))
    waiver = await sign_for(database, await make_booking(database, rosa, trip), "Ann Hill", templates[0])
    elsewhere = await sign(database, await make_session(database, rosa))

    with pytest.raises(asyncpg.PostgresError, match='"participant_not_ready"'):
        await check_in(database, rosa.principal, trip, waiver["id"])
    with pytest.raises(asyncpg.PostgresError, match='"participant_not_on_trip"'):
        await check_in(database, rosa.principal, trip, elsewhere["id"])
    await update(database, rosa.principal, "trips", trip["id"], status="cancelled")
    with pytest.raises(asyncpg.PostgresError, match='"trip_cancelled"'):
        await check_in(database, rosa.principal, trip, waiver["id"])


@pytest.mark.accept("TRIP-15")
async def test_a_booking_with_a_check_in_does_not_move(database: Database, rosa: Person) -> None:
    activity = await make_activity(database, rosa)
    trip, other_trip = [await make_trip(database, rosa, activity) for _ in range(2)]
    booking = await make_booking(database, rosa, trip)
    waiver = await sign_for(database, booking, "Ann Hill")
    checkin = await check_in(database, rosa.principal, trip, waiver["id"])

    with pytest.raises(asyncpg.PostgresError, match='"booking_is_checked_in"'):
        await update(database, rosa.principal, "bookings", booking["id"], trip_id=other_trip["id"])
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("delete from checkins where id = $1", checkin["id"])
    moved = await update(database, rosa.principal, "bookings", booking["id"], trip_id=other_trip["id"])

    assert moved["trip_id"] == other_trip["id"]


@pytest.mark.accept("TRIP-15")
async def test_a_suspended_company_checks_no_one_in(database: Database, rosa: Person) -> None:
    trip = await make_trip(database, rosa)
    waiver = await sign_for(database, await make_booking(database, rosa, trip), "Ann Hill")
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update companies set suspended_at = now()")

    with pytest.raises(asyncpg.PostgresError, match="suspended"):
        await check_in(database, rosa.principal, trip, waiver["id"])
