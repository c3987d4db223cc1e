"""A company cancels a waiver that is not signed yet. The link stops working, and the history shows the reason."""

import asyncio
from uuid import uuid4

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import cancel, history, session_row
from tests.waivers.test_reminders import press_remind_button


@pytest.mark.accept("TRUE-10")
async def test_a_cancelled_waiver_cannot_be_signed_and_its_history_shows_who_cancelled_it_and_why(
    database: Database, admin: Connection, rosa: Person, bea: Person
) -> None:
    session_id = await make_session(database, rosa)

    await cancel(database, bea, session_id, "The trip\nwas moved.")

    with pytest.raises(asyncpg.PostgresError, match="This waiver was cancelled"):
        await sign(database, session_id)
    session = await session_row(database, rosa, session_id)
    assert (session["status"], session["cancelled_at"] is not None) == ("cancelled", True)
    assert await admin.fetch("select * from waivers.signed") == []
    [_, (event, details)] = await history(database, rosa, session_id)
    assert event == "waiver.cancelled"
    assert details == {
        "reason": "The trip was moved.", "by": str(bea.id), "by_name": "Bea Lindt", "by_company": str(rosa.company),
        "ip": "198.51.100.4", "user_agent": "An office computer",
    }  # fmt: skip
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


@pytest.mark.accept("TRUE-16")
async def test_a_rival_cannot_cancel_and_learns_nothing(database: Database, rosa: Person, mallory: Person) -> None:
    session_id = await make_session(database, rosa)

    for some_id in (session_id, uuid4()):
        with pytest.raises(asyncpg.PostgresError, match="Could not find the waiver session"):
            await cancel(database, mallory, some_id)

    assert (await session_row(database, rosa, session_id))["status"] == "pending"
    assert len(await history(database, rosa, session_id)) == 1
    assert await history(database, mallory, session_id) == []


@pytest.mark.accept("TRUE-16")
async def test_guests_visitors_and_the_service_key_cannot_cancel(database: Database, rosa: Person, gil: Person) -> None:
    session_id = await make_session(database, rosa)

    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="Only the company that sent a waiver"):
        await cancel(database, gil, session_id)
    for principal in (ANON, SERVICE):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(principal) as connection:
                await connection.execute("select cancel_waiver($1, 'Not coming')", session_id)

    assert (await session_row(database, rosa, session_id))["status"] == "pending"


async def test_no_one_cancels_by_updating_the_session(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)

    for column in ("status = 'cancelled'", "cancelled_at = now()"):
        with pytest.raises(asyncpg.PostgresError):
            async with database.acting_as(rosa.principal) as connection:
                await connection.execute(f"update waiver_sessions set {column} where id = $1", session_id)
    with pytest.raises(asyncpg.PostgresError, match="A session starts as pending"):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute(
                "insert into waiver_sessions (template_id, status) values ('template-general-liability', 'cancelled')"
            )


async def test_of_a_signature_and_a_cancellation_at_the_same_moment_exactly_one_succeeds(
    database: Database, admin: Connection, rosa: Person
) -> None:
    for _ in range(10):
        session_id = await make_session(database, rosa)
        outcomes = await asyncio.gather(
            sign(database, session_id), cancel(database, rosa, session_id), return_exceptions=True
        )

        refusals = [outcome for outcome in outcomes if isinstance(outcome, asyncpg.PostgresError)]
        status = (await session_row(database, rosa, session_id))["status"]
        signatures = await admin.fetchval("select count(*) from waivers.signed where session_id = $1", session_id)
        assert len(refusals) == 1
        assert (status, signatures) in {("signed", 1), ("cancelled", 0)}


@pytest.mark.accept("DASH-02")
async def test_no_reminder_is_sent_about_a_cancelled_waiver(database: Database, rosa: Person) -> None:
    cancelled, pending = await make_session(database, rosa), await make_session(database, rosa)

    await cancel(database, rosa, cancelled)

    assert await press_remind_button(database, rosa, cancelled, pending) == 1
    assert await press_remind_button(database, rosa, cancelled) == 0
