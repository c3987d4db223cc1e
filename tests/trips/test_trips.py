"""A company offers activities, plans trips and takes bookings. The rules are in SQL, where every client meets them."""

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.kit import now
from tests.factories import SAMPLE_TEMPLATE_ID, make_template
from tests.people import Person
from tests.trips.factories import in_hours, insert, make_activity, make_booking, make_trip, update

TABLES = ("activities", "trips", "bookings", "checkins", "checkin_log", "booking_readiness", "trip_readiness")


@pytest.mark.accept("TRIP-01")
async def test_a_company_offers_an_activity_plans_a_trip_and_takes_a_booking(database: Database, rosa: Person) -> None:
    template_id = await make_template(database, rosa)
    activity = await make_activity(database, rosa, templates=[template_id, SAMPLE_TEMPLATE_ID], capacity=8)
    trip = await make_trip(database, rosa, activity)
    booking = await make_booking(database, rosa, trip, reference="B-17", contact_phone="+1 555 0100")

    assert (activity["company_id"], activity["status"]) == (rosa.company, "active")
    assert (trip["ends_at"] - trip["starts_at"], trip["capacity"]) == (timedelta(hours=4), 8)
    assert (booking["party_size"], booking["status"], booking["reference"]) == (2, "booked", "B-17")
    assert len(booking["link"]) == 32


@pytest.mark.accept("TRIP-02")
async def test_a_rival_a_guest_and_a_visitor_see_and_change_nothing(
    database: Database, rosa: Person, mallory: Person, gil: Person
) -> None:
    booking = await make_booking(database, rosa)

    for stranger in (mallory.principal, gil.principal):
        for table in TABLES:
            async with database.acting_as(stranger) as connection:
                assert await connection.fetch(f"select * from {table}") == []
        async with database.acting_as(stranger) as connection:
            assert await connection.fetch("select * from trip_participants($1)", booking["trip_id"]) == []
        assert await update(database, stranger, "bookings", booking["id"], party_size=9) is None
        assert await update(database, stranger, "trips", booking["trip_id"], status="cancelled") is None
    for table in TABLES:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(ANON) as connection:
                await connection.fetch(f"select * from {table}")


@pytest.mark.accept("TRIP-02")
async def test_a_rival_cannot_use_a_trip_or_an_activity_of_another_company(
    database: Database, rosa: Person, mallory: Person, gil: Person
) -> None:
    trip = await make_trip(database, rosa)

    with pytest.raises(asyncpg.PostgresError, match="trip_not_found"):
        await make_booking(database, mallory, trip)
    with pytest.raises(asyncpg.PostgresError, match="activity_not_found"):
        await insert(database, mallory.principal, "trips", activity_id=trip["activity_id"], starts_at=in_hours(1))
    with pytest.raises(asyncpg.PostgresError, match="templates_not_found"):
        await make_activity(database, mallory, templates=[await make_template(database, rosa)])
    # The owner of a row is taken from the token, so no error says anything about another company.
    with pytest.raises(asyncpg.PostgresError, match="trip_not_found"):
        await make_booking(database, mallory, trip, company_id=rosa.company)
    activity = await make_activity(database, mallory, templates=[], company_id=rosa.company)
    assert activity["company_id"] == mallory.company
    rows: tuple[tuple[str, dict[str, Any]], ...] = (
        ("activities", {"name": "Climbing"}),
        ("trips", {"activity_id": trip["activity_id"], "starts_at": in_hours(1)}),
        ("bookings", {"trip_id": trip["id"], "party_size": 1}),
    )
    for table, columns in rows:
        with pytest.raises(asyncpg.PostgresError, match="row-level security|not_found"):
            await insert(database, gil.principal, table, company_id=rosa.company, **columns)


@pytest.mark.accept("TRIP-01")
async def test_bookings_and_trips_are_cancelled_and_never_deleted(database: Database, rosa: Person) -> None:
    booking = await make_booking(database, rosa)

    cancelled = await update(database, rosa.principal, "bookings", booking["id"], status="cancelled")
    assert cancelled["status"] == "cancelled"
    for table in ("activities", "trips", "bookings"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(rosa.principal) as connection:
                await connection.execute(f"delete from {table}")
    for column in ("link", "company_id"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await update(database, rosa.principal, "bookings", booking["id"], **{column: booking[column]})


@pytest.mark.accept("TRIP-03")
async def test_a_trip_has_a_date_and_a_time_in_the_time_zone_of_its_company(database: Database, rosa: Person) -> None:
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update companies set time_zone = 'America/Denver'")
    # 20:30 in Denver on 17 June is 02:30 UTC on 18 June.
    evening = datetime(now().year + 1, 6, 18, 2, 30, tzinfo=UTC)
    trip = await make_trip(database, rosa, starts_at=evening)

    async with database.acting_as(rosa.principal) as connection:
        local = await connection.fetchrow("select local_date(t), local_time(t) from trips t")
        on_day = await connection.fetch("select id from trips_on($1)", date(evening.year, 6, 17))
        on_next_day = await connection.fetch("select id from trips_on($1)", date(evening.year, 6, 18))
    assert local is not None
    assert tuple(local) == (date(evening.year, 6, 17), time(20, 30))
    assert ([row["id"] for row in on_day], on_next_day) == ([trip["id"]], [])


@pytest.mark.accept("TRIP-03")
async def test_a_trip_that_starts_later_also_ends_later(database: Database, rosa: Person) -> None:
    trip = await make_trip(database, rosa)

    later = await update(database, rosa.principal, "trips", trip["id"], starts_at=in_hours(30))
    longer = await update(
        database, rosa.principal, "trips", trip["id"], ends_at=later["starts_at"] + timedelta(hours=9)
    )

    assert later["ends_at"] - later["starts_at"] == timedelta(hours=4)
    assert (longer["starts_at"], longer["ends_at"] - longer["starts_at"]) == (later["starts_at"], timedelta(hours=9))


@pytest.mark.accept("TRIP-04")
@pytest.mark.parametrize(
    ("columns", "refusal"),
    [
        ({"name": "  "}, "activity_name_required"),
        ({"name": "x" * 201}, "activity_name_required"),
        ({"templates": ["unknown"]}, "templates_not_found"),
        ({"templates": [SAMPLE_TEMPLATE_ID] * 2}, "templates_not_found"),
        # 19B1 in docs/security.md: only the first dimension of the list was limited.
        ({"templates": [[SAMPLE_TEMPLATE_ID, *["unknown"] * 20]]}, "templates_not_found"),
        ({"minimum_age": 121}, "activities_minimum_age_check"),
        ({"capacity": 0}, "activities_capacity_check"),
        ({"duration_minutes": 0}, "activities_duration_minutes_check"),
        ({"status": "gone"}, "activities_status_check"),
    ],
)
async def test_an_activity_is_refused(database: Database, rosa: Person, columns: dict[str, Any], refusal: str) -> None:
    with pytest.raises(asyncpg.PostgresError, match=refusal):
        await make_activity(database, rosa, **{"templates": [], **columns})


@pytest.mark.accept("TRIP-04")
@pytest.mark.parametrize(
    ("columns", "refusal"),
    [
        ({"note": "x" * 2001}, "trip_note_too_long"),
        ({"starts_at": in_hours(24 * 366 * 3)}, "trip_date_out_of_range"),
        ({"starts_at": in_hours(-24 * 366 * 5)}, "trip_date_out_of_range"),
        ({"ends_at": in_hours(23)}, "trip_times_invalid"),
        ({"ends_at": in_hours(24 * 62)}, "trip_times_invalid"),
        ({"status": "gone"}, "trips_status_check"),
    ],
)
async def test_a_trip_is_refused(database: Database, rosa: Person, columns: dict[str, Any], refusal: str) -> None:
    with pytest.raises(asyncpg.PostgresError, match=refusal):
        await make_trip(database, rosa, **columns)


@pytest.mark.accept("TRIP-04")
@pytest.mark.parametrize(
    ("columns", "refusal"),
    [
        ({"contact_name": "x" * 401}, "booking_text_too_long"),
        ({"contact_email": "x" * 320 + "@x.example"}, "booking_text_too_long"),
        ({"contact_phone": "1" * 41}, "booking_text_too_long"),
        ({"reference": "x" * 201}, "booking_text_too_long"),
        ({"contact_email": "a@b.example, c@d.example"}, "contact_email_not_single"),
        ({"party_size": 0}, "bookings_party_size_check"),
        ({"party_size": 501}, "bookings_party_size_check"),
        ({"status": "gone"}, "bookings_status_check"),
    ],
)
async def test_a_booking_is_refused(database: Database, rosa: Person, columns: dict[str, Any], refusal: str) -> None:
    with pytest.raises(asyncpg.PostgresError, match=refusal):
        await make_booking(database, rosa, **columns)


@pytest.mark.accept("TRIP-04")
async def test_an_archived_activity_takes_no_new_trips(database: Database, rosa: Person) -> None:
    activity = await make_activity(database, rosa)
    await update(database, rosa.principal, "activities", activity["id"], status="archived")

    with pytest.raises(asyncpg.PostgresError, match="activity_archived"):
        await make_trip(database, rosa, activity)


@pytest.mark.accept("TRIP-04")
async def test_a_company_has_a_limited_number_of_activities_and_trips_a_day(database: Database, rosa: Person) -> None:
    activity = await make_activity(database, rosa)
    add_trips = """
        insert into trips (activity_id, starts_at)
        select $1, date_trunc('day', now()) + make_interval(days => $2, mins => number)
          from generate_series(1, $3) number
    """
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(add_trips, activity["id"], 3, 200)
        await connection.execute(add_trips, activity["id"], 4, 200)

    for day, count in ((3, 1), (5, 201)):
        with pytest.raises(asyncpg.PostgresError, match="too_many_trips_a_day"):
            async with database.acting_as(rosa.principal) as connection:
                await connection.execute(add_trips, activity["id"], day, count)
    with pytest.raises(asyncpg.PostgresError, match="too_many_activities"):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute("insert into activities (name) select 'A' from generate_series(1, 500)")


@pytest.mark.accept("TRIP-04")
async def test_a_trip_and_a_day_take_a_limited_number_of_bookings(
    database: Database, rosa: Person, admin: Connection
) -> None:
    trip = await make_trip(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            "insert into bookings (trip_id, party_size) select $1, 1 from generate_series(1, 500)", trip["id"]
        )
    with pytest.raises(asyncpg.PostgresError, match="too_many_bookings"):
        await make_booking(database, rosa, trip)

    await admin.execute("set session_replication_role = replica")
    await admin.execute(
        """
        insert into bookings (company_id, trip_id, party_size)
        select $1, gen_random_uuid(), 1 from generate_series(1, 19500)
        """,
        rosa.company,
    )
    with pytest.raises(asyncpg.PostgresError, match="booking_quota_reached"):
        await make_booking(database, rosa)


@pytest.mark.accept("TRIP-05")
async def test_a_trip_takes_no_more_people_than_it_has_places(database: Database, rosa: Person) -> None:
    trip = await make_trip(database, rosa, capacity=5)
    booking = await make_booking(database, rosa, trip, party_size=3)

    with pytest.raises(asyncpg.PostgresError, match='trip_is_full.*"places": 2'):
        await make_booking(database, rosa, trip, party_size=3)
    with pytest.raises(asyncpg.PostgresError, match="trip_is_full"):
        await update(database, rosa.principal, "bookings", booking["id"], party_size=6)
    await update(database, rosa.principal, "bookings", booking["id"], status="cancelled")
    await make_booking(database, rosa, trip, party_size=5)
    with pytest.raises(asyncpg.PostgresError, match="trip_is_full"):
        await update(database, rosa.principal, "bookings", booking["id"], status="booked")


@pytest.mark.accept("TRIP-05")
async def test_simultaneous_bookings_do_not_exceed_the_capacity(database: Database, rosa: Person) -> None:
    trip = await make_trip(database, rosa, capacity=4)

    outcomes = await asyncio.gather(
        *(make_booking(database, rosa, trip, party_size=2) for _ in range(4)), return_exceptions=True
    )

    assert sum(isinstance(outcome, asyncpg.Record) for outcome in outcomes) == 2


@pytest.mark.accept("TRIP-05")
async def test_a_cancelled_trip_takes_no_bookings(database: Database, rosa: Person) -> None:
    trip = await make_trip(database, rosa)
    booking = await make_booking(database, rosa)
    await update(database, rosa.principal, "trips", trip["id"], status="cancelled")

    with pytest.raises(asyncpg.PostgresError, match="trip_cancelled"):
        await make_booking(database, rosa, trip)
    with pytest.raises(asyncpg.PostgresError, match="trip_cancelled"):
        await update(database, rosa.principal, "bookings", booking["id"], trip_id=trip["id"])


@pytest.mark.accept("TRIP-06")
async def test_sending_a_booking_again_with_its_reference_updates_it(
    database: Database, rosa: Person, mallory: Person
) -> None:
    trip = await make_trip(database, rosa)
    send = """
        insert into bookings (trip_id, party_size, reference) values ($1, $2, 'B-17')
        on conflict (company_id, reference) do update set party_size = excluded.party_size returning id
    """
    async with database.acting_as(rosa.principal) as connection:
        first = await connection.fetchval(send, trip["id"], 2)
        second = await connection.fetchval(send, trip["id"], 3)
        sizes = await connection.fetch("select party_size from bookings")
    rival = await make_booking(database, mallory, reference="B-17")

    assert (first, [row["party_size"] for row in sizes]) == (second, [3])
    assert rival["reference"] == "B-17"


@pytest.mark.accept("TRIP-04")
async def test_the_people_of_a_suspended_company_change_nothing(database: Database, rosa: Person) -> None:
    booking = await make_booking(database, rosa)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update companies set suspended_at = now()")

    with pytest.raises(asyncpg.PostgresError, match="suspended"):
        await make_activity(database, rosa, templates=[])
    with pytest.raises(asyncpg.PostgresError, match="suspended"):
        await update(database, rosa.principal, "trips", booking["trip_id"], note="Late")
    with pytest.raises(asyncpg.PostgresError, match="suspended"):
        await update(database, rosa.principal, "bookings", booking["id"], party_size=1)
