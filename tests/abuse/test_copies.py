"""B3: the copy of a signed document cannot be used to send a text of one's own to strangers.

B3 is a finding in docs/security.md.
"""

import re
from email.message import EmailMessage
from uuid import UUID

import httpx
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MailLimits, MessagingSettings
from cairn.waivers import DOCUMENT_LINK_PATH, DocumentContext, document_link_page
from tests.abuse.conftest import RunWorker
from tests.abuse.test_mail import subscribe
from tests.abuse.test_samples import open_session_as_visitor, request_copy, wait_for_documents
from tests.factories import DOCUMENT_SECRET, make_session, make_template, sign
from tests.functions.test_documents import call
from tests.functions_service import functions_client, make_functions_context
from tests.mail_server import MailServer, html_body, plain_body
from tests.people import Person, sign_up
from tests.running_worker import worker_running
from tests.waiting import wait_until_true

LURE = "INVOICE 4411: payment overdue, call +1 888 555 0100"
# Longer than the name of a person, without a digit.
LONG_LURE = "your account was closed because of an unpaid invoice, please call our support line"
_DOCUMENT_LINK = re.compile(rf"https://waivers\.example{DOCUMENT_LINK_PATH}(/\S+)")


async def sign_for_strangers(
    database: Database, person: Person, count: int, *, ip: str = "203.0.113.7", mailbox: str = "stranger"
) -> None:
    """Signs a template of the person's company for `count` strangers, whose addresses begin with `mailbox`."""
    template_id = await make_template(database, person)
    for number in range(count):
        session_id = await make_session(database, person, template_id)
        await sign(database, session_id, ip=ip, signer_email=f"{mailbox}{number}.{person.email}")


async def wait_for_copies(admin: Connection, count: int) -> None:
    """Waits until `count` copies were sent, kept or cancelled."""
    are_done = f"select count(*) >= {count} from emails where kind = 'copy' and status <> 'sending'"
    await wait_until_true(admin, are_done)


async def count_by_status(admin: Connection) -> dict[str, int]:
    rows = await admin.fetch("select status, count(*) from emails where kind = 'copy' group by status")
    return {row["status"]: row["count"] for row in rows}


async def first_error(admin: Connection) -> str:
    """Returns the error of an email that was cancelled."""
    error: str = await admin.fetchval("select error from emails where status = 'cancelled' limit 1")
    return error


async def rename_company(database: Database, company_id: UUID, name: str) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update companies set name = $2, sender_name = $2 where id = $1", company_id, name)


def assert_has_no_text_of_a_stranger(email: EmailMessage) -> None:
    whole_text = email["Subject"] + email["From"] + plain_body(email) + html_body(email)
    assert not [word for word in ("INVOICE", "overdue", "888", "unpaid invoice") if word in whole_text]
    assert [part.get_filename() for part in email.iter_attachments()] == []


async def open_document_link(database: Database, documents: DocumentContext, email: EmailMessage) -> httpx.Response:
    link = _DOCUMENT_LINK.search(plain_body(email))
    assert link is not None, "the email has no link to the document"
    transport = httpx.ASGITransport(document_link_page(database, documents))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn") as browser:
        return await browser.get(link[1])


@pytest.mark.usefixtures("worker")
async def test_b3_the_copy_of_an_unconfirmed_company_contains_no_text_of_that_company(
    client: httpx.AsyncClient, database: Database, documents: DocumentContext, mail_server: MailServer, sam: Person
) -> None:
    await rename_company(database, sam.company, LURE)
    template_id = await make_template(database, sam, name=LURE, content=LURE)
    session_id = await make_session(database, sam, template_id)
    waiver = await sign(
        database, session_id, name=LURE, signer_email="victim@example.com", document_secret=DOCUMENT_SECRET
    )

    email = await mail_server.first_email(40)

    assert_has_no_text_of_a_stranger(email)
    assert email["Subject"] == "Your signed waiver: Activity Waiver"
    assert plain_body(email).startswith("Hi,\r\n")
    assert "attached" not in plain_body(email)
    assert "link opens the signed document" in " ".join(plain_body(email).split())
    opened = await open_document_link(database, documents, email)
    assert opened.content.startswith(b"%PDF")
    parameters = {"waiver_id": str(waiver["id"]), "secret": DOCUMENT_SECRET}
    status = await call(client, "anon", "email-copy", parameters)
    assert status.json() == {"status": "delivered", "says": "Your copy was sent to victim@example.com."}


@pytest.mark.usefixtures("worker")
async def test_b3_the_copy_of_a_sample_contains_no_text_of_the_visitor(
    client: httpx.AsyncClient, database: Database, admin: Connection, notifier: OutboxNotifier, mail_server: MailServer
) -> None:
    session_id = await open_session_as_visitor(database)
    waiver = await sign(database, session_id, name=LURE, document_secret=DOCUMENT_SECRET)
    notifier.notify()
    await wait_for_documents(admin, 1)

    assert (await request_copy(client, waiver)).json()["status"] == "delivered"

    [email] = mail_server.emails
    assert_has_no_text_of_a_stranger(email)
    assert email["Subject"] == "Your signed waiver: General Liability Waiver", "the name of a sample is our own text"


@pytest.mark.usefixtures("worker")
async def test_b3_a_guest_of_a_confirmed_company_gets_the_document_attached_with_all_names(
    database: Database, notifier: OutboxNotifier, mail_server: MailServer, rosa: Person
) -> None:
    template_id = await make_template(database, rosa, name="Trip 12345 on the river")
    await sign(database, await make_session(database, rosa, template_id), time_zone="America/Denver")
    notifier.notify()

    email = await mail_server.first_email(40)

    assert email["Subject"] == "Your signed waiver: Trip 12345 on the river"
    assert plain_body(email).startswith("Hi Gil,")
    assert re.search(r"for Rio Rafting on \w+ \d+, \d{4} at \d+:\d\d [AP]M \(Mountain Time\)\.", plain_body(email))
    assert "The signed document is attached" in plain_body(email)
    assert [part.get_content_type() for part in email.iter_attachments()] == ["application/pdf"]


@pytest.mark.usefixtures("worker")
async def test_b3_a_message_in_the_place_of_the_signers_name_is_not_mailed_for_a_confirmed_company(
    database: Database, notifier: OutboxNotifier, mail_server: MailServer, rosa: Person
) -> None:
    await sign(database, await make_session(database, rosa), name=LONG_LURE)
    notifier.notify()

    email = await mail_server.first_email(40)

    assert plain_body(email).startswith("Hi,\r\n")
    assert "unpaid invoice" not in plain_body(email) + html_body(email) + email["Subject"]


async def test_b3_copies_of_all_unconfirmed_companies_share_the_limit_of_the_signers_network(
    database: Database, admin: Connection, run_worker: RunWorker, mail_server: MailServer
) -> None:
    """Before this limit, twelve accounts in one network made the server mail 60 strangers within 20 seconds."""
    for number in range(3):
        company = await sign_up(database, f"s{number}@stranger.example", "S", company="Trips", is_confirmed=False)
        await sign_for_strangers(database, company, 2)
    async with run_worker(emails=MailLimits(unconfirmed_per_network=4)):
        await wait_for_copies(admin, 6)

    assert await count_by_status(admin) == {"delivered": 4, "cancelled": 2}
    assert len(mail_server.emails) == 4
    assert (await first_error(admin)).startswith("Too many emails were sent from your network today.")


async def test_b3_small_networks_share_the_limit_of_the_larger_network_around_them(
    database: Database, admin: Connection, run_worker: RunWorker
) -> None:
    """A /48 network may cause four times as many emails as each of its 65,536 /64 networks."""
    for number in range(6):
        company = await sign_up(database, f"s{number}@stranger.example", "S", company="Trips", is_confirmed=False)
        await sign_for_strangers(database, company, 1, ip=f"2001:db8:1:{number}::7")
    async with run_worker(emails=MailLimits(unconfirmed_per_network=1)):
        await wait_for_copies(admin, 6)

    assert await count_by_status(admin) == {"delivered": 4, "cancelled": 2}


@pytest.mark.parametrize(("has_plan", "sent_count"), [(False, 2), (True, 4)])
async def test_b3_a_company_without_a_plan_sends_fewer_copies_a_day(
    database: Database,
    admin: Connection,
    run_worker: RunWorker,
    mail_server: MailServer,
    rosa: Person,
    has_plan: bool,
    sent_count: int,
) -> None:
    """Before this limit, a company in its trial could send 300 messages a day, but 10,000 copies with its own text."""
    if has_plan:
        await subscribe(admin, rosa)
    for number in range(4):
        # One network alone gets only a part of the copies.
        await sign_for_strangers(database, rosa, 1, ip=f"203.0.113.{number}", mailbox=f"stranger{number}")
    limits = MailLimits(copies_per_day_without_plan=2, per_day_without_plan=1, per_day=1, unconfirmed_per_network=1)
    async with run_worker(emails=limits):
        await wait_for_copies(admin, 4)

    assert len(mail_server.emails) == sent_count
    errors = await admin.fetch("select error from emails where status = 'cancelled'")
    assert len(errors) == 4 - sent_count
    assert all(error["error"].startswith("Your company has sent 2 emails today") for error in errors)


async def test_b3_without_a_mail_server_copies_keep_their_names_and_have_no_limit(
    database: Database, admin: Connection, login_url: str, notifier: OutboxNotifier, sam: Person
) -> None:
    await sign_for_strangers(database, sam, 6)
    settings = MessagingSettings(emails=MailLimits(unconfirmed_per_network=1, unconfirmed_per_day=1))
    async with worker_running(database, login_url, notifier, mail=settings):
        await wait_for_copies(admin, 6)

    assert await count_by_status(admin) == {"kept": 6}
    copies = await admin.fetch("select subject, attachment_type, split_part(body, E'\n', 1) as greeting from emails")
    assert {tuple(copy) for copy in copies} == {("Your signed waiver: River trip", "pdf", "Hi Gil,")}


async def test_b3_a_copy_that_was_queued_for_the_local_mailbox_never_leaves(
    database: Database, admin: Connection, login_url: str, notifier: OutboxNotifier, documents: DocumentContext,
    messaging: MessagingSettings, mail_server: MailServer, sam: Person,
) -> None:  # fmt: skip
    """Otherwise a company with the provider `mock` could queue copies with its own text, and then choose a real one."""
    session_id = await open_session_as_visitor(database, company_id=sam.company)
    waiver = await sign(database, session_id, name=LURE, document_secret=DOCUMENT_SECRET)
    async with worker_running(database, login_url, notifier, documents=documents):
        await wait_for_documents(admin, 1)
    context = make_functions_context(database, notifier, documents)
    async with functions_client(context, {"anon": ANON}) as client:
        await request_copy(client, waiver)
    async with worker_running(database, login_url, notifier, mail=messaging, documents=documents):
        await wait_for_copies(admin, 1)

    assert await count_by_status(admin) == {"kept": 1}
    assert mail_server.emails == []
