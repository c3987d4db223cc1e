"""C9: a stranger who signs a public template many times cannot fill the mailboxes and screens of the company.

C9 is a finding in docs/security.md.
"""

from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.messaging import PushFailed, PushSender
from cairn.waivers.notify_company import notify_company
from cairn.waivers.push_to_company import push_to_company
from tests.factories import make_session, sign
from tests.messaging.push_service import Browser, PushService, open_push_service
from tests.people import Person

SITE = "https://waivers.example"
LURE = "Your card was charged 499 USD, call 1 888 555 0100 to cancel the payment today, or it is final"


@pytest_asyncio.fixture
async def rosa_with_emails(database: Database, rosa: Person) -> Person:
    """Rosa gets an email about each signature."""
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update profiles set email_on_signing = true where id = $1", rosa.id)
    return rosa


async def sign_and_notify(database: Database, person: Person, count: int, *, name: str = "Gil Okafor") -> UUID:
    """Signs `count` waivers of the person's company, and notifies the company of each. Returns the id of the last."""
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


async def subscribe(admin: Connection, person: Person, browser: Browser) -> None:
    await admin.execute(
        """
        with session as (insert into auth.sessions (user_id) values ($1) returning id)
        insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
        select $1, id, $2, $3, $4 from session
        """,
        person.id, browser.endpoint, browser.subscription.p256dh, browser.subscription.auth,
    )  # fmt: skip


async def sign_and_push(
    database: Database, person: Person, service: PushService, count: int, *, name: str = "Gil Okafor"
) -> None:
    sender = PushSender(service.settings, "waivers@waivers.example")
    for _ in range(count):
        waiver = await sign(database, await make_session(database, person), name=name)
        await push_to_company(database, sender, waiver["id"])


async def pushed_messages(
    database: Database, admin: Connection, person: Person, count: int, *, name: str = "Gil Okafor"
) -> list[dict[str, Any]]:
    """Signs `count` waivers of the person's company, and returns what is pushed to the person's browser."""
    async with open_push_service() as service:
        browser = service.browser("rosa")
        await subscribe(admin, person, browser)
        await sign_and_push(database, person, service, count, name=name)
        return [browser.decrypt(request.body) for request in service.requests]


async def test_c9_after_20_signatures_in_an_hour_the_browsers_of_the_company_get_one_summary(
    database: Database, admin: Connection, rosa: Person
) -> None:
    messages = await pushed_messages(database, admin, rosa, 24)

    assert [message["title"] for message in messages] == ["New Waiver Signed"] * 20 + ["More Waivers Signed"]


async def test_c9_a_message_in_the_place_of_the_signers_name_is_not_pushed(
    database: Database, admin: Connection, rosa: Person
) -> None:
    [message] = await pushed_messages(database, admin, rosa, 1, name=LURE)

    assert message["message"] == "A guest has signed a waiver: General Liability Waiver"


async def test_c9_a_push_that_fails_does_not_count(database: Database, admin: Connection, rosa: Person) -> None:
    async with open_push_service() as service:
        browser = service.browser("rosa")
        await subscribe(admin, rosa, browser)
        service.statuses["rosa"] = 503
        for _ in range(22):
            with pytest.raises(PushFailed):
                await sign_and_push(database, rosa, service, 1)
        service.statuses.clear()
        await sign_and_push(database, rosa, service, 1)

        assert browser.decrypt(service.requests[-1].body)["title"] == "New Waiver Signed"
