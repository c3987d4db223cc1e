"""What stays of a trip when a guest is erased, when the trip is long over, and when the company is deleted."""

from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.trips import TripSettings, sweep
from tests.people import Person
from tests.trips.factories import check_in, make_booking, make_trip, people_on, sign_for, update
from tests.waivers.acts import erase

CONTACT: dict[str, Any] = {
    "contact_name": "Ann Hill",
    "contact_email": "ann@example.com",
    "contact_phone": "+1 555 0100",
}


async def contacts(admin: Connection) -> list[tuple[str | None, ...]]:
    rows = await admin.fetch("select contact_name, contact_email, contact_phone from bookings order by created_at")
    return [tuple(row) for row in rows]


@pytest.mark.accept("TRIP-16")
async def test_an_erased_guest_leaves_only_their_check_in_without_a_name(
    database: Database, rosa: Person, mallory: Person, admin: Connection
) -> None:
    trip = await make_trip(database, rosa)
    booking = await make_booking(database, rosa, trip, **CONTACT)
    await make_booking(database, mallory, **CONTACT)
    waiver = await sign_for(database, booking, "Ann Hill")
    await check_in(database, rosa.principal, trip, waiver["id"])
    await admin.execute("update trips set starts_at = now() - interval '2 days'")

    await erase(database, rosa, waiver["id"])

    assert await contacts(admin) == [(None, None, None), tuple(CONTACT.values())]
    assert await people_on(database, rosa.principal, trip) == []
    assert await admin.fetchval("select participant_id from checkins") == waiver["id"]
    assert await admin.fetchval("select participant_id from checkin_log") == waiver["id"]
    assert await admin.fetchval("select checked_in from trip_readiness where trip_id = $1", trip["id"]) == 1


@pytest.mark.accept("TRIP-16")
async def test_a_trip_that_takes_place_later_keeps_its_contact(
    database: Database, rosa: Person, admin: Connection
) -> None:
    booking = await make_booking(database, rosa, **CONTACT)
    waiver = await sign_for(database, booking, "Ann Hill")

    await erase(database, rosa, waiver["id"])

    assert await contacts(admin) == [tuple(CONTACT.values())]


@pytest.mark.accept("TRIP-17")
async def test_the_contacts_of_old_trips_are_erased(database: Database, rosa: Person, admin: Connection) -> None:
    old_trip = await make_trip(database, rosa, note="Ann brings her dog")
    old = await make_booking(database, rosa, old_trip, **CONTACT)
    await make_booking(database, rosa, **CONTACT)
    await admin.execute("update trips set starts_at = now() - interval '40 days' where id = $1", old_trip["id"])

    assert await sweep(database, TripSettings(contact_retention=timedelta(days=50))) == 0
    assert await sweep(database, TripSettings(contact_retention=timedelta(days=30))) == 1
    assert await sweep(database, TripSettings(contact_retention=timedelta(days=30))) == 0

    assert await contacts(admin) == [(None, None, None), tuple(CONTACT.values())]
    assert await admin.fetchval("select note from trips where id = $1", old_trip["id"]) == ""
    # The booking stays, and no new contact is added, because no sweep would find it.
    assert await admin.fetchval("select party_size from bookings where id = $1", old["id"]) == 2
    with pytest.raises(asyncpg.PostgresError, match='"trip_is_over"'):
        await make_booking(database, rosa, old_trip)
    with pytest.raises(asyncpg.PostgresError, match='"trip_is_over"'):
        await update(database, rosa.principal, "bookings", old["id"], contact_name="Ann Hill")


@pytest.mark.accept("TRIP-17")
async def test_a_deleted_company_leaves_no_trips(
    database: Database, rosa: Person, mallory: Person, admin: Connection
) -> None:
    for owner in (rosa, mallory):
        trip = await make_trip(database, owner)
        for name in ("Ann Hill", "Ben Hill"):
            waiver = await sign_for(database, await make_booking(database, owner, trip), name)
            await check_in(database, owner.principal, trip, waiver["id"])
    tables = ("activities", "trips", "bookings", "trips.booking_sessions", "checkins", "checkin_log")

    batches = 0
    async with database.acting_as(SERVICE) as connection:
        while await connection.fetchval("select trips.delete_company_data($1, 1)", rosa.company):
            batches += 1

    assert 4 < batches < 20
    for table in tables:
        companies = await admin.fetch(f"select distinct company_id from {table}")
        assert [row["company_id"] for row in companies] == [mallory.company], table
