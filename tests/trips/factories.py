"""Creates activities, trips and bookings for tests, with the same SQL statements that clients of the product use."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

from cairn.db import ANON, Database, Principal
from cairn.kit import now
from tests.factories import make_template, sign
from tests.people import Person


async def insert(database: Database, by: Principal, table: str, **columns: object) -> Any:
    """Inserts one row and returns it, as the REST service does."""
    places = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
    async with database.acting_as(by) as connection:
        return await connection.fetchrow(
            f"insert into {table} ({', '.join(columns)}) values ({places}) returning *", *columns.values()
        )


async def update(database: Database, by: Principal, table: str, row_id: UUID, **columns: object) -> Any:
    """Updates one row and returns it, or None if the caller may not update it."""
    assignments = ", ".join(f"{name} = ${number}" for number, name in enumerate(columns, start=2))
    async with database.acting_as(by) as connection:
        return await connection.fetchrow(
            f"update {table} set {assignments} where id = $1 returning *", row_id, *columns.values()
        )


async def make_activity(
    database: Database, owner: Person, *, templates: list[str] | None = None, **columns: object
) -> asyncpg.Record:
    template_ids = [await make_template(database, owner)] if templates is None else templates
    row = {"name": "Half-day rafting", "template_ids": template_ids, "duration_minutes": 240, **columns}
    record: asyncpg.Record = await insert(database, owner.principal, "activities", **row)
    return record


async def make_trip(
    database: Database, owner: Person, activity: asyncpg.Record | None = None, **columns: object
) -> asyncpg.Record:
    activity = activity or await make_activity(database, owner)
    row = {"activity_id": activity["id"], "starts_at": in_hours(24), **columns}
    record: asyncpg.Record = await insert(database, owner.principal, "trips", **row)
    return record


async def make_booking(
    database: Database, owner: Person, trip: asyncpg.Record | None = None, **columns: object
) -> asyncpg.Record:
    trip = trip or await make_trip(database, owner)
    row = {"trip_id": trip["id"], "contact_name": "Gil Okafor", "contact_email": "gil@example.com", "party_size": 2}
    record: asyncpg.Record = await insert(database, owner.principal, "bookings", **{**row, **columns})
    return record


def in_hours(hours: float) -> datetime:
    return now() + timedelta(hours=hours)


async def open_group_session(
    database: Database, link: str, template_id: str | None = None, *, by: Principal = ANON
) -> UUID:
    async with database.acting_as(by) as connection:
        session_id: UUID = await connection.fetchval("select id from open_group_session($1, $2)", link, template_id)
    return session_id


async def sign_for(
    database: Database, booking: asyncpg.Record, name: str, template_id: str | None = None, **columns: Any
) -> asyncpg.Record:
    """Signs as a guest who opens the group link. Each guest has their own email address."""
    session_id = await open_group_session(database, booking["link"], template_id)
    email = f"{name.split(maxsplit=1)[0].lower()}@example.com"
    return await sign(database, session_id, name=name, **{"signer_email": email, **columns})


async def people_on(database: Database, by: Principal, trip: asyncpg.Record) -> list[asyncpg.Record]:
    async with database.acting_as(by) as connection:
        return await connection.fetch("select * from trip_participants($1)", trip["id"])


async def check_in(database: Database, by: Principal, trip: asyncpg.Record, participant_id: UUID) -> Any:
    return await insert(database, by, "checkins", trip_id=trip["id"], participant_id=participant_id)
