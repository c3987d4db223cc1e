"""AL1: a company that has not confirmed its address writes no text of its own to strangers (second attack L1)."""

from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from cairn.db import Database, Principal
from tests.cast import Person, confirm, sign_up
from tests.factories import make_session, make_template
from tests.functions.test_send_email import send
from tests.mail_server import MailServer, html_body, plain_body

LURE = "INVOICE 4411: payment overdue, call +1 888 555 0100"


@pytest_asyncio.fixture
async def sam(database: Database) -> Person:
    return await sign_up(database, "sam@stranger.example", "Sam Stranger", company="Sam's Trips", is_confirmed=False)


@pytest.fixture
def people(sam: Person) -> dict[str, Principal]:
    return {"sam": sam.principal}


async def remind(database: Database, person: Person) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.fetchval("select send_reminders()")


def whole_text(mail_server: MailServer) -> str:
    return "".join(str(mail["Subject"]) + plain_body(mail) + html_body(mail) for mail in mail_server.emails)


@pytest.mark.usefixtures("worker")
async def test_al1_a_reminder_of_an_unconfirmed_company_does_not_contain_its_template_name(
    database: Database, mail_server: MailServer, sam: Person
) -> None:
    template_id = await make_template(database, sam, name=LURE)
    await make_session(database, sam, template_id, name=LURE, email="victim@example.com")

    await remind(database, sam)

    email = await mail_server.first_email()
    assert email["Subject"] == "Reminder: please sign Activity Waiver"
    assert plain_body(email).startswith("Hello,")
    assert "INVOICE" not in whole_text(mail_server)
    assert "888" not in whole_text(mail_server)


@pytest.mark.usefixtures("worker")
async def test_al1_an_invitation_of_an_unconfirmed_company_does_not_contain_its_template_name(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, sam: Person
) -> None:
    template_id = await make_template(database, sam, name=LURE)
    session_id = await make_session(database, sam, template_id, name=LURE, email="victim@example.com")

    response = await send(client, "sam", to="victim@example.com", **dialog_text(session_id, LURE, LURE))

    assert response.status_code in (200, 202), response.text
    email = await mail_server.first_email()
    assert email["Subject"] == "Please sign: Activity Waiver Waiver"
    assert "Hello guest," in plain_body(email)
    assert "INVOICE" not in whole_text(mail_server)


def dialog_text(session_id: UUID, template_name: str, recipient_name: str) -> dict[str, str]:
    body = [
        f"Hello {recipient_name},",
        f'Please read and sign the waiver "{template_name}" before your activity. You can do it on any device:',
        f"http://127.0.0.1:8000/waivers/sign/session/{session_id}",
        "You do not need an account.",
    ]
    subject = f"Please sign: {template_name} Waiver"
    return {"sessionId": str(session_id), "subject": subject, "body": "\n\n".join(body)}


@pytest.mark.usefixtures("worker")
async def test_al1_the_name_of_a_sample_and_an_ordinary_guest_stay(
    database: Database, mail_server: MailServer, sam: Person
) -> None:
    await make_session(database, sam)

    await remind(database, sam)

    email = await mail_server.first_email()
    assert email["Subject"] == "Reminder: please sign General Liability Waiver"
    assert "Hello Gil Okafor," in plain_body(email)
    assert "Sam's Trips is still waiting" in " ".join(plain_body(email).split())


@pytest.mark.usefixtures("worker")
async def test_al1_a_confirmed_company_chooses_the_names_of_its_templates(
    database: Database, mail_server: MailServer, sam: Person
) -> None:
    await confirm(database, sam)
    await make_session(database, sam, await make_template(database, sam, name="Trip 12345 on the river"))

    await remind(database, sam)

    assert (await mail_server.first_email())["Subject"] == "Reminder: please sign Trip 12345 on the river"
