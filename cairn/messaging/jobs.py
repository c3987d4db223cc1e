"""Defines the jobs that send emails and text messages after a commit."""

from typing import Any
from uuid import UUID

from cairn.jobs import MESSAGES_QUEUE, Job
from cairn.messaging.send_email import send_email
from cairn.messaging.send_text import send_text
from cairn.messaging.sender import MailSender
from cairn.messaging.settings import MessagingSettings
from cairn.messaging.sms import SmsGateway, TwilioGateway


def jobs(sender: MailSender) -> list[Job]:
    async def run_send_email(payload: dict[str, Any], last_try: bool) -> None:
        await send_email(sender, UUID(payload["email_id"]), last_try=last_try)

    async def run_send_text(payload: dict[str, Any], last_try: bool) -> None:
        gateway = choose_sms_gateway(sender.settings)
        await send_text(sender.database, gateway, UUID(payload["text_message_id"]), last_try=last_try)

    # There are only a few quick tries, because the user who pressed Send is waiting for the outcome.
    return [
        Job("messaging.send_email", on="email.requested", run=run_send_email, max_tries=3, queue=MESSAGES_QUEUE),
        Job("messaging.send_text", on="text_message.requested", run=run_send_text, max_tries=3, queue=MESSAGES_QUEUE),
    ]


def choose_sms_gateway(settings: MessagingSettings) -> SmsGateway | None:
    return TwilioGateway(settings.twilio) if settings.offers_texts else None
