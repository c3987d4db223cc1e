"""H4: Cairn cannot be used to send mail to strangers without limits.

H4 is a finding in docs/security.md.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from cairn.db import ANON, SERVICE, Connection, Database, Principal
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.messaging import MailLimits, MessagingSettings
from cairn.waivers import DocumentContext
from tests.abuse.send_dialog import invitation
from tests.factories import make_session, make_template, sign
from tests.functions.test_send_email import send
from tests.functions_service import functions_client, make_functions_context
from tests.mail_server import MailServer, plain_body
from tests.people import Person, confirm, sign_up
from tests.running_worker import worker_running
from tests.waiting import wait_until_true

pytestmark = pytest.mark.usefixtures("return_before_the_email_is_sent")


@pytest.fixture
def people(rosa: Person, sam: Person, mallory: Person) -> dict[str, Principal]:
    return {"rosa": rosa.principal, "sam": sam.principal, "mallory": mallory.principal, "anon": ANON}


async def counted_waivers(database: Database, person: Person) -> int:
    async with database.acting_as(person.principal) as connection:
        sent: int = await connection.fetchval("select sent from waiver_allowance()")
    return sent


async def use_up_allowance(admin: Connection, company_id: UUID) -> None:
    await admin.execute("insert into billing.sendings_by_month values ($1, billing.this_month(), 1000)", company_id)


async def test_h4c_a_mail_without_a_session_counts_against_the_plan(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    for number in range(3):
        assert (await send(client, "rosa", to=f"guest{number}@example.com")).status_code == 202

    assert await counted_waivers(database, rosa) == 3


@pytest.mark.accept("SAFE-06")
async def test_h4c_the_plan_limit_cannot_be_bypassed_without_a_session(
    client: httpx.AsyncClient, admin: Connection, rosa: Person
) -> None:
    await use_up_allowance(admin, rosa.company)

    response = await send(client, "rosa")

    assert (response.status_code, response.json()["code"]) == (402, "plan_limit_reached")
    assert await admin.fetchval("select count(*) from emails") == 0


async def test_h4c_emails_of_one_session_to_different_recipients_all_count(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session_id = str(await make_session(database, rosa))

    for number in range(4):
        await send(client, "rosa", to=f"guest{number}@example.com", sessionId=session_id)
    await send(client, "rosa", to="GUEST0@example.com", sessionId=session_id)

    assert await counted_waivers(database, rosa) == 4, "sending again to the same guest is free"


async def test_h4c_a_reminder_of_a_waiver_that_was_never_sent_counts_against_the_plan(
    database: Database, admin: Connection, login_url: str, notifier: OutboxNotifier, rosa: Person
) -> None:
    """Otherwise a company could send any number of waivers with the button for reminders."""
    sessions = [await make_session(database, rosa, email=f"guest{number}@example.com") for number in range(3)]
    async with database.acting_as(rosa.principal) as connection:
        await connection.fetchval("select send_reminders()")
    async with worker_running(database, login_url, notifier):
        await wait_until_true(admin, "select count(*) = 3 from emails where kind = 'reminder' and status = 'kept'")

    assert await counted_waivers(database, rosa) == len(sessions)


@pytest.mark.accept("SAFE-05")
async def test_h4a_an_unconfirmed_company_sends_five_waivers_a_day(
    client: httpx.AsyncClient, database: Database, admin: Connection, sam: Person
) -> None:
    """In version 0.1, 300 mails to strangers were accepted within ten seconds."""
    responses = []
    for number in range(12):
        to = f"stranger{number}@example.com"
        session_id = await make_session(database, sam, email=to)
        responses.append(await send(client, "sam", to=to, **invitation(session_id)))

    assert [response.status_code for response in responses] == [202] * 5 + [429] * 7
    refusal = responses[-1].json()
    assert refusal["code"] == "unconfirmed_limit_reached"
    assert refusal["error"].startswith("Until you confirm your email address you can send 5 emails a day.")
    assert 0 < refusal["retry_after_seconds"] <= 86_400
    assert responses[-1].headers["Retry-After"] == str(refusal["retry_after_seconds"])
    assert await admin.fetchval("select count(*) from emails") == 5

    await confirm(database, sam)
    session_id = await make_session(database, sam)
    assert (await send(client, "sam", **invitation(session_id))).status_code == 202


async def test_h4a_the_limit_of_an_unconfirmed_company_starts_again_the_next_day(
    client: httpx.AsyncClient, database: Database, admin: Connection, sam: Person
) -> None:
    for number in range(5):
        session_id = await make_session(database, sam)
        await send(client, "sam", to=f"stranger{number}@example.com", **invitation(session_id))
    session_id = await make_session(database, sam)
    assert (await send(client, "sam", to="next@example.com", **invitation(session_id))).status_code == 429

    await admin.execute("update messaging.sent_today set day = day - 1")

    assert (await send(client, "sam", to="next@example.com", **invitation(session_id))).status_code == 202


@pytest.mark.parametrize(
    "changes",
    [
        {"message": "Your invoice is overdue. Pay at https://evil.example/pay now"},
        {"subject": "Your invoice is overdue"},
        {"sessionId": None},
        {"body": "https://evil.example/waivers/sign/session/1"},
    ],
    ids=["message", "subject", "no session", "other link"],
)
@pytest.mark.accept("SAFE-05")
async def test_h4a_an_unconfirmed_company_cannot_send_a_text_of_its_own(
    client: httpx.AsyncClient, database: Database, admin: Connection, sam: Person, changes: dict[str, str]
) -> None:
    parameters = invitation(await make_session(database, sam), message=changes.get("message", ""))
    given = {**parameters, **{name: value for name, value in changes.items() if name != "message"}}

    response = await send(client, "sam", **given)

    assert (response.status_code, response.json()["code"]) == (403, "message_needs_confirmed_address")
    assert await admin.fetchval("select count(*) from emails") == 0


@pytest.mark.usefixtures("worker")
async def test_h4a_the_email_of_an_unconfirmed_company_has_our_own_text_and_link(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, sam: Person
) -> None:
    session_id = await make_session(database, sam)
    given = invitation(session_id)
    given["body"] = given["body"].replace("http://127.0.0.1:8000", "https://evil.example")

    assert (await send(client, "sam", **given)).status_code in (200, 202)

    email = await mail_server.first_email()
    assert f"https://waivers.example/waivers/sign/session/{session_id}" in plain_body(email)
    assert "evil.example" not in email.as_string()


async def test_h4a_without_a_mail_server_there_is_no_limit(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, people: dict[str, Principal]
) -> None:
    """No email leaves such a server, so someone who tries the product out meets no limit."""
    async with functions_client(make_functions_context(database, notifier, documents), people) as client:
        responses = [await send(client, "sam", to=f"guest{number}@example.com") for number in range(8)]

    assert {response.status_code for response in responses} == {202}


async def test_h4a_an_email_queued_without_a_mail_server_never_leaves(
    database: Database, login_url: str, notifier: OutboxNotifier, documents: DocumentContext, admin: Connection,
    people: dict[str, Principal], messaging: MessagingSettings, mail_server: MailServer,
) -> None:  # fmt: skip
    """Otherwise a company with the provider `mock` could queue any number of emails, and then choose a real one."""
    async with functions_client(make_functions_context(database, notifier, documents), people) as client:
        await send(client, "sam")

    async with worker_running(database, login_url, notifier, mail=messaging, documents=documents):
        await wait_until_true(admin, "select status <> 'sending' from emails")

    assert await admin.fetchval("select status from emails") == "kept"
    assert mail_server.emails == []


async def test_h4a_a_mail_provider_of_the_company_counts_as_a_mail_server(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, people: dict[str, Principal], sam: Person
) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "insert into messaging.configurations (company_id, provider, sealed_key) values ($1, 'resend', 'x')",
            sam.company,
        )
    async with functions_client(make_functions_context(database, notifier, documents), people) as client:
        response = await send(client, "sam")

    assert response.json()["code"] == "message_needs_confirmed_address"


@pytest.mark.accept("SAFE-06")
async def test_h4a_more_unconfirmed_accounts_in_one_network_cannot_send_more(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, mail_server: MailServer
) -> None:
    limits = MailLimits(unconfirmed_per_network=7)
    settings = MessagingSettings(smtp=mail_server.settings, emails=limits)
    crowd = [
        await sign_up(database, f"sam{number}@stranger.example", "Sam", company="Sam's Trips", is_confirmed=False)
        for number in range(4)
    ]
    principals = {person.email: person.principal for person in crowd}
    context = make_functions_context(database, notifier, documents, messaging=settings)
    codes = []
    async with functions_client(context, principals) as client:
        for number in range(12):
            person = crowd[number % 4]
            session_id = await make_session(database, person)
            to = f"stranger{number}@example.com"
            response = await send(client, person.email, to=to, **invitation(session_id))
            codes.append(response.json().get("code"))

    assert codes == [None] * 7 + ["network_limit_reached"] * 5


async def test_h4a_strangers_share_the_limit_of_one_recipient(
    client: httpx.AsyncClient, database: Database, notifier: OutboxNotifier, documents: DocumentContext,
    messaging: MessagingSettings, sam: Person,
) -> None:  # fmt: skip
    sue = await sign_up(database, "sue@stranger.example", "Sue", company="Sue's Trips", is_confirmed=False)
    for _ in range(3):
        await send(client, "sam", **invitation(await make_session(database, sam)))
    context = make_functions_context(database, notifier, documents, messaging=messaging)
    async with functions_client(context, {"sue": sue.principal}) as other:
        responses = [await send(other, "sue", **invitation(await make_session(database, sue))) for _ in range(3)]

    assert [response.json().get("code") for response in responses] == [None, None, "recipient_limit_reached"]


@pytest.mark.accept("SAFE-06")
async def test_h4_one_recipient_gets_five_emails_a_day_from_one_company(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)

    responses = [await send(client, "rosa", sessionId=str(session_id)) for _ in range(7)]

    assert [response.status_code for response in responses] == [202] * 5 + [429] * 2
    assert responses[-1].json()["code"] == "recipient_limit_reached"
    assert (await send(client, "rosa", to="another@example.com")).status_code == 202
    assert (await send(client, "mallory")).status_code == 202


@pytest.mark.accept("SAFE-06")
async def test_h4_a_company_without_a_plan_sends_fewer_emails_a_day_than_one_with_a_plan(
    database: Database, admin: Connection, notifier: OutboxNotifier, documents: DocumentContext,
    mail_server: MailServer, people: dict[str, Principal], rosa: Person,
) -> None:  # fmt: skip
    settings = MessagingSettings(smtp=mail_server.settings, emails=MailLimits(per_day=5, per_day_without_plan=3))
    context = make_functions_context(database, notifier, documents, messaging=settings)
    async with functions_client(context, people) as client:
        without_plan = [await send(client, "rosa", to=f"a{number}@example.com") for number in range(4)]
        await subscribe(admin, rosa)
        with_plan = [await send(client, "rosa", to=f"b{number}@example.com") for number in range(3)]

    assert [response.status_code for response in without_plan] == [202] * 3 + [429]
    assert without_plan[-1].json()["code"] == "daily_limit_reached"
    assert [response.status_code for response in with_plan] == [202] * 2 + [429]


async def subscribe(admin: Connection, person: Person) -> None:
    await admin.execute(
        """
        with customer as (insert into billing.customers (provider, reference, company_id)
                          values ('sandbox', 'cus_1', $1) returning id)
        insert into billing.subscriptions (customer_id, reference, plan, status, as_of)
        select id, 'sub_1', 'basic', 'active', now() from customer
        """,
        person.company,
    )


async def test_h4_reminders_over_the_limit_are_cancelled_with_the_reason(
    database: Database, admin: Connection, login_url: str, notifier: OutboxNotifier, messaging: MessagingSettings,
    documents: DocumentContext, mail_server: MailServer, sam: Person,
) -> None:  # fmt: skip
    """Otherwise a new company could mail any number of strangers with the button for reminders."""
    for number in range(8):
        await make_session(database, sam, email=f"stranger{number}@example.com")
    async with database.acting_as(sam.principal) as connection:
        assert await connection.fetchval("select send_reminders()") == 8
    async with worker_running(database, login_url, notifier, mail=messaging, documents=documents):
        await wait_until_true(admin, "select count(*) = 8 from emails where status in ('delivered', 'cancelled')")

    assert len(mail_server.emails) == 5
    errors = await admin.fetch("select error from emails where status = 'cancelled'")
    assert all(error["error"].startswith("Until you confirm your email address") for error in errors)
    assert await admin.fetchval("select count(*) from waivers.reminders where open") == 0


async def test_h4_copies_of_an_unconfirmed_company_are_limited(
    database: Database, admin: Connection, login_url: str, notifier: OutboxNotifier, messaging: MessagingSettings,
    documents: DocumentContext, mail_server: MailServer, sam: Person,
) -> None:  # fmt: skip
    """A template is free text, and its signed copy is mailed to any address that a visitor types."""
    template_id = await make_template(database, sam)
    for number in range(7):
        session_id = await make_session(database, sam, template_id)
        await sign(database, session_id, signer_email=f"stranger{number}@example.com")
    async with worker_running(database, login_url, notifier, mail=messaging, documents=documents):
        await wait_until_true(admin, "select count(*) = 7 from emails where status in ('delivered', 'cancelled')")

    assert len(mail_server.emails) == 5


async def test_only_the_service_reads_the_daily_counts(
    client: httpx.AsyncClient, database: Database, rosa: Person, mallory: Person
) -> None:
    await send(client, "rosa")

    for person in (rosa, mallory):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(person.principal) as connection:
                await connection.fetch("select * from messaging.sent_today")


@pytest.mark.accept("SAFE-06")
async def test_a_company_can_read_how_many_emails_it_can_still_send_today(
    client: httpx.AsyncClient, database: Database, sam: Person
) -> None:
    await send(client, "sam", **invitation(await make_session(database, sam)))
    await send(client, "rosa")

    allowances = {caller: await read_allowance(client, caller) for caller in ("sam", "rosa", "mallory")}

    shown = {
        caller: (allowance["sentToday"], allowance["perDay"], allowance["needsConfirmedAddress"])
        for caller, allowance in allowances.items()
    }
    assert shown == {"sam": (1, 5, True), "rosa": (1, 300, False), "mallory": (0, 300, False)}
    assert datetime.fromisoformat(allowances["sam"]["resetsAt"]) > now()
    refused = await client.post("/mail-allowance", json={}, headers={"Authorization": "Bearer anon"})
    assert refused.status_code == 403


async def read_allowance(client: httpx.AsyncClient, caller: str) -> dict[str, Any]:
    response = await client.post("/mail-allowance", json={}, headers={"Authorization": f"Bearer {caller}"})
    assert response.status_code == 200
    allowance: dict[str, Any] = response.json()
    return allowance
