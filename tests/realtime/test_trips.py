"""Changes of trips, bookings and check-ins are delivered to the people of their company and to no one else."""

from contextlib import AsyncExitStack

import pytest

from cairn.db import Database
from cairn.jobs import OutboxNotifier
from tests.people import Person
from tests.realtime.client import SIGNED_WAIVERS
from tests.realtime.conftest import OpenClient, TokenFor
from tests.trips.factories import check_in, make_activity, make_booking, make_trip, sign_for, update

TABLES = ("activities", "trips", "bookings", "checkins")


@pytest.mark.accept("TRIP-18")
async def test_a_day_of_trips_is_delivered_to_its_company(
    database: Database,
    notifier: OutboxNotifier,
    token_for: TokenFor,
    open_client: OpenClient,
    rosa: Person,
    bea: Person,
    mallory: Person,
    gil: Person,
) -> None:
    async with AsyncExitStack() as clients:
        windows = {}
        for person in (bea, mallory, gil):
            for table in TABLES:
                window = await clients.enter_async_context(open_client())
                await window.watch(token_for(person), {**SIGNED_WAIVERS, "event": "*", "table": table})
                windows[person.name, table] = window

        activity = await make_activity(database, rosa)
        trip = await make_trip(database, rosa, activity)
        booking = await make_booking(database, rosa, trip)
        await update(database, rosa.principal, "bookings", booking["id"], party_size=1)
        waiver = await sign_for(database, booking, "Ann Hill")
        checkin = await check_in(database, rosa.principal, trip, waiver["id"])
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute("delete from checkins where id = $1", checkin["id"])
        notifier.notify()

        expected = {
            "activities": [("INSERT", activity["id"])],
            "trips": [("INSERT", trip["id"])],
            "bookings": [("INSERT", booking["id"]), ("UPDATE", booking["id"])],
            "checkins": [("INSERT", checkin["id"]), ("DELETE", checkin["id"])],
        }
        for table, changes in expected.items():
            for change_type, row_id in changes:
                change = (await windows[bea.name, table].next_change())["data"]
                row = change["old_record" if change_type == "DELETE" else "record"]
                assert (change["type"], row["id"]) == (change_type, str(row_id))
        for (name, _), window in windows.items():
            if name != bea.name:
                assert await window.receives_nothing(0)
