"""Defines the jobs that send emails and text messages after a commit."""

from typing import Any
from uuid import UUID

from cairn.jobs import Job, Queue
from cairn.messaging.queues import ENDPOINTS_QUEUE, MESSAGES_QUEUE, PROVIDERS_QUEUE, SIGN_IN_QUEUE
from cairn.messaging.send_email import send_email
from cairn.messaging.send_text import send_text
from cairn.messaging.sender import MailSender
from cairn.messaging.settings import MessagingSettings
from cairn.messaging.sms import SmsGateway, TwilioGateway

# There are only a few quick tries, because the user who pressed Send is waiting for the outcome.
_MAX_TRIES = 3


def jobs(sender: MailSender) -> list[Job]:
    async def run_send_text(payload: dict[str, Any], last_try: bool) -> None:
        gateway = choose_sms_gateway(sender.settings)
        await send_text(sender.database, gateway, UUID(payload["text_message_id"]), last_try=last_try)

    def email_job(name: str, event: str, queue: Queue) -> Job:
        async def run(payload: dict[str, Any], last_try: bool) -> None:
            await send_email(sender, UUID(payload["email_id"]), last_try=last_try, queue=queue)

        return Job(name, on=event, run=run, max_tries=_MAX_TRIES, queue=queue)

    def text_job(name: str, event: str, queue: Queue) -> Job:
        return Job(name, on=event, run=run_send_text, max_tries=_MAX_TRIES, queue=queue)

    return [
        email_job("messaging.send_email", "email.requested", MESSAGES_QUEUE),
        email_job("messaging.send_sign_in_email", "sign_in_email.requested", SIGN_IN_QUEUE),
        email_job("messaging.send_email_through_provider", "provider_email.requested", PROVIDERS_QUEUE),
        email_job("messaging.send_email_through_endpoint", "endpoint_email.requested", ENDPOINTS_QUEUE),
        text_job("messaging.send_text", "text_message.requested", MESSAGES_QUEUE),
        text_job("messaging.send_sign_in_text", "sign_in_text.requested", SIGN_IN_QUEUE),
    ]


def choose_sms_gateway(settings: MessagingSettings) -> SmsGateway | None:
    return TwilioGateway(settings.twilio) if settings.offers_texts else None
