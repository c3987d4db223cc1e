"""What messaging does after a commit."""

from typing import Any
from uuid import UUID

from cairn.db import Database
from cairn.jobs import Job
from cairn.messaging.email import Mailer
from cairn.messaging.mailbox import MailboxMailer
from cairn.messaging.send import AttachmentSources, send_email, send_text
from cairn.messaging.settings import MessagingSettings
from cairn.messaging.sms import Texter, TwilioTexter
from cairn.messaging.smtp import SmtpMailer


def jobs(database: Database, settings: MessagingSettings, sources: AttachmentSources) -> list[Job]:
    mailer = choose_mailer(settings)

    async def send(facts: dict[str, Any], last_try: bool) -> None:
        await send_email(database, mailer, sources, UUID(facts["email_id"]), last_try=last_try)

    async def text(facts: dict[str, Any], last_try: bool) -> None:
        await send_text(database, choose_texter(settings), UUID(facts["text_message_id"]), last_try=last_try)

    # Few and quick tries: whoever pressed Send is waiting to hear what became of it.
    return [
        Job("messaging.send_email", on="email.requested", run=send, tries=3),
        Job("messaging.send_text", on="text_message.requested", run=text, tries=3),
    ]


def choose_mailer(settings: MessagingSettings) -> Mailer:
    if settings.smtp is None:
        return MailboxMailer()
    return SmtpMailer(settings.smtp, settings.sender)


def choose_texter(settings: MessagingSettings) -> Texter | None:
    return TwilioTexter(settings.twilio) if settings.twilio.is_complete else None
