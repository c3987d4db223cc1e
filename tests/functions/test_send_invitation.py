"""`send-invitation` sends the link of a waiver. A stranger cannot use it to send messages at will.

17B3 and 17L1 are findings in docs/security.md.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import partial
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.db import SERVICE, Connection, Database, Principal
from cairn.jobs import OutboxNotifier
from cairn.limits import Limit, take
from cairn.messaging import MailLimits, MessagingSettings
from cairn.waivers import DocumentContext
from tests.abuse.test_local_emails import MAX_EMAIL_EVENTS, add_email_events
from tests.fake_service import FakeService, running_fake_service
from tests.fixture_of import fixture_of
from tests.functions.test_documents import call
from tests.functions.test_send_text import count_sent_waivers
from tests.functions_service import functions_client, make_functions_context
from tests.mail_server import MailServer, plain_body
from tests.people import Person
from tests.sms_gateway import PHONE, messaging_settings, twilio_response
from tests.waiting import wait_until_true
from tests.waivers.acts import cancel, history
from tests.waivers.forms.inviting import invite
from tests.waivers.forms.sample_forms import open_session

gateway = fixture_of(partial(running_fake_service, twilio_response))
ClientWith = Callable[[MailLimits], AbstractAsyncContextManager[httpx.AsyncClient]]


@pytest.fixture
def messaging(mail_server: MailServer, gateway: FakeService) -> MessagingSettings:
    return messaging_settings(gateway, smtp=mail_server.settings)


@pytest.fixture
def client_with(
    database: Database,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    messaging: MessagingSettings,
    people: dict[str, Principal],
) -> ClientWith:
    """Returns a function that opens a client of a server with these limits."""

    def open_client(limits: MailLimits) -> AbstractAsyncContextManager[httpx.AsyncClient]:
        settings = messaging.model_copy(update={"emails": limits})
        return functions_client(make_functions_context(database, notifier, documents, messaging=settings), people)

    return open_client


@pytest_asyncio.fixture
async def guardian_session_id(database: Database, rosa: Person) -> UUID:
    return await open_session(database, rosa)


async def send(
    client: httpx.AsyncClient, guardian_session_id: UUID, adult_session_id: UUID, caller: str = "anon", **recipient: str
) -> httpx.Response:
    recipient = recipient or {"email": "nia@example.com"}
    parameters = {"session_id": str(guardian_session_id), "invited_session_id": str(adult_session_id), **recipient}
    return await call(client, caller, "send-invitation", parameters)


async def send_to_guardian(
    client: httpx.AsyncClient, session_id: UUID, caller: str = "rosa", **recipient: str
) -> httpx.Response:
    return await call(client, caller, "send-invitation", {"session_id": str(session_id), **recipient})


@pytest.mark.accept("FORM-46")
@pytest.mark.usefixtures("worker")
async def test_the_link_is_emailed_with_our_own_text_and_the_company_sees_it(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    mail_server: MailServer,
    rosa: Person,
    mallory: Person,
    guardian_session_id: UUID,
) -> None:
    adult_session_id = await invite(database, guardian_session_id)

    response = await send(client, guardian_session_id, adult_session_id, email=" nia@example.com ")

    assert (response.status_code, response.json()) == (202, {"status": "sending"})
    await wait_until_true(admin, "select status = 'delivered' from emails")
    [email] = mail_server.emails
    assert (email["To"], email["Subject"]) == ("nia@example.com", "Please sign: River trip Waiver")
    assert email["From"].startswith("Rio Rafting")
    assert plain_body(email).replace("\r\n", "\n").strip() == (
        'Hi Nia,\n\nPlease read and sign the waiver "River trip" before your activity. You can do it on any device:'
        f"\n\nhttps://waivers.example/waivers/sign/session/{adult_session_id}\n\nYou do not need an account."
    )
    sendings = "select array_agg(recipient_email || ' ' || email_status) from sent_waivers"
    for person, seen in ((rosa, ["nia@example.com delivered"]), (mallory, None)):
        async with database.acting_as(person.principal) as connection:
            assert await connection.fetchval(sendings) == seen
    assert [name for name, _ in await history(database, rosa, adult_session_id)] == [
        "session.opened", "adult.invited", "email.requested", "email.accepted",
    ]  # fmt: skip
    assert await count_sent_waivers(admin, rosa) == 0


@pytest.mark.accept("FORM-46")
@pytest.mark.usefixtures("worker")
async def test_the_link_is_texted(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    gateway: FakeService,
    mail_server: MailServer,
    guardian_session_id: UUID,
) -> None:
    adult_session_id = await invite(database, guardian_session_id)

    responses = [await send(client, guardian_session_id, adult_session_id, phone="+41 79 123 45 67") for _ in range(2)]

    assert [response.status_code for response in responses] == [202, 409]
    await wait_until_true(admin, "select status = 'delivered' from text_messages")
    [request] = gateway.requests
    assert request.form["To"] == f"+{PHONE}"
    assert request.form["Body"] == (
        f"Rio Rafting: please sign your waiver before your activity https://waivers.example/waivers/sign/session/{adult_session_id}"
    )
    assert mail_server.emails == []


@pytest.mark.accept("FORM-47")
async def test_only_the_guest_who_invited_the_adult_can_send_the_link(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person, guardian_session_id: UUID
) -> None:
    adult_session_id = await invite(database, guardian_session_id)
    other_id = await open_session(database, rosa)

    for session_id, invited_id in (
        (other_id, adult_session_id),
        (adult_session_id, adult_session_id),
        (guardian_session_id, other_id),
        (uuid4(), uuid4()),
    ):
        for caller in ("anon", "mallory", "gil"):
            response = await send(client, session_id, invited_id, caller)
            assert (response.status_code, response.json()["code"]) == (404, "invitation_not_found")

    assert await admin.fetchval("select count(*) from emails") == 0


@pytest.mark.accept("FORM-47")
async def test_each_adult_gets_one_email(
    client: httpx.AsyncClient, database: Database, admin: Connection, guardian_session_id: UUID
) -> None:
    adult_session_id = await invite(database, guardian_session_id)

    codes = [
        (await send(client, guardian_session_id, adult_session_id, email=address)).json().get("code")
        for address in ("nia@example.com", "nia@example.com", "stranger@example.com")
    ]

    assert codes == [None, "invitation_already_sent", "invitation_already_sent"]
    assert await admin.fetchval("select array_agg(recipient) from emails") == ["nia@example.com"]


@pytest.mark.accept("FORM-47")
async def test_a_name_that_is_a_message_is_not_sent(
    client: httpx.AsyncClient, database: Database, admin: Connection, guardian_session_id: UUID
) -> None:
    adult_session_id = await invite(
        database, guardian_session_id, name="INVOICE 4411: call +1 888 555 0100 www.evil.example"
    )

    await send(client, guardian_session_id, adult_session_id)

    body = await admin.fetchval("select subject || body from emails")
    assert "River trip" in body
    assert "INVOICE" not in body
    assert "evil" not in body


async def send_to_new_adults(
    client: httpx.AsyncClient, database: Database, rosa: Person, count: int, **recipient: str
) -> list[str | None]:
    """Invites one adult with each of `count` waivers. Returns the code of each refusal, and None for a sent link."""
    codes = []
    for number in range(count):
        guardian_session_id = await open_session(database, rosa)
        to = recipient or {"email": f"nia{number}@example.com"}
        response = await send(client, guardian_session_id, await invite(database, guardian_session_id), **to)
        codes.append(response.json().get("code"))
    return codes


@pytest.mark.accept("FORM-47")
async def test_a_network_sends_only_a_few_links_in_a_day(
    client_with: ClientWith, database: Database, admin: Connection, rosa: Person
) -> None:
    async with client_with(MailLimits(invitations_per_network=2)) as client:
        codes = await send_to_new_adults(client, database, rosa, 3)
        codes += await send_to_new_adults(client, database, rosa, 1, phone="+41 79 123 45 67")

    assert codes == [None, None, "too_many_invitations", "too_many_invitations"]
    assert await admin.fetchval("select count(*) from emails") == 2
    assert await admin.fetchval("select count(*) from text_messages") == 0
    assert await admin.fetchval("select count(recipient_email) from waivers.sessions where invited_by is not null") == 2


@pytest.mark.accept("FORM-47")
async def test_guests_send_at_most_a_quarter_of_the_emails_of_a_company(
    client_with: ClientWith, database: Database, admin: Connection, rosa: Person
) -> None:
    async with client_with(MailLimits(per_day_without_plan=4)) as client:
        codes = await send_to_new_adults(client, database, rosa, 2)

    assert codes == [None, "too_many_invitations"]
    assert await admin.fetchval("select sent from messaging.sent_today where kind = 'sent'") == 1


@pytest.mark.accept("FORM-47")
async def test_the_limit_of_emails_to_one_address_also_counts_these_links(
    client_with: ClientWith, database: Database, admin: Connection, rosa: Person
) -> None:
    async with client_with(MailLimits(per_recipient=1)) as client:
        codes = await send_to_new_adults(client, database, rosa, 2, email="nia@example.com")

    assert codes == [None, "invitation_not_possible"]
    assert await admin.fetchval("select count(*) from emails") == 1


@pytest.mark.accept("FORM-47")
@pytest.mark.usefixtures("worker")
async def test_17b3_invitations_of_guests_do_not_use_up_the_plan(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person, guardian_session_id: UUID
) -> None:
    """Neither delivered nor failed invitations change the count, and they are sent even if the plan is used up."""
    await admin.execute("insert into billing.sendings_by_month values ($1, billing.this_month(), 1000)", rosa.company)
    adult_session_id = await invite(database, guardian_session_id)

    for recipient in ({"email": "nia@example.com"}, {"phone": "+41 79 123 45 67"}):
        assert (await send(client, guardian_session_id, adult_session_id, **recipient)).status_code == 202
    await wait_until_true(admin, "select status = 'delivered' from emails")
    await admin.execute("update emails set status = 'sending'")
    await admin.execute("update emails set status = 'failed'")

    assert await admin.fetchval("select array_agg(sent) from billing.sendings_by_month") == [1000]


@pytest.mark.accept("FORM-47")
async def test_17b3_guests_send_at_most_a_quarter_of_the_plan_in_a_month(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person, guardian_session_id: UUID
) -> None:
    adult_session_id = await invite(database, guardian_session_id)
    limit = Limit(f"invitations in a month of {rosa.company}", 250, timedelta(days=30))
    async with database.acting_as(SERVICE) as connection:
        assert [await take(connection, limit) for _ in range(250)] == [None] * 250

    response = await send(client, guardian_session_id, adult_session_id)

    assert (response.status_code, response.json()["code"]) == (429, "too_many_invitations")
    assert await admin.fetchval("select count(*) from emails") == 0


@pytest.mark.accept("FORM-47")
async def test_17l1_an_adult_whom_a_guest_invited_gets_no_scheduled_reminders(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person, guardian_session_id: UUID
) -> None:
    """A stranger may have entered the address. The company can still remind the adult itself."""
    adult_session_id = await invite(database, guardian_session_id)
    await send(client, guardian_session_id, adult_session_id)
    await admin.execute("update waivers.sessions set created_at = now() - interval '20 days'")
    queue = "select waivers.queue_reminders($1, $2, $3, now(), now(), 3)"

    assert await admin.fetchval(queue, rosa.company, [adult_session_id], True) == 0
    assert await admin.fetchval(queue, rosa.company, [adult_session_id], False) == 1


@pytest.mark.accept("FORM-48")
async def test_a_guest_does_not_learn_that_the_plan_of_the_company_is_used_up(
    client: httpx.AsyncClient, admin: Connection, rosa: Person, guardian_session_id: UUID
) -> None:
    """The company's account sends the link to a guardian, but a guest holds the device and reads the response."""
    await admin.execute("insert into billing.sendings_by_month values ($1, billing.this_month(), 1000)", rosa.company)

    for recipient in ({"email": "mum@example.com"}, {"phone": "+41 79 123 45 67"}):
        response = await send_to_guardian(client, guardian_session_id, **recipient)
        assert (response.status_code, response.json()["code"]) == (409, "invitation_not_possible")
        assert "plan" not in response.text

    assert await admin.fetchval("select count(*) from emails") == 0


@pytest.mark.accept("FORM-48")
@pytest.mark.usefixtures("worker")
async def test_the_company_sends_the_link_of_a_waiver_to_a_guardian(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    mail_server: MailServer,
    gateway: FakeService,
    rosa: Person,
    guardian_session_id: UUID,
) -> None:
    """The guest may have mistyped the address, so the company can send the link again."""
    addresses = ["mam@example.com", "mum@example.com"]
    for number, email in enumerate(addresses, start=1):
        assert (await send_to_guardian(client, guardian_session_id, email=email)).status_code == 202
        await wait_until_true(admin, f"select count(*) filter (where status = 'delivered') = {number} from emails")
    assert (await send_to_guardian(client, guardian_session_id, phone="+41 79 123 45 67")).status_code == 202
    await wait_until_true(admin, "select status = 'delivered' from text_messages")

    assert [email["To"] for email in mail_server.emails] == addresses
    assert f"https://waivers.example/waivers/sign/session/{guardian_session_id}" in plain_body(mail_server.emails[0])
    assert str(guardian_session_id) in gateway.requests[0].form["Body"]
    async with database.acting_as(rosa.principal) as connection:
        rows = await connection.fetch("select session_id, recipient_email from sent_waivers order by sent_at")
    assert [tuple(row) for row in rows] == [(guardian_session_id, address) for address in addresses]


@pytest.mark.accept("FORM-48")
async def test_a_waiver_sent_to_a_minor_keeps_their_address_when_it_is_sent_to_the_guardian(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await open_session(database, rosa)
    await admin.execute("update waivers.sessions set recipient_email = 'tom@example.com' where id = $1", session_id)

    assert (await send_to_guardian(client, session_id, email="mum@example.com")).status_code == 202

    assert await admin.fetchval("select recipient_email from waivers.sessions where id = $1", session_id) == (
        "tom@example.com"
    )
    assert await admin.fetchval("select array_agg(recipient_email) from sent_waivers") == ["mum@example.com"]


@pytest.mark.accept("FORM-48")
@pytest.mark.parametrize(
    ("caller", "status", "code"),
    [
        ("anon", 403, "only_companies_send"),
        ("gil", 403, "only_companies_send"),
        ("mallory", 404, "invitation_not_found"),
    ],
)
async def test_only_its_company_sends_the_link_of_a_waiver_to_a_guardian(
    client: httpx.AsyncClient, admin: Connection, guardian_session_id: UUID, caller: str, status: int, code: str
) -> None:
    for recipient in ({"email": "mum@example.com"}, {"phone": "+41 79 123 45 67"}):
        response = await send_to_guardian(client, guardian_session_id, caller, **recipient)
        assert (response.status_code, response.json()["code"]) == (status, code)

    assert await admin.fetchval("select count(*) from emails") == 0
    assert await admin.fetchval("select count(*) from text_messages") == 0


@pytest.mark.accept("FORM-48")
async def test_one_waiver_is_emailed_to_guardians_only_so_often(
    client: httpx.AsyncClient, admin: Connection, guardian_session_id: UUID
) -> None:
    await add_email_events(admin, guardian_session_id, MAX_EMAIL_EVENTS)

    response = await send_to_guardian(client, guardian_session_id, email="mum@example.com")

    assert (response.status_code, response.json()["code"]) == (409, "waiver_emailed_too_often")
    assert await admin.fetchval("select count(*) from emails") == 0


async def test_a_link_that_was_cancelled_is_not_sent(
    client: httpx.AsyncClient, database: Database, rosa: Person, guardian_session_id: UUID
) -> None:
    adult_session_id = await invite(database, guardian_session_id)
    await cancel(database, rosa, adult_session_id)

    assert (await send(client, guardian_session_id, adult_session_id)).json()["code"] == "invitation_not_found"


@pytest.mark.parametrize(
    ("recipient", "code"),
    [
        ({"email": "nia"}, "recipient_invalid"),
        ({"email": "a@example.com, b@example.com"}, "recipient_invalid"),
        ({"phone": "079 123"}, "number_invalid"),
        ({"email": "nia@example.com", "phone": "+41 79 123 45 67"}, "parameters_invalid"),
        ({"email": ""}, "parameters_invalid"),
    ],
)
async def test_a_recipient_that_cannot_be_used_is_refused_with_the_reason(
    client: httpx.AsyncClient, database: Database, admin: Connection, guardian_session_id: UUID,
    recipient: dict[str, str], code: str,
) -> None:  # fmt: skip
    response = await send(client, guardian_session_id, await invite(database, guardian_session_id), **recipient)

    assert (response.status_code, response.json()["code"]) == (400, code)
    assert await admin.fetchval("select count(*) from emails") == 0
