"""A text message beside the mail: who may, what it says, what the answer tells, and that it is counted once."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from tests.cast import Person
from tests.fake_service import FakeService, running_fake_service
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.make import make_session
from tests.running_worker import worker_running
from tests.sms_gateway import PHONE, REFUSED_PHONE, messaging_settings, twilio_response


@pytest_asyncio.fixture
async def gateway() -> AsyncIterator[FakeService]:
    async with running_fake_service(twilio_response) as opened:
        yield opened


@pytest.fixture
def messaging(office: MailServer, gateway: FakeService) -> MessagingSettings:
    return messaging_settings(gateway, smtp=office.settings)


@pytest_asyncio.fixture
async def at_work(
    database: Database, login_url: str, notifier: OutboxNotifier, messaging: MessagingSettings
) -> AsyncIterator[None]:
    async with worker_running(database, login_url, notifier, mail=messaging):
        yield


async def record(database: Database, rosa: Person) -> UUID:
    session_id = await make_session(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            """
            insert into sent_waivers (session_id, template_id, template_name, template_content, recipient_name,
                                      recipient_email)
            values ($1, 't', 'River trip', '', 'Gil', 'gil@example.com')
            """,
            session_id,
        )
    return session_id


async def sending(database: Database, person: Person) -> list[tuple[str | None, ...]]:
    async with database.acting_as(person.principal) as connection:
        rows = await connection.fetch("select recipient_phone, text_status, text_error, email_status from sent_waivers")
    return [tuple(row) for row in rows]


async def counted(admin: Connection, person: Person) -> int:
    number: int | None = await admin.fetchval(
        "select sent from billing.sendings_by_month where company_id = $1", person.company
    )
    return number or 0


@pytest.mark.usefixtures("at_work")
async def test_the_link_goes_to_the_phone_beside_the_mail_and_counts_once(
    client: httpx.AsyncClient, database: Database, admin: Connection, gateway: FakeService, office: MailServer,
    rosa: Person, mallory: Person,
) -> None:  # fmt: skip
    session_id = await record(database, rosa)

    answer = await send(client, "rosa", sessionId=str(session_id), phone="+41 79 123 45 67")

    assert (answer.status_code, answer.json()["status"]) == (200, "delivered")
    assert answer.json()["text"] == {"status": "delivered", "error": None}
    [asked] = gateway.requests
    assert asked.form["To"] == f"+{PHONE}"
    assert asked.form["Body"] == (
        "Rio Rafting: please sign your waiver before your activity "
        f"https://waivers.example/waivers/sign/session/{session_id}"
    )
    assert len(office.emails) == 1
    assert await sending(database, rosa) == [(f"+{PHONE}", "delivered", None, "delivered")]
    assert await sending(database, mallory) == []
    assert await counted(admin, rosa) == 1
    assert await admin.fetchval("select body from text_messages") == "", "the link is forgotten here"


@pytest.mark.usefixtures("at_work")
async def test_a_refused_number_is_told_and_the_mail_goes_out(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await record(database, rosa)

    answer = await send(client, "rosa", sessionId=str(session_id), phone=f"+{REFUSED_PHONE}")

    reason = "The SMS gateway answered 400: Invalid 'To' Phone Number"
    assert (answer.status_code, answer.json()["status"]) == (200, "delivered")
    assert answer.json()["text"] == {"status": "failed", "error": reason}
    assert await sending(database, rosa) == [(f"+{REFUSED_PHONE}", "failed", reason, "delivered")]
    assert await counted(admin, rosa) == 1


@pytest.mark.usefixtures("at_work")
async def test_a_refused_mail_says_that_the_text_went_out_and_the_waiver_counts(
    client: httpx.AsyncClient, database: Database, admin: Connection, office: MailServer, rosa: Person
) -> None:
    office.answer = "550 No such person"
    session_id = await record(database, rosa)

    answer = await send(client, "rosa", sessionId=str(session_id), phone=f"+{PHONE}")

    assert answer.status_code == 502
    assert answer.json()["text"] == {"status": "delivered", "error": None}
    assert await counted(admin, rosa) == 1


@pytest.mark.usefixtures("at_work")
async def test_what_reached_nobody_does_not_count(
    client: httpx.AsyncClient, database: Database, admin: Connection, office: MailServer, rosa: Person
) -> None:
    office.answer = "550 No such person"
    session_id = await record(database, rosa)

    await send(client, "rosa", sessionId=str(session_id), phone=f"+{REFUSED_PHONE}")

    assert await counted(admin, rosa) == 0


async def test_over_the_plans_limit_neither_goes_out(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    await admin.execute("insert into billing.sendings_by_month values ($1, billing.this_month(), 1000)", rosa.company)
    session_id = await record(database, rosa)

    answer = await send(client, "rosa", sessionId=str(session_id), phone=f"+{PHONE}")

    assert (answer.status_code, answer.json()["code"]) == (402, "plan_limit_reached")
    assert await admin.fetchval("select count(*) from text_messages") == 0


@pytest.mark.usefixtures("at_work")
async def test_a_double_press_texts_once(
    client: httpx.AsyncClient, database: Database, gateway: FakeService, rosa: Person
) -> None:
    session_id = await record(database, rosa)

    answers = await asyncio.gather(
        *(send(client, "rosa", sessionId=str(session_id), phone=f"+{PHONE}") for _ in range(2))
    )

    assert [answer.json()["text"]["status"] for answer in answers] == ["delivered", "delivered"]
    assert len(gateway.requests) == 1


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"phone": "079 123 45 67"}, "number_invalid"),
        ({"phone": "+41 79"}, "number_invalid"),
        ({"phone": "+41791234567", "sessionId": None}, "text_needs_session"),
        ({"phone": "+" + "1" * 50}, "email_parameters_invalid"),
    ],
)
async def test_a_number_that_cannot_be_used_sends_nothing_at_all(
    client: httpx.AsyncClient, database: Database, rosa: Person, asked: dict[str, str | None], code: str
) -> None:
    session_id = await make_session(database, rosa)

    answer = await send(client, "rosa", **{"sessionId": str(session_id), **asked})

    assert (answer.status_code, answer.json()["code"]) == (400, code)
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetch("select id from emails") == []


async def offered(client: httpx.AsyncClient) -> object:
    answer = await client.post("/text-messages", headers={"Authorization": "Bearer rosa"})
    return answer.json()


async def test_whoever_asks_learns_that_there_is_a_gateway(client: httpx.AsyncClient) -> None:
    assert await offered(client) == {"offered": True}


class TestWithoutAGateway:
    @pytest.fixture
    def messaging(self, office: MailServer) -> MessagingSettings:
        return MessagingSettings(smtp=office.settings)

    async def test_it_is_not_offered_and_whoever_asks_all_the_same_is_refused(
        self, client: httpx.AsyncClient, database: Database, rosa: Person
    ) -> None:
        session_id = await make_session(database, rosa)

        answer = await send(client, "rosa", sessionId=str(session_id), phone=f"+{PHONE}")

        assert await offered(client) == {"offered": False}
        assert (answer.status_code, answer.json()["code"]) == (400, "texts_not_offered")
        async with database.acting_as(rosa.principal) as connection:
            assert await connection.fetch("select id from emails") == []
