"""C9: a stranger who signs a public template many times cannot fill the mailboxes of the company."""

from uuid import UUID

import pytest_asyncio

from cairn.db import Connection, Database
from cairn.waivers.notify_company import notify_company
from tests.cast import Person
from tests.factories import make_session, sign

SITE = "https://waivers.example"
LURE = "Your card was charged 499 USD, call 1 888 555 0100 to cancel the payment today, or it is final"


@pytest_asyncio.fixture
async def rosa_with_emails(database: Database, rosa: Person) -> Person:
    """Rosa gets an email about each signature."""
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update profiles set email_on_signing = true where id = $1", rosa.id)
    return rosa


async def sign_and_notify(database: Database, person: Person, count: int, *, name: str = "Gil Okafor") -> UUID:
    """Signs `count` waivers of the person's company, and notifies the company of each one. Returns the last one."""
    for _ in range(count):
        waiver = await sign(database, await make_session(database, person), name=name)
        await notify_company(database, waiver["id"], SITE)
    waiver_id: UUID = waiver["id"]
    return waiver_id


async def emails_to(admin: Connection, person: Person) -> list[str]:
    rows = await admin.fetch("select subject from emails where recipient = $1 order by created_at", person.email)
    return [row["subject"] for row in rows]


async def test_c9_after_20_signatures_in_an_hour_the_owner_gets_one_summary(
    database: Database, admin: Connection, rosa_with_emails: Person
) -> None:
    waiver_id = await sign_and_notify(database, rosa_with_emails, 24)
    await notify_company(database, waiver_id, SITE)

    subject = "New Waiver Signed: Gil Okafor, General Liability Waiver"
    assert await emails_to(admin, rosa_with_emails) == [subject] * 20 + ["More Waivers Signed"]
    body = await admin.fetchval("select body from emails where subject = 'More Waivers Signed'")
    assert f"{SITE}/dashboard/waiver-management\n" in body
    assert await admin.fetchval("select count(*) from notifications") == 24, "the dashboard lists every signature"


async def test_c9_emails_about_signatures_continue_after_an_hour(
    database: Database, admin: Connection, rosa_with_emails: Person
) -> None:
    await sign_and_notify(database, rosa_with_emails, 22)
    await admin.execute("update limits.buckets set full_at = now() - interval '1 second'")

    await sign_and_notify(database, rosa_with_emails, 1, name="Ana Ortiz")

    assert (await emails_to(admin, rosa_with_emails))[21:] == ["New Waiver Signed: Ana Ortiz, General Liability Waiver"]


async def test_c9_a_message_in_the_place_of_the_signers_name_is_not_mailed(
    database: Database, admin: Connection, rosa_with_emails: Person
) -> None:
    await sign_and_notify(database, rosa_with_emails, 1, name=LURE)

    [email] = await admin.fetch("select subject, body from emails where recipient = $1", rosa_with_emails.email)
    assert email["subject"] == "New Waiver Signed: A guest, General Liability Waiver"
    assert "card" not in email["body"]
