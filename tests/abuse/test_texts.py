"""G3: text messages, which cost money, are limited whatever the mail provider is and whatever is erased.

G3 is a finding in docs/security.md.
"""

import httpx
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings, TextLimits
from cairn.waivers import DocumentContext
from tests.abuse.test_mail_per_network import make_companies
from tests.factories import make_session, sign
from tests.fake_service import FakeService
from tests.functions.test_send_email import send
from tests.functions_service import functions_client, make_functions_context
from tests.messaging.test_text_guests import outcome, queue, text_to
from tests.people import Person
from tests.sms_gateway import PHONE, messaging_settings, twilio_response
from tests.waivers.acts import erase

pytestmark = pytest.mark.usefixtures("return_before_the_email_is_sent")


async def use_local_mail_provider(database: Database, person: Person) -> None:
    """With this provider no email leaves the server."""
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "insert into messaging.configurations (company_id, provider) values ($1, 'mock')", person.company
        )


async def text_guest(client: httpx.AsyncClient, database: Database, person: Person, phone: str) -> dict[str, str]:
    session_id = await make_session(database, person)
    response = await send(client, person.email, sessionId=str(session_id), phone=f"+{phone}")
    text: dict[str, str] = response.json()["text"]
    return text


async def test_g3_a_company_without_a_confirmed_address_sends_no_texts(
    database: Database, admin: Connection, notifier: OutboxNotifier, documents: DocumentContext
) -> None:
    """Before this check, 50 accounts whose emails stay on the server could use up the 5,000 texts of all companies."""
    unconfirmed = (await make_companies(database, 1, is_confirmed=False))[0]
    await use_local_mail_provider(database, unconfirmed)
    settings = messaging_settings(FakeService(twilio_response, url="http://127.0.0.1:9"))
    context = make_functions_context(database, notifier, documents, messaging=settings)
    async with functions_client(context, {unconfirmed.email: unconfirmed.principal}) as client:
        text = await text_guest(client, database, unconfirmed, PHONE)

    assert text["status"] == "failed"
    assert text["error"].startswith("Text messages can be sent after you have confirmed your email address.")
    assert await admin.fetchval("select count(*) from text_messages where status = 'sending'") == 0


async def test_g3_all_companies_in_one_network_share_a_limit_of_texts(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext
) -> None:
    companies = await make_companies(database, 3, is_confirmed=True)
    gateway = messaging_settings(FakeService(twilio_response, url="http://127.0.0.1:9"))
    settings = MessagingSettings(twilio=gateway.twilio, texts=TextLimits(per_network=4))
    context = make_functions_context(database, notifier, documents, messaging=settings)
    async with functions_client(context, {person.email: person.principal for person in companies}) as client:
        texts = [
            await text_guest(client, database, person, f"4179123{number}{index}67")
            for number in range(2)
            for index, person in enumerate(companies)
        ]

    assert [text["status"] for text in texts] == ["sending"] * 4 + ["failed"] * 2
    assert texts[-1]["error"].startswith("Too many text messages were sent from your network today.")


async def test_g3_erasing_a_waiver_does_not_allow_another_text(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """Otherwise a company could text one phone without end by erasing the waiver after each text."""
    limits = TextLimits(per_number=2)
    statuses = []
    for _ in range(3):
        session_id = await make_session(database, rosa)
        statuses.append((await outcome(database, await queue(database, text_to(rosa, session_id), limits)))[0])
        await erase(database, rosa, (await sign(database, session_id))["id"])

    assert statuses == ["sending", "sending", "failed"]
    assert await admin.fetchval("select count(*) from text_messages where recipient like '%' || $1", PHONE) == 0
