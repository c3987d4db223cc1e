"""AL1: a company that has not confirmed its address cannot send a text of its own to strangers.

AL1, CL1 and CL2 are findings in docs/security.md.
"""

from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from cairn.db import SERVICE, Connection, Database, Principal
from cairn.waivers import DocumentContext
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.signer_copy import queue_copy
from tests.abuse.send_dialog import invitation
from tests.factories import make_session, make_template, sign
from tests.functions.test_send_email import send
from tests.mail_server import MailServer, html_body, plain_body
from tests.people import Person, confirm

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
    assert plain_body(email).startswith("Hi,\r\n")
    assert "INVOICE" not in whole_text(mail_server)
    assert "888 555" not in whole_text(mail_server)


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
    # The product adds the word Waiver to every name.
    assert email["Subject"] == "Please sign: Activity Waiver Waiver"
    assert plain_body(email).startswith("Hi,\r\n")
    assert "INVOICE" not in whole_text(mail_server)


@pytest.mark.usefixtures("worker")
async def test_al1_an_email_contains_the_name_of_a_sample_and_of_an_ordinary_guest(
    database: Database, mail_server: MailServer, sam: Person
) -> None:
    await make_session(database, sam)

    await remind(database, sam)

    email = await mail_server.first_email()
    assert email["Subject"] == "Reminder: please sign General Liability Waiver"
    assert "Hi Gil," in plain_body(email)
    assert "Sam's Trips is still waiting" in " ".join(plain_body(email).split())


@pytest.mark.usefixtures("worker")
async def test_al1_a_confirmed_company_chooses_the_names_of_its_templates(
    database: Database, mail_server: MailServer, sam: Person
) -> None:
    await confirm(database, sam)
    await make_session(database, sam, await make_template(database, sam, name="Trip 12345 on the river"))

    await remind(database, sam)

    assert (await mail_server.first_email())["Subject"] == "Reminder: please sign Trip 12345 on the river"


async def copy_for_signer(
    database: Database, documents: DocumentContext, session_id: UUID, **columns: Any
) -> asyncpg.Record:
    """Signs the waiver, and returns the queued email with the copy for the signer."""
    waiver = await sign(database, session_id, **columns)
    return await queued_copy(database, documents, waiver["id"])


async def queued_copy(database: Database, documents: DocumentContext, waiver_id: UUID) -> asyncpg.Record:
    async with database.acting_as(SERVICE) as connection:
        record = await signed_record(connection, waiver_id)
        assert record is not None
        await queue_copy(connection, record, documents)
        email = await connection.fetchrow(
            """
            select subject, body, attachment_type
              from public.emails where kind = 'copy' order by created_at desc limit 1
            """
        )
    assert email is not None
    return email


async def test_al1_the_copy_for_a_signer_does_not_contain_the_template_name_of_an_unconfirmed_company(
    database: Database, mailing_documents: DocumentContext, sam: Person
) -> None:
    """Sam signs a waiver of his own company with a stranger's address."""
    template_id = await make_template(database, sam, name=LURE)
    session_id = await make_session(database, sam, template_id)

    email = await copy_for_signer(database, mailing_documents, session_id, name=LURE, signer_email="victim@example.com")

    assert email["subject"] == "Your signed waiver: Activity Waiver"
    assert email["body"].startswith("Hi,\n")
    assert "INVOICE" not in email["body"]


async def test_al1_the_copy_for_a_signer_contains_the_names_of_a_sample_and_of_a_confirmed_company(
    database: Database, mailing_documents: DocumentContext, sam: Person
) -> None:
    of_sample = await copy_for_signer(database, mailing_documents, await make_session(database, sam))
    assert of_sample["subject"] == "Your signed waiver: General Liability Waiver"
    assert of_sample["body"].startswith("Hi Gil,")

    await confirm(database, sam)
    template_id = await make_template(database, sam, name="Trip 12345 on the river")
    of_template = await copy_for_signer(database, mailing_documents, await make_session(database, sam, template_id))

    assert of_template["subject"] == "Your signed waiver: Trip 12345 on the river"


async def rename_to_lure(database: Database, sam: Person) -> None:
    async with database.acting_as(sam.principal) as connection:
        await connection.execute("update companies set name = $1, sender_name = $1", LURE)


@pytest.mark.usefixtures("worker")
async def test_cl1_an_invitation_of_an_unconfirmed_company_has_a_neutral_sender_name(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, sam: Person
) -> None:
    await rename_to_lure(database, sam)
    session_id = await make_session(database, sam, email="victim@example.com")

    await send(client, "sam", to="victim@example.com", **invitation(session_id))

    email = await mail_server.first_email()
    assert email["From"].startswith("Waivers <")
    assert "INVOICE" not in whole_text(mail_server)


@pytest.mark.usefixtures("worker")
async def test_cl1_the_test_email_of_an_unconfirmed_company_has_a_neutral_sender_name(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, sam: Person
) -> None:
    await rename_to_lure(database, sam)

    await client.post("/send-test-email", json={}, headers={"Authorization": "Bearer sam"})

    email = await mail_server.first_email()
    assert email["From"].startswith("Waivers <")
    assert "INVOICE" not in whole_text(mail_server)


async def test_cl2_an_unconfirmed_company_cannot_send_a_document_with_its_own_text(
    client: httpx.AsyncClient, database: Database, admin: Connection, sam: Person
) -> None:
    template_id = await make_template(database, sam, content="Your account is locked. Pay today.")
    session_id = await make_session(database, sam, template_id)

    parameters = invitation(session_id, template_name="River trip")
    response = await send(client, "sam", attachmentType="pdf", **parameters)

    assert (response.status_code, response.json()["code"]) == (403, "pdf_needs_confirmed_address")
    assert response.json()["error"].endswith("Until then, send it as a link.")
    assert await admin.fetchval("select count(*) from emails") == 0
