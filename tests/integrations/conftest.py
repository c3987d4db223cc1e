"""A company, its own server elsewhere, and the webhook_sender between them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.billing import BillingSettings, open_billing
from cairn.db import ANON, Database, Principal
from cairn.functions import Tools, service
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings, WebhookSender, deliver_forever, jobs
from cairn.jobs import OutboxNotifier
from cairn.kit import Problem, SecretBox
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext
from tests.cast import Person
from tests.integrations.receiver import HOST, Receiver, receiving
from tests.messaging.mail_providers import certificate_for
from tests.running_worker import MAIL_KEY_BOX, jobs_running

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
SITE = "https://waivers.example"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return certificate_for(HOST, tmp_path)


@pytest_asyncio.fixture
async def receiver(certificate: Path) -> AsyncIterator[Receiver]:
    async with receiving(certificate) as opened:
        yield opened


@pytest_asyncio.fixture
async def notifier(login_url: str) -> AsyncIterator[OutboxNotifier]:
    async with OutboxNotifier(login_url) as ringing:
        yield ringing


async def leads_home(_host: str, _port: int) -> list[str]:
    """The names of these stories are in no register: that something arrives shows that the checked address was used."""
    return ["127.0.0.1"]


@pytest.fixture
def webhook_sender(database: Database, certificate: Path, receiver: Receiver) -> WebhookSender:
    settings = IntegrationSettings(
        allowed_networks=(ip_network("127.0.0.0/8"),),
        ca_file=certificate,
        zapier_url=f"https://{HOST}:{receiver.port}",
        timeout_seconds=2,
    )
    return WebhookSender(database, settings, SecretBox("a secret of the tests", "webhooks"), SITE, leads_home)


@pytest_asyncio.fixture
async def worker(
    webhook_sender: WebhookSender, database: Database, login_url: str, notifier: OutboxNotifier
) -> AsyncIterator[None]:
    async with jobs_running(database, login_url, notifier, jobs(database)):
        carrying = asyncio.create_task(deliver_forever(webhook_sender, notifier))
        yield
        carrying.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await carrying


@dataclass(frozen=True, slots=True)
class Office:
    """The functions, called as a client calls them. Tokens are the names of people here."""

    client: httpx.AsyncClient

    async def __call__(self, function: str, who: str = "rosa", **asked: object) -> httpx.Response:
        return await self.client.post(f"/{function}", json=asked, headers={"Authorization": f"Bearer {who}"})

    async def connect(self, url: str, who: str = "rosa", **asked: object) -> dict[str, Any]:
        answer = await self("save-webhook", who, url=url, **asked)
        assert answer.status_code == 200, answer.text
        made: dict[str, Any] = answer.json()
        return made


@pytest_asyncio.fixture
async def office(
    database: Database,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    webhook_sender: WebhookSender,
    rosa: Person,
    gil: Person,
    mallory: Person,
) -> AsyncIterator[Office]:
    people = {"rosa": rosa.principal, "gil": gil.principal, "mallory": mallory.principal, "anon": ANON}

    def principal_of(token: str) -> Principal:
        if token not in people:
            raise Problem
        return people[token]

    billing = open_billing(database, BillingSettings(), secret="a secret", site_url=SITE)
    tools = Tools(
        database,
        notifier,
        documents,
        MessagingSettings(),
        MAIL_KEY_BOX,
        "a key",
        billing,
        InquirySettings(),
        webhook_sender,
    )
    app = service(tools, principal_of=principal_of)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://cairn", timeout=20) as client:
        yield Office(client)


async def deliveries(database: Database, person: Person) -> list[dict[str, Any]]:
    """As the person's own page reads them."""
    async with database.acting_as(person.principal, read_only=True) as connection:
        rows = await connection.fetch("select * from webhook_deliveries order by created_at, id")
    return [dict(row) for row in rows]


async def endpoint(database: Database, person: Person, endpoint_id: str) -> dict[str, Any]:
    async with database.acting_as(person.principal, read_only=True) as connection:
        row = await connection.fetchrow("select * from webhook_endpoints where id = $1", UUID(endpoint_id))
    assert row is not None
    return dict(row)


async def until(database: Database, person: Person, **wanted: object) -> dict[str, Any]:
    """The one delivery there is, once it is as wanted."""
    async with asyncio.timeout(15):
        while True:
            found = await deliveries(database, person)
            if found and all(found[-1][name] == value for name, value in wanted.items()):
                return found[-1]
            await asyncio.sleep(0.02)
