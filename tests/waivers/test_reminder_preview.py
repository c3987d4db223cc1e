"""Before a company sends reminders, it sees who gets one, when each was last written to, and why others get none."""

from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.messaging import Email, add_email
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import cancel, expire
from tests.waivers.test_reminders import press_remind_button


async def preview(database: Database, person: Person, up_to: int = 200) -> list[dict[str, Any]]:
    async with database.acting_as(person.principal) as connection:
        return [dict(row) for row in await connection.fetch("select * from reminder_preview($1)", up_to)]


async def obstacles(database: Database, person: Person) -> dict[str, str | None]:
    return {row["name"]: row["obstacle"] for row in await preview(database, person)}


async def write_to(database: Database, person: Person, session_id: UUID, email: str) -> UUID:
    """Queues the email that sends a waiver, and returns its id."""
    email_id = uuid4()
    async with database.acting_as(SERVICE) as connection:
        await add_email(
            connection, Email(email_id, email, "Please sign", "Hi"), company_id=person.company, session_id=session_id
        )
    return email_id


async def suppress(admin: Connection, person: Person, address: str, reason: str) -> None:
    await admin.execute(
        "insert into messaging.suppressions (scope, company_id, address, reason) values ('company', $1, $2, $3)",
        person.company, address, reason,
    )  # fmt: skip


async def make_guest(database: Database, person: Person, name: str) -> UUID:
    return await make_session(database, person, name=name, email=f"{name.lower()}@example.com")


@pytest.mark.accept("DASH-02", "APP-14")
async def test_the_preview_says_who_is_left_out_and_why(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    """The button then reminds exactly those who have no obstacle."""
    await make_guest(database, rosa, "Ana")
    await expire(admin, await make_guest(database, rosa, "Expired"))
    await cancel(database, rosa, await make_guest(database, rosa, "Cancelled"))
    await sign(database, await make_guest(database, rosa, "Signed"))
    for name, reason in (("Bounced", "bounce"), ("Complained", "complaint")):
        await make_guest(database, rosa, name)
        await suppress(admin, rosa, f"{name.lower()}@example.com", reason)
    await make_guest(database, rosa, "Stopped")
    await admin.execute(
        "insert into waivers.reminder_refusals (company_id, email) values ($1, 'stopped@example.com')", rosa.company
    )
    await press_remind_button(database, rosa, await make_guest(database, rosa, "Queued"))
    await press_remind_button(database, rosa, recent := await make_guest(database, rosa, "Recent"))
    await admin.execute("update waivers.reminders set open = false where session_id = $1", recent)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("insert into waiver_sessions (template_id, status) values ('t', 'template_default')")
        await connection.execute("insert into waiver_sessions (template_id, recipient_name) values ('t', 'No Address')")
    await make_guest(database, mallory, "Rival")

    assert await obstacles(database, rosa) == {
        "Ana": None, "Expired": "expired", "Bounced": "bounce", "Complained": "complaint", "Stopped": "stopped",
        "Queued": "queued", "Recent": "recent", "No Address": "no_address",
    }  # fmt: skip
    assert await press_remind_button(database, rosa) == 1
    assert (await obstacles(database, rosa))["Ana"] == "queued"


async def test_the_preview_knows_the_limits_of_reminders_and_of_the_plan(
    database: Database, admin: Connection, rosa: Person
) -> None:
    often, stopped_today = await make_guest(database, rosa, "Often"), await make_guest(database, rosa, "Today")
    for session_id, count in ((often, 5), (stopped_today, 1)):
        await admin.execute(
            """
            insert into waivers.reminders (session_id, company_id, scheduled, open, requested_at)
            select $1, $2, false, false, now() - interval '2 hours' from generate_series(1, $3)
            """,
            session_id, rosa.company, count,
        )  # fmt: skip
    email_id = await write_to(database, rosa, stopped_today, "today@example.com")
    await admin.execute("update emails set kind = 'reminder', status = 'cancelled' where id = $1", email_id)
    assert await obstacles(database, rosa) == {"Often": "too_often", "Today": "limited"}

    await make_guest(database, rosa, "Unsent")
    written = await make_guest(database, rosa, "Written")
    await write_to(database, rosa, written, "written@example.com")
    await admin.execute("update billing.sendings_by_month set sent = 1000 where company_id = $1", rosa.company)

    assert await obstacles(database, rosa) == {
        "Often": "too_often", "Today": "limited", "Unsent": "plan", "Written": None,
    }  # fmt: skip


async def test_the_preview_says_when_the_last_message_was_sent(
    database: Database, admin: Connection, rosa: Person
) -> None:
    never, written = await make_guest(database, rosa, "Never"), await make_guest(database, rosa, "Written")
    for hours, status in ((48, "delivered"), (24, "delivered"), (3, "failed"), (2, "cancelled")):
        email_id = await write_to(database, rosa, written, "written@example.com")
        await admin.execute(
            """
            update emails set status = $3, created_at = now() - interval '9 days',
                              sent_at = now() - $2 * interval '1 hour'
             where id = $1
            """,
            email_id, hours, status,
        )  # fmt: skip

    times = {row["session_id"]: row["written_at"] for row in await preview(database, rosa)}

    assert times[never] is None
    last_delivery = await admin.fetchval("select max(sent_at) from emails where status = 'delivered'")
    assert times[written] == last_delivery


async def test_a_long_preview_is_cut_and_counted(database: Database, admin: Connection, rosa: Person) -> None:
    for number in range(5):
        await make_guest(database, rosa, f"Guest{number}")
    for number in range(3):
        await expire(admin, await make_guest(database, rosa, f"Late{number}"))

    rows = await preview(database, rosa, up_to=2)

    assert [(row["name"], row["obstacle"], row["group_count"]) for row in rows] == [
        ("Guest4", None, 5), ("Guest3", None, 5), ("Late2", "expired", 3), ("Late1", "expired", 3),
    ]  # fmt: skip


async def test_only_a_company_sees_a_preview(database: Database, rosa: Person, mallory: Person, gil: Person) -> None:
    await make_guest(database, rosa, "Ana")

    assert await preview(database, mallory) == []
    for stranger in (gil.principal, ANON):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(stranger) as connection:
                await connection.fetch("select * from reminder_preview()")
