"""AL1: a company that has not confirmed its address cannot send a text of its own to strangers."""

import httpx
import pytest

from cairn.db import Database, Principal
from tests.abuse.send_dialog import invitation
from tests.cast import Person, confirm
from tests.factories import make_session, make_template
from tests.functions.test_send_email import send
from tests.mail_server import MailServer, html_body, plain_body

LURE = "INVOICE 4411: payment overdue, call +1 888 555 0100"


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

    parameters = invitation(session_id, template_name=LURE, recipient_name=LURE)
    response = await send(client, "sam", to="victim@example.com", **parameters)

    assert response.status_code in (200, 202), response.text
    email = await mail_server.first_email()
    assert email["Subject"] == "Please sign: Activity Waiver Waiver"
    assert "Hello guest," in plain_body(email)
    assert "INVOICE" not in whole_text(mail_server)


@pytest.mark.usefixtures("worker")
async def test_al1_an_email_contains_the_name_of_a_sample_and_of_an_ordinary_guest(
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
