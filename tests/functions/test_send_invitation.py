"""`send-invitation` sends an adult the link of their own waiver. A stranger cannot use it to send messages at will."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection, Database, Principal
from cairn.jobs import OutboxNotifier
from cairn.messaging import MailLimits, MessagingSettings
from cairn.waivers import DocumentContext
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
async def guardian_id(database: Database, rosa: Person) -> UUID:
    return await open_session(database, rosa)


async def send(
    client: httpx.AsyncClient, guardian_id: UUID, adult_id: UUID, caller: str = "anon", **recipient: str
) -> httpx.Response:
    recipient = recipient or {"email": "nia@example.com"}
    parameters = {"session_id": str(guardian_id), "invited_session_id": str(adult_id), **recipient}
    return await call(client, caller, "send-invitation", parameters)


@pytest.mark.accept("FORM-46")
@pytest.mark.usefixtures("worker")
async def test_the_link_is_emailed_with_our_own_text_and_the_company_sees_it(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    mail_server: MailServer,
    rosa: Person,
    mallory: Person,
    guardian_id: UUID,
) -> None:
    adult_id = await invite(database, guardian_id)

    response = await send(client, guardian_id, adult_id, email=" nia@example.com ")

    assert (response.status_code, response.json()) == (202, {"status": "sending"})
    await wait_until_true(admin, "select status = 'delivered' from emails")
    [email] = mail_server.emails
    assert (email["To"], email["Subject"]) == ("nia@example.com", "Please sign: River trip Waiver")
    assert email["From"].startswith("Rio Rafting")
    assert plain_body(email).replace("\r\n", "\n").strip() == (
        'Hi Nia,\n\nPlease read and sign the waiver "River trip" before your activity. You can do it on any device:'
        f"\n\nhttps://waivers.example/waivers/sign/session/{adult_id}\n\nYou do not need an account."
    )
    sendings = "select array_agg(recipient_email || ' ' || email_status) from sent_waivers"
    for person, seen in ((rosa, ["nia@example.com delivered"]), (mallory, None)):
        async with database.acting_as(person.principal) as connection:
            assert await connection.fetchval(sendings) == seen
    assert [name for name, _ in await history(database, rosa, adult_id)] == [
        "session.opened", "adult.invited", "email.requested", "email.accepted",
    ]  # fmt: skip
    assert await count_sent_waivers(admin, rosa) == 1


@pytest.mark.accept("FORM-46")
@pytest.mark.usefixtures("worker")
async def test_the_link_is_texted(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    gateway: FakeService,
    mail_server: MailServer,
    guardian_id: UUID,
) -> None:
    adult_id = await invite(database, guardian_id)

    responses = [await send(client, guardian_id, adult_id, phone="+41 79 123 45 67") for _ in range(2)]

    assert [response.status_code for response in responses] == [202, 409]
    await wait_until_true(admin, "select status = 'delivered' from text_messages")
    [request] = gateway.requests
    assert request.form["To"] == f"+{PHONE}"
    assert request.form["Body"] == (
        f"Rio Rafting: please sign your waiver before your activity https://waivers.example/waivers/sign/session/{adult_id}"
    )
    assert mail_server.emails == []


@pytest.mark.accept("FORM-47")
async def test_only_the_guest_who_invited_the_adult_can_send_the_link(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person, guardian_id: UUID
) -> None:
    adult_id = await invite(database, guardian_id)
    other_id = await open_session(database, rosa)

    for session_id, invited_id in (
        (other_id, adult_id),
        (adult_id, adult_id),
        (guardian_id, other_id),
        (uuid4(), uuid4()),
    ):
        for caller in ("anon", "mallory", "gil"):
            response = await send(client, session_id, invited_id, caller)
            assert (response.status_code, response.json()["code"]) == (404, "invitation_not_found")

    assert await admin.fetchval("select count(*) from emails") == 0


@pytest.mark.accept("FORM-47")
async def test_each_adult_gets_one_email(
    client: httpx.AsyncClient, database: Database, admin: Connection, guardian_id: UUID
) -> None:
    adult_id = await invite(database, guardian_id)

    codes = [
        (await send(client, guardian_id, adult_id, email=address)).json().get("code")
        for address in ("nia@example.com", "nia@example.com", "stranger@example.com")
    ]

    assert codes == [None, "invitation_already_sent", "invitation_already_sent"]
    assert await admin.fetchval("select array_agg(recipient) from emails") == ["nia@example.com"]


@pytest.mark.accept("FORM-47")
async def test_a_name_that_is_a_message_is_not_sent(
    client: httpx.AsyncClient, database: Database, admin: Connection, guardian_id: UUID
) -> None:
    adult_id = await invite(database, guardian_id, name="INVOICE 4411: call +1 888 555 0100 www.evil.example")

    await send(client, guardian_id, adult_id)

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
        guardian_id = await open_session(database, rosa)
        to = recipient or {"email": f"nia{number}@example.com"}
        response = await send(client, guardian_id, await invite(database, guardian_id), **to)
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
async def test_a_guest_does_not_learn_that_the_plan_of_the_company_is_used_up(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person, guardian_id: UUID
) -> None:
    await admin.execute(
        "insert into billing.sendings_by_month values ($1, billing.this_month(), 1000000)", rosa.company
    )
    adult_id = await invite(database, guardian_id)

    for recipient in ({"email": "nia@example.com"}, {"phone": "+41 79 123 45 67"}):
        response = await send(client, guardian_id, adult_id, **recipient)
        assert (response.status_code, response.json()["code"]) == (409, "invitation_not_possible")
        assert "plan" not in response.text

    assert await admin.fetchval("select count(*) from emails") == 0
    assert await admin.fetchval("select recipient_email from waivers.sessions where id = $1", adult_id) is None


async def test_a_link_that_was_cancelled_is_not_sent(
    client: httpx.AsyncClient, database: Database, rosa: Person, guardian_id: UUID
) -> None:
    adult_id = await invite(database, guardian_id)
    await cancel(database, rosa, adult_id)

    assert (await send(client, guardian_id, adult_id)).json()["code"] == "invitation_not_found"


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
    client: httpx.AsyncClient, database: Database, admin: Connection, guardian_id: UUID,
    recipient: dict[str, str], code: str,
) -> None:  # fmt: skip
    response = await send(client, guardian_id, await invite(database, guardian_id), **recipient)

    assert (response.status_code, response.json()["code"]) == (400, code)
    assert await admin.fetchval("select count(*) from emails") == 0
