"""If `send-email` gets a phone number, it also sends a text message. Both together count as one sent waiver."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.messaging import MessagingSettings
from tests.factories import make_session, record_sending
from tests.fake_service import FakeService, running_fake_service
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.people import Person
from tests.sms_gateway import PHONE, REJECTED_PHONE, messaging_settings, twilio_response

REJECTED_NUMBER_ERROR = "The SMS gateway answered 400: Invalid 'To' Phone Number"


@pytest_asyncio.fixture
async def gateway() -> AsyncIterator[FakeService]:
    async with running_fake_service(twilio_response) as service:
        yield service


@pytest.fixture
def messaging(mail_server: MailServer, gateway: FakeService) -> MessagingSettings:
    return messaging_settings(gateway, smtp=mail_server.settings)


async def make_sent_session(database: Database, rosa: Person) -> UUID:
    session_id = await make_session(database, rosa)
    await record_sending(database, rosa, session_id)
    return session_id


async def read_sendings(database: Database, person: Person) -> list[tuple[str | None, ...]]:
    async with database.acting_as(person.principal) as connection:
        rows = await connection.fetch("select recipient_phone, text_status, text_error, email_status from sent_waivers")
    return [tuple(row) for row in rows]


async def count_sent_waivers(admin: Connection, person: Person) -> int:
    sent_count: int | None = await admin.fetchval(
        "select sent from billing.sendings_by_month where company_id = $1", person.company
    )
    return sent_count or 0


@pytest.mark.usefixtures("worker")
async def test_the_link_is_also_sent_to_the_phone_and_the_waiver_counts_once(
    client: httpx.AsyncClient, database: Database, admin: Connection, gateway: FakeService, mail_server: MailServer,
    rosa: Person, mallory: Person,
) -> None:  # fmt: skip
    session_id = await make_sent_session(database, rosa)

    response = await send(client, "rosa", sessionId=str(session_id), phone="+41 79 123 45 67")

    assert (response.status_code, response.json()["status"]) == (200, "delivered")
    assert response.json()["text"] == {"status": "delivered", "error": None}
    [request] = gateway.requests
    assert request.form["To"] == f"+{PHONE}"
    assert request.form["Body"] == (
        "Rio Rafting: please sign your waiver before your activity "
        f"https://waivers.example/waivers/sign/session/{session_id}"
    )
    assert len(mail_server.emails) == 1
    assert await read_sendings(database, rosa) == [(f"+{PHONE}", "delivered", None, "delivered")]
    assert await read_sendings(database, mallory) == []
    assert await count_sent_waivers(admin, rosa) == 1
    assert await admin.fetchval("select body from text_messages") == "", (
        "the body is deleted, because the link grants access"
    )


@pytest.mark.usefixtures("worker")
async def test_a_repeated_request_sends_no_second_text_and_reports_the_first_one(
    client: httpx.AsyncClient, database: Database, admin: Connection, gateway: FakeService, rosa: Person
) -> None:
    session_id = await make_sent_session(database, rosa)
    parameters = {"sessionId": str(session_id), "phone": f"+{PHONE}", "idempotencyKey": str(uuid4())}
    first = await send(client, "rosa", **parameters)
    # Within a minute, a second click never sends a second text, even without a key. So the first text is made older.
    await admin.execute("update text_messages set created_at = created_at - interval '2 minutes'")

    second = await send(client, "rosa", **parameters)

    assert second.json() == first.json()
    assert second.json()["text"] == {"status": "delivered", "error": None}
    assert len(gateway.requests) == 1


@pytest.mark.usefixtures("worker")
async def test_a_refused_number_is_reported_and_the_email_is_still_sent(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_sent_session(database, rosa)

    response = await send(client, "rosa", sessionId=str(session_id), phone=f"+{REJECTED_PHONE}")

    assert (response.status_code, response.json()["status"]) == (200, "delivered")
    assert response.json()["text"] == {"status": "failed", "error": REJECTED_NUMBER_ERROR}
    assert await read_sendings(database, rosa) == [(f"+{REJECTED_PHONE}", "failed", REJECTED_NUMBER_ERROR, "delivered")]
    assert await count_sent_waivers(admin, rosa) == 1


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("phone", "text", "sent_count"),
    [
        (PHONE, {"status": "delivered", "error": None}, 1),
        (REJECTED_PHONE, {"status": "failed", "error": REJECTED_NUMBER_ERROR}, 0),
    ],
)
async def test_a_waiver_with_a_refused_email_counts_if_the_text_was_delivered(
    client: httpx.AsyncClient, database: Database, admin: Connection, mail_server: MailServer, rosa: Person,
    phone: str, text: dict[str, str | None], sent_count: int,
) -> None:  # fmt: skip
    mail_server.reply = "550 No such person"
    session_id = await make_sent_session(database, rosa)

    response = await send(client, "rosa", sessionId=str(session_id), phone=f"+{phone}")

    assert response.status_code == 502
    assert response.json()["text"] == text
    assert await count_sent_waivers(admin, rosa) == sent_count


async def test_neither_email_nor_text_is_sent_if_the_limit_of_the_plan_is_reached(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    await admin.execute("insert into billing.sendings_by_month values ($1, billing.this_month(), 1000)", rosa.company)
    session_id = await make_sent_session(database, rosa)

    response = await send(client, "rosa", sessionId=str(session_id), phone=f"+{PHONE}")

    assert (response.status_code, response.json()["code"]) == (402, "plan_limit_reached")
    assert await admin.fetchval("select count(*) from text_messages") == 0


@pytest.mark.usefixtures("worker")
async def test_a_double_click_sends_one_text(
    client: httpx.AsyncClient, database: Database, gateway: FakeService, rosa: Person
) -> None:
    session_id = await make_sent_session(database, rosa)

    responses = await asyncio.gather(
        *(send(client, "rosa", sessionId=str(session_id), phone=f"+{PHONE}") for _ in range(2))
    )

    assert [response.json()["text"]["status"] for response in responses] == ["delivered", "delivered"]
    assert len(gateway.requests) == 1


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"phone": "079 123 45 67"}, "number_invalid"),
        ({"phone": "+41 79"}, "number_invalid"),
        ({"phone": "+41791234567", "sessionId": None}, "text_needs_session"),
        ({"phone": "+" + "1" * 50}, "email_parameters_invalid"),
    ],
)
async def test_nothing_is_sent_if_the_number_is_invalid_or_the_session_is_missing(
    client: httpx.AsyncClient, database: Database, rosa: Person, parameters: dict[str, str | None], code: str
) -> None:
    session_id = await make_session(database, rosa)

    response = await send(client, "rosa", **{"sessionId": str(session_id), **parameters})

    assert (response.status_code, response.json()["code"]) == (400, code)
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetch("select id from emails") == []


async def call_text_messages(client: httpx.AsyncClient) -> object:
    response = await client.post("/text-messages", headers={"Authorization": "Bearer rosa"})
    return response.json()


async def test_texts_are_offered_if_there_is_a_gateway(client: httpx.AsyncClient) -> None:
    assert await call_text_messages(client) == {"offered": True}


class TestWithoutAGateway:
    @pytest.fixture
    def messaging(self, mail_server: MailServer) -> MessagingSettings:
        return MessagingSettings(smtp=mail_server.settings)

    async def test_texts_are_neither_offered_nor_sent(
        self, client: httpx.AsyncClient, database: Database, rosa: Person
    ) -> None:
        session_id = await make_session(database, rosa)

        response = await send(client, "rosa", sessionId=str(session_id), phone=f"+{PHONE}")

        assert await call_text_messages(client) == {"offered": False}
        assert (response.status_code, response.json()["code"]) == (400, "texts_not_offered")
        async with database.acting_as(rosa.principal) as connection:
            assert await connection.fetch("select id from emails") == []
