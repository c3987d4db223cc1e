"""C2: mail endpoints of companies that never respond do not delay the emails of anyone else.

C2 is a finding in docs/security.md.
"""

import asyncio
import time
from ipaddress import ip_network
from uuid import UUID, uuid4

import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import Email, MessagingSettings, add_email, retry_emails, save_configuration
from cairn.waivers import DocumentContext
from tests.abuse.conftest import RunWorker
from tests.abuse.silent_endpoint import SilentEndpoint, silent_endpoint
from tests.fixture_of import fixture_of
from tests.mail_server import MailServer
from tests.messaging.mail_providers import RESEND_KEY, FakeProviders
from tests.people import Person, sign_up
from tests.running_worker import PROVIDER_KEY_BOX, mail_sender

ENDPOINT_TIMEOUT_SECONDS = 10.0
# The server gives up on a silent endpoint after this time, because connecting may take 40% of the timeout.
SILENT_SECONDS = 4.0
SILENT_COMPANY_COUNT = 10
EMAILS_PER_COMPANY = 6

endpoint = fixture_of(silent_endpoint)


@pytest.fixture
def messaging(mail_server: MailServer, providers: FakeProviders) -> MessagingSettings:
    return MessagingSettings(
        smtp=mail_server.settings,
        resend_url=providers.url,
        endpoint_networks=(ip_network("127.0.0.0/8"),),
        endpoint_timeout_seconds=ENDPOINT_TIMEOUT_SECONDS,
    )


async def use_endpoint(admin: Connection, company: UUID, endpoint: SilentEndpoint) -> None:
    await admin.execute(
        "insert into messaging.configurations (company_id, provider, custom_endpoint) values ($1, 'custom', $2)",
        company, endpoint.url,
    )  # fmt: skip


async def request_emails(
    database: Database, company: UUID | None, count: int = 1, *, secret: bool = False, keep_retrying: bool = False
) -> list[UUID]:
    """Requests this many emails and returns their ids."""
    emails = [Email(uuid4(), f"{uuid4()}@example.com", "Please sign", "Here it is.") for _ in range(count)]
    async with database.acting_as(SERVICE) as connection:
        for email in emails:
            await add_email(connection, email, company_id=company, secret=secret, keep_retrying=keep_retrying)
    return [email.id for email in emails]


async def seconds_until_delivered(admin: Connection, email_ids: list[UUID]) -> float:
    started_at = time.monotonic()
    query = "select bool_and(status = 'delivered') from emails where id = any ($1)"
    async with asyncio.timeout(30):
        while not await admin.fetchval(query, email_ids):  # noqa: ASYNC110 - the database sends no event
            await asyncio.sleep(0.02)
    return time.monotonic() - started_at


@pytest.mark.timing
async def test_c2_silent_endpoints_of_many_companies_delay_no_other_email(
    database: Database, admin: Connection, notifier: OutboxNotifier, run_worker: RunWorker, endpoint: SilentEndpoint,
    rosa: Person, mallory: Person,
) -> None:  # fmt: skip
    rivals = [
        await sign_up(database, f"{number}@rivals.example", "Mallory", company=f"Rival {number}")
        for number in range(SILENT_COMPANY_COUNT)
    ]
    for rival in rivals:
        await use_endpoint(admin, rival.company, endpoint)
    await admin.execute(
        "insert into messaging.configurations (company_id, provider, sealed_key) values ($1, 'resend', $2)",
        mallory.company, PROVIDER_KEY_BOX.encrypt(RESEND_KEY),
    )  # fmt: skip
    async with run_worker():
        for rival in rivals:
            await request_emails(database, rival.company, EMAILS_PER_COMPANY)
        notifier.notify()
        await endpoint.wait_for_connections(8)
        seconds = {}
        for name, company, is_secret in [
            ("to sign in", None, True),
            ("of the service", None, False),
            ("through our mail server", rosa.company, False),
            ("through Resend", mallory.company, False),
        ]:
            email_ids = await request_emails(database, company, 3, secret=is_secret)
            notifier.notify()
            seconds[name] = await seconds_until_delivered(admin, email_ids)

    assert max(seconds.values()) < SILENT_SECONDS * 0.8, seconds


async def test_c2_after_a_timeout_the_next_emails_of_the_company_wait(
    database: Database, admin: Connection, notifier: OutboxNotifier, run_worker: RunWorker,
    messaging: MessagingSettings, endpoint: SilentEndpoint, rosa: Person,
) -> None:  # fmt: skip
    await use_endpoint(admin, rosa.company, endpoint)
    async with run_worker(endpoint_timeout_seconds=3.0):
        await request_emails(database, rosa.company, 12)
        notifier.notify()
        await endpoint.wait_for_connections(2)
        await admin.execute("update messaging.configurations set failing_since = now() - interval '1 minute'")
        await wait_until(admin, "select count(*) = 2 from emails where attempts = 1")
        await asyncio.sleep(4)
        assert len(endpoint.connections) == 2
        assert await admin.fetchval("select count(*) from emails where status = 'sending'") == 12

        # When the company saves new settings, its emails no longer wait.
        await save_configuration(
            database, PROVIDER_KEY_BOX, messaging, rosa.company, "service",
            api_key="", custom_endpoint="", sender_email="", report_key="",
        )  # fmt: skip
        await wait_until(admin, "select bool_and(status = 'delivered') from emails")


@pytest.mark.timing
async def test_c2_emails_through_the_mail_server_are_retried_while_endpoints_are_silent(
    database: Database,
    admin: Connection,
    documents: DocumentContext,
    messaging: MessagingSettings,
    endpoint: SilentEndpoint,
    rosa: Person,
    mallory: Person,
) -> None:
    await use_endpoint(admin, mallory.company, endpoint)
    silent_emails = await request_emails(database, mallory.company, 30, keep_retrying=True)
    [honest_email] = await request_emails(database, rosa.company, keep_retrying=True)
    await admin.execute(
        "update emails set attempts = 3, tried_at = now() - interval '2 hours', created_at = now() - interval '2 hours'"
    )
    sender = mail_sender(database, documents, messaging)

    async with asyncio.timeout(SILENT_SECONDS * 3):
        retrying = asyncio.create_task(retry_emails(sender))
        assert await seconds_until_delivered(admin, [honest_email]) < SILENT_SECONDS * 0.8
        await retrying
        await retry_emails(sender)

    assert len(endpoint.connections) == 2, "the others wait until the endpoint responds again"
    tried = await admin.fetchval("select count(*) from emails where attempts > 3 and id = any ($1)", silent_emails)
    assert tried == 2


async def wait_until(admin: Connection, query: str) -> None:
    async with asyncio.timeout(20):
        while not await admin.fetchval(query):  # noqa: ASYNC110 - the database sends no event
            await asyncio.sleep(0.05)
