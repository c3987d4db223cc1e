"""A browser that lost its connection repeats `send-email` with the same idempotency key. No guest gets two emails."""

import asyncio
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.messaging import MailLimits, MessagingSettings
from tests.factories import make_session, record_sending
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.people import Person


@pytest_asyncio.fixture
async def session_id(database: Database, rosa: Person) -> UUID:
    """Returns the id of a session of Rosa's company that was recorded as sent."""
    session_id = await make_session(database, rosa)
    await record_sending(database, rosa, session_id)
    return session_id


async def emails_today(admin: Connection, person: Person) -> int | None:
    count: int | None = await admin.fetchval(
        "select sent from messaging.sent_today where company_id = $1 and kind = 'sent'", person.company
    )
    return count


@pytest.mark.accept("APP-41")
@pytest.mark.usefixtures("worker")
async def test_a_repeated_request_sends_nothing_and_returns_the_first_outcome(
    client: httpx.AsyncClient, admin: Connection, mail_server: MailServer, rosa: Person, session_id: UUID
) -> None:
    parameters = {"sessionId": str(session_id), "idempotencyKey": str(uuid4())}

    first = await send(client, "rosa", **parameters)
    second = await send(client, "rosa", **parameters)

    assert (first.status_code, first.json()["status"]) == (200, "delivered")
    assert second.json() == first.json()
    assert len(mail_server.emails) == 1
    assert await emails_today(admin, rosa) == 1


@pytest.mark.accept("APP-41")
@pytest.mark.usefixtures("worker")
async def test_requests_with_the_same_key_at_the_same_time_send_and_count_one_email(
    client: httpx.AsyncClient, admin: Connection, mail_server: MailServer, rosa: Person, session_id: UUID
) -> None:
    parameters = {"sessionId": str(session_id), "idempotencyKey": str(uuid4())}

    responses = await asyncio.gather(*(send(client, "rosa", **parameters) for _ in range(5)))

    assert {response.json()["status"] for response in responses} == {"delivered"}
    assert len({response.json()["id"] for response in responses}) == 1
    assert len(mail_server.emails) == 1
    assert await emails_today(admin, rosa) == 1


@pytest.mark.accept("APP-41")
@pytest.mark.usefixtures("worker")
async def test_the_reason_of_a_failure_is_returned_again_and_a_new_key_sends_again(
    client: httpx.AsyncClient, mail_server: MailServer, session_id: UUID
) -> None:
    mail_server.reply = "554 Not today"
    parameters = {"sessionId": str(session_id), "idempotencyKey": str(uuid4())}
    first = await send(client, "rosa", **parameters)
    mail_server.reply = "250 OK"

    second = await send(client, "rosa", **parameters)
    with_new_key = await send(client, "rosa", sessionId=str(session_id), idempotencyKey=str(uuid4()))

    assert (first.status_code, first.json()["code"]) == (502, "email_not_delivered")
    assert second.json() == first.json()
    assert with_new_key.json()["status"] == "delivered"
    assert len(mail_server.emails) == 1


@pytest.mark.accept("APP-41")
@pytest.mark.usefixtures("worker")
async def test_a_rival_with_the_same_key_gets_an_email_of_their_own(
    client: httpx.AsyncClient, mail_server: MailServer
) -> None:
    """The key of another company neither stops an email nor tells anything about that company."""
    key = str(uuid4())

    of_rosa = await send(client, "rosa", idempotencyKey=key)
    of_mallory = await send(client, "mallory", idempotencyKey=key, to="noor@example.com")

    assert of_mallory.json()["status"] == "delivered"
    assert of_mallory.json()["id"] != of_rosa.json()["id"]
    assert [email["To"] for email in mail_server.emails] == ["gil@example.com", "noor@example.com"]


async def test_a_key_must_be_a_uuid(client: httpx.AsyncClient) -> None:
    response = await send(client, "rosa", idempotencyKey="again")

    assert (response.status_code, response.json()["field"]) == (400, "idempotencyKey")


class TestWithADailyLimit:
    @pytest.fixture
    def messaging(self, mail_server: MailServer) -> MessagingSettings:
        return MessagingSettings(smtp=mail_server.settings, emails=MailLimits(per_day_without_plan=1))

    @pytest.mark.accept("APP-41")
    @pytest.mark.usefixtures("worker")
    async def test_a_repeated_request_is_not_refused_by_a_limit_that_was_reached_meanwhile(
        self, client: httpx.AsyncClient, session_id: UUID
    ) -> None:
        parameters = {"sessionId": str(session_id), "idempotencyKey": str(uuid4())}
        await send(client, "rosa", **parameters)

        repeated = await send(client, "rosa", **parameters)
        another = await send(client, "rosa", sessionId=str(session_id), idempotencyKey=str(uuid4()))

        assert repeated.json()["status"] == "delivered"
        assert (another.status_code, another.json()["code"]) == (429, "daily_limit_reached")
