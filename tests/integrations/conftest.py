"""Defines fixtures for a server that receives the webhooks of a company, and for the sender of these webhooks."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.db import ANON, Database
from cairn.integrations import IntegrationSettings, WebhookSender, deliver_forever, jobs
from cairn.jobs import OutboxNotifier
from cairn.kit import SecretBox, frozen_dataclass
from cairn.waivers import DocumentContext
from tests.functions_service import functions_app, make_functions_context
from tests.integrations.receiver import HOST, WebhookReceiver, running_receiver
from tests.messaging.mail_providers import certificate_for
from tests.people import Person
from tests.running_worker import jobs_running
from tests.waiting import PATIENCE_SECONDS

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
SITE = "https://waivers.example"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return certificate_for(HOST, tmp_path)


@pytest_asyncio.fixture
async def receiver(certificate: Path) -> AsyncIterator[WebhookReceiver]:
    async with running_receiver(certificate) as receiver:
        yield receiver


async def resolve_to_loopback(_host: str, _port: int) -> list[str]:
    """Resolves every name to the local receiver. The names are not in DNS, so no other lookup can succeed."""
    return ["127.0.0.1"]


@pytest.fixture
def webhook_sender(database: Database, certificate: Path, receiver: WebhookReceiver) -> WebhookSender:
    settings = IntegrationSettings(
        allowed_networks=(ip_network("127.0.0.0/8"),),
        ca_file=certificate,
        zapier_url=f"https://{HOST}:{receiver.port}",
        timeout_seconds=2,
    )
    return WebhookSender(database, settings, SecretBox("a secret for tests", "webhooks"), SITE, resolve_to_loopback)


@pytest_asyncio.fixture
async def worker(
    webhook_sender: WebhookSender, database: Database, login_url: str, notifier: OutboxNotifier
) -> AsyncIterator[None]:
    async with jobs_running(database, login_url, notifier, jobs(database)):
        delivery_task = asyncio.create_task(deliver_forever(webhook_sender, notifier))
        yield
        delivery_task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await delivery_task


@frozen_dataclass
class FunctionsClient:
    """Calls the functions as a client does. The token of a person is their name."""

    client: httpx.AsyncClient

    async def __call__(self, function: str, caller: str = "rosa", **parameters: object) -> httpx.Response:
        headers = {"Authorization": f"Bearer {caller}"}
        return await self.client.post(f"/{function}", json=parameters, headers=headers)

    async def connect(self, url: str, caller: str = "rosa", **parameters: object) -> dict[str, Any]:
        """Adds an endpoint and returns its id and secret."""
        response = await self("save-webhook", caller, url=url, **parameters)
        assert response.status_code == 200, response.text
        endpoint: dict[str, Any] = response.json()
        return endpoint


@pytest_asyncio.fixture
async def functions(
    database: Database,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    webhook_sender: WebhookSender,
    rosa: Person,
    gil: Person,
    mallory: Person,
) -> AsyncIterator[FunctionsClient]:
    people = {"rosa": rosa.principal, "gil": gil.principal, "mallory": mallory.principal, "anon": ANON}
    context = make_functions_context(database, notifier, documents, webhook_sender=webhook_sender)
    transport = httpx.ASGITransport(functions_app(context, people))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn", timeout=20) as client:
        yield FunctionsClient(client)


async def read_deliveries(database: Database, person: Person) -> list[dict[str, Any]]:
    """Reads the deliveries with the permissions of the person, oldest first."""
    async with database.acting_as(person.principal, read_only=True) as connection:
        rows = await connection.fetch("select * from webhook_deliveries order by created_at, id")
    return [dict(row) for row in rows]


async def read_endpoint(database: Database, person: Person, endpoint_id: str) -> dict[str, Any]:
    async with database.acting_as(person.principal, read_only=True) as connection:
        row = await connection.fetchrow("select * from webhook_endpoints where id = $1", UUID(endpoint_id))
    assert row is not None
    return dict(row)


async def wait_for_delivery(database: Database, person: Person, **expected: object) -> dict[str, Any]:
    """Waits until the last delivery has the expected values, and returns that delivery."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            deliveries = await read_deliveries(database, person)
            if deliveries and all(deliveries[-1][name] == value for name, value in expected.items()):
                return deliveries[-1]
            await asyncio.sleep(0.02)
