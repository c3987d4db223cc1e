"""Guests sign for a booking through its group link. Its organizer sees first names and who is ready."""

import json
from uuid import UUID

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, sign
from tests.people import Person
from tests.trips.factories import make_activity, make_booking, make_trip, open_group_session, sign_for, update
from tests.waivers.acts import call, correct_recipient, history
from tests.waivers.forms.sample_forms import FAMILY_FORM
from tests.waivers.forms.sample_forms import make_template as make_template_with_form


async def group_status(database: Database, link: str) -> list[tuple[str, bool]]:
    async with database.acting_as(ANON) as connection:
        return [tuple(row) for row in await connection.fetch("select * from group_status($1)", link)]


async def booking_of(admin: Connection, session_id: UUID) -> UUID | None:
    booking_id: UUID | None = await admin.fetchval(
        "select booking_id from trips.booking_sessions where session_id = $1", session_id
    )
    return booking_id


@pytest.mark.accept("TRIP-07")
async def test_a_guest_signs_through_the_group_link(database: Database, rosa: Person, admin: Connection) -> None:
    booking = await make_booking(database, rosa)

    async with database.acting_as(ANON) as connection:
        session = await connection.fetchrow("select * from open_group_session($1)", booking["link"])
    assert session is not None
    waiver = await sign(database, session["id"])

    assert (session["company_name"], session["status"], session["template_name"]) == (
        "Rio Rafting", "pending", "River trip",
    )  # fmt: skip
    assert waiver["content"] == "I, Gil Okafor, ride."
    assert waiver["company_id"] == rosa.company
    assert await booking_of(admin, session["id"]) == booking["id"]
    assert [name for name, _ in await history(database, rosa, session["id"])] == ["session.opened", "waiver.signed"]


@pytest.mark.accept("TRIP-07")
async def test_the_link_opens_the_text_of_its_company_for_everyone(
    database: Database, rosa: Person, mallory: Person, admin: Connection
) -> None:
    booking = await make_booking(database, rosa)

    for caller in (mallory.principal, rosa.principal, SERVICE):
        session_id = await open_group_session(database, booking["link"], by=caller)
        row = await admin.fetchrow(
            "select company_id, template_content from waivers.sessions where id = $1", session_id
        )
        assert row is not None
        assert tuple(row) == (rosa.company, "I, [PARTICIPANT NAME], ride.")


@pytest.mark.accept("TRIP-07")
async def test_a_link_opens_only_what_the_trip_needs(database: Database, rosa: Person) -> None:
    other = await make_template(database, rosa)
    templates = [await make_template(database, rosa), SAMPLE_TEMPLATE_ID]
    trip = await make_trip(database, rosa, await make_activity(database, rosa, templates=templates))
    booking = await make_booking(database, rosa, trip)

    for template_id in templates:
        await open_group_session(database, booking["link"], template_id)
    # The guest has to say which of the two, and nothing else is opened.
    for template in (None, other, "unknown"):
        with pytest.raises(asyncpg.PostgresError, match="template_not_needed"):
            await open_group_session(database, booking["link"], template)


@pytest.mark.accept("TRIP-08")
async def test_the_organizer_sees_first_names_and_who_is_ready(database: Database, rosa: Person) -> None:
    templates = [await make_template(database, rosa), SAMPLE_TEMPLATE_ID]
    trip = await make_trip(database, rosa, await make_activity(database, rosa, templates=templates))
    booking = await make_booking(database, rosa, trip)
    other_booking = await make_booking(database, rosa, trip)
    for template_id in templates:
        await sign_for(database, booking, "Ann Hill", template_id)
    await sign_for(database, booking, "Ben Hill", templates[0])
    await sign_for(database, other_booking, "Cleo Marsh", templates[0])

    assert await group_status(database, booking["link"]) == [("Ann", True), ("Ben", False)]


@pytest.mark.accept("TRIP-09")
@pytest.mark.parametrize("function", ["open_group_session", "group_status"])
async def test_a_link_is_refused_if_it_is_unknown_or_closed(
    database: Database, rosa: Person, admin: Connection, function: str
) -> None:
    booking = await make_booking(database, rosa)

    async def expect_refusal(link: str, code: str) -> None:
        with pytest.raises(asyncpg.PostgresError, match=f'"{code}"'):
            async with database.acting_as(ANON) as connection:
                await connection.fetch(f"select * from {function}($1)", link)

    await expect_refusal("unknown", "group_link_not_found")
    await update(database, rosa.principal, "bookings", booking["id"], status="cancelled")
    await expect_refusal(booking["link"], "group_link_closed")
    await update(database, rosa.principal, "bookings", booking["id"], status="booked")
    await update(database, rosa.principal, "trips", booking["trip_id"], status="cancelled")
    await expect_refusal(booking["link"], "group_link_closed")
    await admin.execute("update trips set status = 'planned', starts_at = now() - interval '30 hours'")
    await expect_refusal(booking["link"], "group_link_closed")
    # A late addition on the day of the trip is possible.
    await admin.execute("update trips set starts_at = now() - interval '5 hours'")
    async with database.acting_as(ANON) as connection:
        await connection.fetch(f"select * from {function}($1)", booking["link"])


@pytest.mark.accept("TRIP-09")
async def test_a_link_opens_a_limited_number_of_sessions(database: Database, rosa: Person) -> None:
    booking = await make_booking(database, rosa, party_size=1)
    for _ in range(25):
        await open_group_session(database, booking["link"])

    with pytest.raises(asyncpg.PostgresError, match='"group_link_used_too_often"'):
        await open_group_session(database, booking["link"])


@pytest.mark.accept("TRIP-09")
async def test_a_suspended_company_opens_no_sessions(database: Database, rosa: Person) -> None:
    booking = await make_booking(database, rosa)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update companies set suspended_at = now()")

    with pytest.raises(asyncpg.PostgresError, match="does not accept signatures"):
        await open_group_session(database, booking["link"])


@pytest.mark.accept("TRIP-07")
async def test_an_adult_whom_a_guest_invites_belongs_to_the_same_booking(
    database: Database, rosa: Person, admin: Connection
) -> None:
    template_id = await make_template_with_form(database, rosa, FAMILY_FORM)
    trip = await make_trip(database, rosa, await make_activity(database, rosa, templates=[template_id]))
    booking = await make_booking(database, rosa, trip)
    session_id = await open_group_session(database, booking["link"])

    invite = "select invite_adult($1, gen_random_uuid(), 'Ann Hill', '1980-05-01')"
    invited_id = await call(database, ANON, invite, session_id)
    elsewhere = await make_session(database, rosa, template_id)
    other_invited_id = await call(database, ANON, invite, elsewhere)

    assert await booking_of(admin, invited_id) == booking["id"]
    assert await booking_of(admin, other_invited_id) is None
    # 19L3 in docs/security.md: the session of an invited adult could not be corrected.
    corrected_id = await correct_recipient(database, rosa, invited_id, "Anne Hill", "anne@example.org")
    assert await booking_of(admin, corrected_id) == booking["id"]


@pytest.mark.accept("TRIP-07")
async def test_a_corrected_session_stays_in_its_booking(database: Database, rosa: Person, admin: Connection) -> None:
    booking = await make_booking(database, rosa)
    session_id = await open_group_session(database, booking["link"])

    new_id = await correct_recipient(database, rosa, session_id, "Ann Hill", "ann@example.org")

    assert await booking_of(admin, new_id) == booking["id"]


async def test_the_refusal_names_its_code(database: Database) -> None:
    with pytest.raises(asyncpg.PostgresError) as error:
        await open_group_session(database, "unknown")

    assert json.loads(error.value.message) == {
        "code": "group_link_not_found",
        "message": "This link is not complete, or its booking no longer exists.",
        "details": {},
    }
