"""H4 b: when a stranger signs a sample, no other person gets an email about it.

H4 is a finding in docs/security.md.
"""

import asyncio
from uuid import UUID

import asyncpg
import httpx
import pytest

from cairn.db import ANON, Connection, Database
from cairn.functions import email_copy as email_copy_function
from cairn.jobs import OutboxNotifier
from cairn.messaging import MailLimits, MessagingSettings
from cairn.waivers import DocumentContext
from tests.factories import DOCUMENT_SECRET, SAMPLE_TEMPLATE_ID, make_session, make_template, open_session, sign
from tests.functions.test_documents import call
from tests.functions_service import functions_client, make_functions_context
from tests.mail_server import MailServer
from tests.people import Person
from tests.running_worker import worker_running
from tests.waiting import PATIENCE_SECONDS, wait_until_true


async def open_session_as_visitor(database: Database, template_id: str = SAMPLE_TEMPLATE_ID, **columns: object) -> UUID:
    return await open_session(database, ANON, template_id, **columns)


async def sign_sample(database: Database) -> "asyncpg.Record":
    return await sign(database, await open_session_as_visitor(database), document_secret=DOCUMENT_SECRET)


async def request_copy(client: httpx.AsyncClient, waiver: "asyncpg.Record") -> httpx.Response:
    parameters = {"waiver_id": str(waiver["id"]), "secret": DOCUMENT_SECRET}
    return await call(client, "anon", "email-copy", parameters)


async def wait_for_documents(admin: Connection, count: int) -> None:
    all_are_ready = f"select count(document_path) >= {count} from waivers.signed"
    await wait_until_true(admin, all_are_ready)


@pytest.mark.usefixtures("worker")
@pytest.mark.accept("SAFE-08")
async def test_h4b_signing_samples_mails_no_one(
    database: Database, admin: Connection, notifier: OutboxNotifier, mail_server: MailServer, rosa: Person
) -> None:
    """In version 0.1, signing 120 samples sent 120 emails to strangers."""
    for number in range(4):
        session_id = await open_session_as_visitor(database, company_id=rosa.company if number % 2 else None)
        await sign(database, session_id, signer_email=f"stranger{number}@example.com")
    notifier.notify()

    await wait_for_documents(admin, 4)

    assert await admin.fetchval("select count(*) from emails where kind = 'copy'") == 0
    assert mail_server.emails == []


@pytest.mark.usefixtures("worker")
async def test_the_signer_of_a_sample_gets_one_copy_on_request(
    client: httpx.AsyncClient, database: Database, admin: Connection, notifier: OutboxNotifier, mail_server: MailServer
) -> None:
    waiver = await sign_sample(database)
    notifier.notify()
    await wait_for_documents(admin, 1)

    responses = await asyncio.gather(*(request_copy(client, waiver) for _ in range(3)))

    assert {response.json()["status"] for response in responses} == {"delivered"}
    assert len(mail_server.emails) == 1


async def test_a_copy_that_was_requested_too_early_is_sent_when_the_document_is_ready(
    client: httpx.AsyncClient, database: Database, login_url: str, notifier: OutboxNotifier,
    messaging: MessagingSettings, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(email_copy_function, "_WAIT_SECONDS", 0.1)
    waiver = await sign_sample(database)
    response = await request_copy(client, waiver)
    assert response.json()["status"] == "preparing"

    async with worker_running(database, login_url, notifier, mail=messaging):
        email = await mail_server.first_email()

    assert email["To"] == "gil@example.com"


@pytest.mark.usefixtures("worker")
async def test_invited_guests_and_signers_of_a_companys_own_template_get_their_copy(
    database: Database, notifier: OutboxNotifier, mail_server: MailServer, rosa: Person
) -> None:
    own_template = await make_template(database, rosa)
    await sign(database, await make_session(database, rosa), signer_email="invited@example.com")
    await sign(database, await open_session_as_visitor(database, own_template), signer_email="visitor@example.com")
    notifier.notify()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(mail_server.emails) < 2:  # noqa: ASYNC110 - the worker sends them
            await asyncio.sleep(0.05)

    assert {email["To"] for email in mail_server.emails} == {"invited@example.com", "visitor@example.com"}


async def test_h4b_requested_copies_are_limited_per_network(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, mail_server: MailServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(email_copy_function, "_WAIT_SECONDS", 0.05)
    settings = MessagingSettings(smtp=mail_server.settings, emails=MailLimits(requested_copies_per_network=2))
    context = make_functions_context(database, notifier, documents, messaging=settings)
    waivers = [await sign_sample(database) for _ in range(3)]

    async with functions_client(context, {"anon": ANON}) as client:
        responses = [await request_copy(client, waiver) for waiver in waivers]

    assert [response.status_code for response in responses] == [200, 200, 429]
    assert responses[-1].json()["code"] == "too_many_copies"
    assert int(responses[-1].headers["Retry-After"]) > 0


@pytest.mark.usefixtures("worker")
async def test_h4b_requested_copies_are_limited_per_recipient(
    database: Database, admin: Connection, client: httpx.AsyncClient, mail_server: MailServer
) -> None:
    waivers = [await sign_sample(database) for _ in range(6)]
    await wait_for_documents(admin, 6)

    responses = [await request_copy(client, waiver) for waiver in waivers]

    assert [response.json()["status"] for response in responses] == ["delivered"] * 5 + ["cancelled"]
    assert len(mail_server.emails) == 5


async def test_a_rival_sees_no_requests_of_copies(database: Database, mallory: Person) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(mallory.principal) as connection:
            await connection.fetch("select * from waivers.copy_requests")
