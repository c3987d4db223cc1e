"""Sends reports about bounces and complaints as mail providers do, and reads what Cairn has stored afterwards."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.kit import ServiceRouter
from cairn.messaging import REPORT_PATH, ReportSettings, report_service
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.messaging.signed_reports import RESEND_REPORT_KEY, SENDGRID_REPORT_KEY, sign_resend
from tests.people import Person
from tests.running_worker import PROVIDER_KEY_BOX
from tests.waiting import wait_until_true

GIL = "gil@example.com"
NO_SUCH_MAILBOX = "550 5.1.1 No such mailbox"
REPORT_SETTINGS = ReportSettings.model_validate({"resend_key": RESEND_REPORT_KEY, "sendgrid_key": SENDGRID_REPORT_KEY})
MALLORYS_KEY = "whsec_bWFsbG9yeSBrbm93cyB0aGlzIGtleQ=="


@asynccontextmanager
async def open_reports(database: Database, settings: ReportSettings) -> AsyncIterator[httpx.AsyncClient]:
    service = report_service(database, settings, PROVIDER_KEY_BOX)
    transport = httpx.ASGITransport(ServiceRouter({REPORT_PATH: service}, fallback=service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=f"http://cairn{REPORT_PATH}") as client:
        yield client


@pytest_asyncio.fixture
async def reports(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    """Yields a client that sends reports to a server whose operator uses Resend and SendGrid."""
    async with open_reports(database, REPORT_SETTINGS) as client:
        yield client


async def send_resend_report(
    reports: httpx.AsyncClient, body: bytes, path: str = "/resend", **signature: Any
) -> httpx.Response:
    return await reports.post(path, content=body, headers=sign_resend(body, **signature))


async def send_and_bounce(
    client: httpx.AsyncClient, mail_server: MailServer, caller: str, **parameters: object
) -> httpx.Response:
    """Sends an email to a mailbox that the mail server does not have."""
    mail_server.recipient_reply = NO_SUCH_MAILBOX
    response = await send(client, caller, **parameters)
    mail_server.recipient_reply = "250 OK"
    return response


async def use_provider(client: httpx.AsyncClient, caller: str, **parameters: object) -> None:
    headers = {"Authorization": f"Bearer {caller}"}
    response = await client.post("/save-email-configuration", json=parameters, headers=headers)
    assert response.status_code == 200, response.text


async def suppressed_addresses(database: Database, person: Person) -> list[tuple[str, str]]:
    async with database.acting_as(person.principal) as connection:
        rows = await connection.fetch("select address, reason from suppressed_addresses order by address")
    return [(row["address"], row["reason"]) for row in rows]


async def allow_again(database: Database, person: Person, address: str) -> bool:
    async with database.acting_as(person.principal) as connection:
        allowed: bool = await connection.fetchval("select allow_address_again($1)", address)
    return allowed


async def message_id_of(admin: Connection, response: httpx.Response) -> str:
    message_id: str = await admin.fetchval("select message_id from emails where id = $1", response.json()["id"])
    return message_id


async def email_history(database: Database, person: Person) -> list[tuple[str, str | None]]:
    async with database.acting_as(person.principal) as connection:
        rows = await connection.fetch("select status, error from emails order by created_at")
    return [(row["status"], row["error"]) for row in rows]


async def wait_for_emails(admin: Connection) -> None:
    """Waits until no email is being sent."""
    none_is_being_sent = "select not exists (select from emails where status = 'sending')"
    await wait_until_true(admin, none_is_being_sent)
