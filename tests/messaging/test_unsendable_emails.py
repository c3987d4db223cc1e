"""An email that cannot be sent as it was promised is not sent at all, and its company sees why."""

from datetime import timedelta
from uuid import uuid4

from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.messaging import MessagingSettings, add_email
from cairn.messaging.send_email import TOO_LATE, send_email
from cairn.waivers import DocumentContext
from tests.mail_server import running_mail_server
from tests.messaging.test_emails import make_email
from tests.people import Person
from tests.running_worker import mail_sender

STATUS = "select status, error from emails"


async def test_an_email_is_not_sent_without_its_attachment(
    database: Database, admin: Connection, documents: DocumentContext, rosa: Person
) -> None:
    email, missing_document = make_email(), ("waiver-document", uuid4())
    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, email, company_id=rosa.company, attachment_type="pdf", attachment=missing_document)

    async with running_mail_server() as mail_server:
        sender = mail_sender(database, documents, MessagingSettings(smtp=mail_server.settings))
        await send_email(sender, email.id, last_try=True)

    assert mail_server.emails == []
    [row] = await admin.fetch(STATUS)
    assert row["status"] == "failed"
    assert row["error"]


async def test_an_email_is_not_sent_after_its_latest_time(
    database: Database, admin: Connection, documents: DocumentContext, rosa: Person
) -> None:
    email = make_email()
    async with database.acting_as(SERVICE) as connection:
        await add_email(
            connection, email, company_id=rosa.company, kind="reminder", not_after=now() - timedelta(seconds=1)
        )

    async with running_mail_server() as mail_server:
        sender = mail_sender(database, documents, MessagingSettings(smtp=mail_server.settings))
        await send_email(sender, email.id, last_try=False)

    assert mail_server.emails == []
    assert [tuple(row) for row in await admin.fetch(STATUS)] == [("failed", TOO_LATE)]
