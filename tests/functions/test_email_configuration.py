"""A company saves a mail provider, and its emails are sent through that provider."""

import asyncio
import json
from typing import TypeAlias

import asyncpg
import httpx
import pytest
from starlette.responses import Response

from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings, retry_emails
from cairn.waivers import DocumentContext
from tests.factories import make_session, sign
from tests.functions.provider_fixtures import messaging, providers
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.messaging.mail_providers import RESEND_KEY, SENDGRID_KEY, FakeProviders
from tests.people import Person
from tests.running_worker import mail_sender, worker_running
from tests.waiting import PATIENCE_SECONDS

__all__ = ["messaging", "providers"]

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def call(client: httpx.AsyncClient, caller: str, function: str, **parameters: object) -> httpx.Response:
    return await client.post(f"/{function}", json=parameters, headers={"Authorization": f"Bearer {caller}"})


async def save(client: httpx.AsyncClient, caller: str = "rosa", **parameters: object) -> httpx.Response:
    return await call(client, caller, "save-email-configuration", **parameters)


@pytest.mark.accept("ENT-14", "HOME-15")
async def test_the_server_sends_by_default_and_the_key_of_a_provider_is_never_returned(
    client: httpx.AsyncClient, admin: Admin
) -> None:
    initial_configuration = (await call(client, "rosa", "email-configuration")).json()
    save_response = await save(client, provider="resend", apiKey=RESEND_KEY, senderEmail="trips@rio.example")
    read_response = await call(client, "rosa", "email-configuration")

    assert (
        initial_configuration["provider"],
        initial_configuration["hasApiKey"],
        initial_configuration["serviceProvider"],
    ) == ("service", False, "smtp")
    assert initial_configuration["serviceConfigured"] is True
    assert read_response.json() == save_response.json()
    assert (read_response.json()["provider"], read_response.json()["hasApiKey"]) == ("resend", True)
    assert read_response.json()["senderEmail"] == "trips@rio.example"
    assert RESEND_KEY not in save_response.text + read_response.text
    rows = json.dumps([dict(row) for row in await admin.fetch("select * from messaging.configurations")], default=str)
    assert RESEND_KEY not in rows, "a copy of the database does not reveal the key"


async def test_even_the_company_cannot_read_its_encrypted_key(
    client: httpx.AsyncClient, database: Database, rosa: Person, mallory: Person
) -> None:
    await save(client, provider="sendgrid", apiKey=SENDGRID_KEY)

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select provider from email_configurations") == "sendgrid"
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.fetch("select sealed_key from messaging.configurations")
    async with database.acting_as(mallory.principal) as connection:
        assert await connection.fetch("select * from email_configurations") == []


@pytest.mark.accept("MAIL-03")
@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"provider": "sendgrid"}, "apiKey"),
        ({"provider": "resend", "apiKey": "  "}, "apiKey"),
        ({"provider": "custom"}, "customEndpoint"),
        ({"provider": "custom", "customEndpoint": "http://hooks.example"}, "customEndpoint"),
        ({"provider": "resend", "apiKey": "re_1", "senderEmail": "not an address"}, "senderEmail"),
    ],
)
async def test_an_incomplete_configuration_is_refused_and_not_saved(
    client: httpx.AsyncClient, admin: Admin, parameters: dict[str, str], field: str
) -> None:
    response = await save(client, **parameters)

    assert response.status_code == 400
    assert response.json()["error"] == "Please check your email service settings"
    assert response.json()["field"] == field
    assert await admin.fetch("select * from messaging.configurations") == []


async def test_17l2_the_endpoints_that_a_company_saves_are_limited(client: httpx.AsyncClient) -> None:
    """17L2 in docs/security.md: the server looks up each saved endpoint in DNS."""
    reasons = []
    for _ in range(31):
        response = await save(client, provider="custom", customEndpoint="https://127.0.0.1/mail")
        reasons.append(response.json()["reason"])

    private = "The endpoint must not lead to a private or loopback address."
    assert reasons == [private] * 30 + ["You have saved an endpoint 30 times within an hour. Please wait a little."]
    assert (await save(client, provider="service")).status_code == 200


async def test_a_key_is_kept_only_for_its_provider(client: httpx.AsyncClient) -> None:
    assert (await save(client, provider="resend", apiKey=RESEND_KEY)).status_code == 200
    assert (await save(client, provider="resend", senderEmail="trips@rio.example")).json()["hasApiKey"] is True
    assert (await save(client, provider="sendgrid")).status_code == 400, "Resend's key is not SendGrid's"
    assert (await save(client, provider="service")).json()["hasApiKey"] is False
    assert (await save(client, provider="resend")).status_code == 400, "the key was deleted"


@pytest.mark.parametrize("function", ["email-configuration", "save-email-configuration", "send-test-email"])
async def test_guests_and_visitors_are_refused(client: httpx.AsyncClient, function: str) -> None:
    for caller in ("gil", "anon"):
        assert (await call(client, caller, function, provider="service")).status_code == 403


@pytest.mark.accept("MAIL-10")
async def test_a_private_address_is_refused_on_saving_and_on_sending(
    client: httpx.AsyncClient, database: Database, admin: Admin, login_url: str, notifier: OutboxNotifier, rosa: Person
) -> None:
    for url in ("https://localhost/", "https://169.254.169.254/"):
        response = await save(client, provider="custom", customEndpoint=url)
        assert (response.status_code, response.json()["field"]) == (400, "customEndpoint")

    # This row can exist, because the host may have had a public address when the endpoint was saved.
    await admin.execute(
        "insert into messaging.configurations (company_id, provider, custom_endpoint) values ($1, 'custom', $2)",
        rosa.company, "https://localhost/mail",
    )  # fmt: skip
    async with worker_running(database, login_url, notifier):
        response = await call(client, "rosa", "send-test-email")

    assert response.status_code == 502
    reason = "The endpoint must not lead to a private or loopback address."
    assert response.json()["error"] == f"Custom email endpoint not configured ({reason})"


async def test_an_email_uses_the_provider_the_name_and_the_reply_address_of_its_company(
    client: httpx.AsyncClient,
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    messaging: MessagingSettings,
    providers: FakeProviders,
    mail_server: MailServer,
    rosa: Person,
) -> None:
    await save(client, provider="resend", apiKey=RESEND_KEY, senderEmail="trips@rio.example")
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            "update companies set sender_name = 'The Rio crew', reply_to = 'Office@Rio.example' where id = $1",
            rosa.company,
        )
    session_id = await make_session(database, rosa)

    async with worker_running(database, login_url, notifier, mail=messaging):
        response = await send(client, "rosa", sessionId=str(session_id), attachmentType="pdf", body="See the PDF.")
        rival_response = await send(client, "mallory")

    assert (response.json()["status"], response.json()["provider"]) == ("delivered", "resend")
    assert (rival_response.json()["status"], rival_response.json()["provider"]) == ("delivered", "service")
    [email_body] = providers.accepted_emails
    assert email_body["from"] == "The Rio crew <trips@rio.example>"
    assert email_body["reply_to"] == "office@rio.example"
    assert email_body["attachments"][0]["filename"] == "General Liability Waiver (to sign).pdf"
    assert len(mail_server.emails) == 1, "only Mallory uses the mail server of the service"


@pytest.mark.accept("MAIL-12")
async def test_the_record_of_an_email_is_the_same_for_every_provider(
    client: httpx.AsyncClient,
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    messaging: MessagingSettings,
    rosa: Person,
) -> None:
    session_id = await make_session(database, rosa)
    async with worker_running(database, login_url, notifier, mail=messaging):
        for provider, key in {"service": "", "resend": RESEND_KEY, "sendgrid": SENDGRID_KEY, "mock": ""}.items():
            await save(client, provider=provider, apiKey=key)
            await send(client, "rosa", sessionId=str(session_id))
        await save(client, provider="resend", apiKey="re_wrong")
        await send(client, "rosa", sessionId=str(session_id))

    async with database.acting_as(rosa.principal) as connection:
        rows = await connection.fetch(
            """
            select id, recipient, subject, body, attachment_type, session_id, sent_at is not null as sent, status,
                   provider
              from emails order by created_at
            """
        )
    assert [(row["provider"], row["status"], row["sent"]) for row in rows] == [
        ("service", "delivered", True),
        ("resend", "delivered", True),
        ("sendgrid", "delivered", True),
        ("mock", "kept", True),
        ("resend", "failed", False),
    ]
    fields = ("gil@example.com", "Please sign: River trip Waiver", "Hello Gil", "link", session_id)
    assert {row[1:6] for row in map(tuple, rows)} == {fields}


async def test_emails_are_sent_when_a_failing_provider_works_again(
    client: httpx.AsyncClient,
    database: Database,
    admin: Admin,
    login_url: str,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    messaging: MessagingSettings,
    providers: FakeProviders,
    rosa: Person,
) -> None:
    """A user who waits for the outcome gets the error immediately. Other emails are retried."""
    await save(client, provider="resend", apiKey=RESEND_KEY)
    providers.response = Response(status_code=503)
    async with worker_running(database, login_url, notifier, mail=messaging, documents=documents):
        test_response = await call(client, "rosa", "send-test-email")
        failing_configuration = (await call(client, "rosa", "email-configuration")).json()
        await sign(database, await make_session(database, rosa))
        notifier.notify()
        await wait_until(admin, "select attempts > 0 from emails where patient")
    providers.response = None
    await admin.execute("update emails set tried_at = now() - interval '2 hours' where patient")
    await retry_emails(mail_sender(database, documents, messaging))
    working_configuration = (await call(client, "rosa", "email-configuration")).json()

    assert (test_response.status_code, test_response.json()["error"], test_response.json()["provider"]) == (
        502, "Failed to send email: 503", "resend",
    )  # fmt: skip
    assert failing_configuration["lastError"] == "Failed to send email: 503"
    assert failing_configuration["failingSince"] is not None
    assert (working_configuration["lastError"], working_configuration["failingSince"]) == (None, None)
    assert [email["subject"] for email in providers.accepted_emails] == ["Your signed waiver: General Liability Waiver"]


async def wait_until(admin: Admin, query: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await admin.fetchval(query):  # noqa: ASYNC110 - the database sends no event
            await asyncio.sleep(0.05)


async def test_test_emails_are_rate_limited(client: httpx.AsyncClient, admin: Admin, rosa: Person) -> None:
    await admin.execute(
        """
        insert into emails (company_id, recipient, subject, body, kind, status)
        select $1, 'rosa@rio-rafting.example', 'Test', '', 'test', 'delivered' from generate_series(1, 20)
        """,
        rosa.company,
    )

    response = await call(client, "rosa", "send-test-email")

    assert (response.status_code, response.json()["code"]) == (429, "too_many_tests")
