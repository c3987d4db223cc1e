"""After a bounce or a complaint, the address gets no more emails from that sender, but still those from others."""

from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import Connection, Database
from cairn.kit import now
from tests.abuse.mail_reports import (
    GIL,
    allow_again,
    email_history,
    message_id_of,
    send_and_bounce,
    send_resend_report,
    suppressed_addresses,
    wait_for_emails,
)
from tests.auth.conftest import open_visitor
from tests.auth.visitor import Visitor
from tests.factories import make_session
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.messaging.signed_reports import resend_event
from tests.people import Person, sign_up


@pytest_asyncio.fixture
async def visitor(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    """Returns a visitor of a server that has a mail server, who does not have to wait between two emails."""
    without_delay = settings.model_copy(update={"smtp_max_frequency": timedelta(milliseconds=1)})
    async with open_visitor(database, keyring, without_delay, sends_email=True) as visitor:
        yield visitor


@pytest.mark.usefixtures("worker")
@pytest.mark.accept("SAFE-10")
async def test_an_address_that_the_mail_server_rejects_gets_no_more_emails(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, rosa: Person
) -> None:
    first = await send_and_bounce(client, mail_server, "rosa", to="Gil@Example.com")
    second = await send(client, "rosa", to=GIL)
    other = await send(client, "rosa", to="bea@example.com")

    assert (first.status_code, second.status_code, other.status_code) == (502, 502, 200)
    assert [email["To"] for email in mail_server.emails] == ["bea@example.com"]
    assert second.json()["error"] == (
        "Not sent, because an earlier email to this address came back (550 5.1.1 No such mailbox). "
        "Please check the address. If it is right, allow it again in Email History."
    )
    assert (await email_history(database, rosa))[1] == ("failed", second.json()["error"])
    assert await suppressed_addresses(database, rosa) == [(GIL, "bounce")]


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("recipient_reply", "reply"),
    [
        ("450 4.2.1 Come back later", "250 OK"),
        ("552 5.2.2 Mailbox full", "250 OK"),
        ("554 5.7.1 Your server is blocked", "250 OK"),
        ("250 OK", "554 5.7.1 This looks like spam"),
        ("250 OK", "550 This looks like spam"),
    ],
)
async def test_any_other_refusal_of_the_mail_server_does_not_suppress_the_address(
    client: httpx.AsyncClient,
    database: Database,
    mail_server: MailServer,
    rosa: Person,
    recipient_reply: str,
    reply: str,
) -> None:
    mail_server.recipient_reply, mail_server.reply = recipient_reply, reply
    await send(client, "rosa")
    mail_server.recipient_reply = mail_server.reply = "250 OK"

    assert await suppressed_addresses(database, rosa) == []
    assert (await send(client, "rosa")).status_code == 200


@pytest.mark.usefixtures("worker")
async def test_a_bounce_of_one_company_does_not_stop_the_emails_of_another(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, rosa: Person
) -> None:
    await send_and_bounce(client, mail_server, "mallory")

    assert (await send(client, "rosa")).status_code == 200
    assert await suppressed_addresses(database, rosa) == []


@pytest.mark.usefixtures("worker")
async def test_a_company_can_allow_an_address_again_after_a_bounce(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, rosa: Person
) -> None:
    await send_and_bounce(client, mail_server, "rosa")

    assert await allow_again(database, rosa, " GIL@example.com ") is True
    assert (await send(client, "rosa")).status_code == 200
    assert await allow_again(database, rosa, GIL) is False


@pytest.mark.usefixtures("worker")
async def test_a_suppressed_email_does_not_count_against_the_plan(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, rosa: Person
) -> None:
    for _ in range(3):
        await send_and_bounce(client, mail_server, "rosa", sessionId=str(await make_session(database, rosa)))

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select sent from waiver_allowance()") == 0


@pytest.mark.usefixtures("worker")
async def test_a_rival_can_neither_see_nor_remove_nor_add_a_suppression(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, rosa: Person, mallory: Person
) -> None:
    await send_and_bounce(client, mail_server, "rosa")

    assert await suppressed_addresses(database, mallory) == []
    assert await allow_again(database, mallory, GIL) is False
    assert await suppressed_addresses(database, rosa) == [(GIL, "bounce")]
    for statement in (
        "select scope from messaging.suppressions",
        "delete from messaging.suppressions",
        "update messaging.suppressions set reason = 'complaint'",
        "insert into messaging.suppressions (scope, address, reason) values ('sign_in', 'x@example.com', 'complaint')",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(mallory.principal) as connection:
                await connection.execute(statement)


@pytest.mark.usefixtures("worker")
async def test_a_complaint_about_a_waiver_does_not_lock_the_owner_of_the_account_out(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    mail_server: MailServer,
    reports: httpx.AsyncClient,
    visitor: Visitor,
) -> None:
    await sign_up(database, "sam@stranger.example", "Sam", company=None, is_confirmed=False)
    for to in ("rosa@rio-rafting.example", "sam@stranger.example"):
        sent = await send(client, "mallory", to=to)
        body = resend_event("email.complained", to, await message_id_of(admin, sent))
        assert (await send_resend_report(reports, body)).json() == {"recorded": 1}
    mail_server.emails.clear()

    for to in ("rosa@rio-rafting.example", "sam@stranger.example"):
        assert (await visitor.post("/recover", email=to)).status_code == 200
        await wait_for_emails(admin)

    assert [email["To"] for email in mail_server.emails] == ["rosa@rio-rafting.example", "sam@stranger.example"]


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(("is_confirmed", "arrived_count"), [(True, 2), (False, 1)])
async def test_a_complaint_about_a_sign_in_email_stops_these_emails_only_before_the_address_is_confirmed(
    database: Database,
    admin: Connection,
    mail_server: MailServer,
    reports: httpx.AsyncClient,
    visitor: Visitor,
    *,
    is_confirmed: bool,
    arrived_count: int,
) -> None:
    """A stranger can request emails to any address, and the owner of the account must still be able to sign in."""
    await sign_up(database, "sam@stranger.example", "Sam", company=None, is_confirmed=is_confirmed)
    await visitor.post("/recover", email="sam@stranger.example")
    await wait_for_emails(admin)
    message_id = await admin.fetchval("select message_id from emails")
    body = resend_event("email.complained", "sam@stranger.example", message_id)
    assert (await send_resend_report(reports, body)).json() == {"recorded": 1}
    await visitor.post("/recover", email="sam@stranger.example")
    await wait_for_emails(admin)

    assert len(mail_server.emails) == arrived_count


@pytest.mark.usefixtures("worker")
async def test_someone_who_complained_about_a_sign_in_email_can_sign_up_after_a_month(
    admin: Connection, mail_server: MailServer, visitor: Visitor
) -> None:
    """The complaint may have been about a stranger who entered this address."""
    suppress = "insert into messaging.suppressions (scope, address, reason, created_at) values ('sign_in', $1, $2, $3)"
    await admin.execute(suppress, "recent@example.com", "complaint", now() - timedelta(days=29))
    await admin.execute(suppress, "again@example.com", "complaint", now() - timedelta(days=31))

    for address in ("recent@example.com", "again@example.com"):
        assert (await visitor.sign_up(address)).status_code == 200
        await wait_for_emails(admin)

    assert [email["To"] for email in mail_server.emails] == ["again@example.com"]
