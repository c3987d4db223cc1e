"""Defines the jobs that send emails and text messages after a commit."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from cairn.jobs import Job, Payload, Queue
from cairn.messaging.queues import ENDPOINTS_QUEUE, MESSAGES_QUEUE, PROVIDERS_QUEUE, SIGN_IN_QUEUE
from cairn.messaging.send_email import send_email
from cairn.messaging.send_text import send_text
from cairn.messaging.sender import MailSender
from cairn.messaging.settings import MessagingSettings
from cairn.messaging.sms import SmsGateway, TwilioGateway

# There are only a few quick tries, because the user who pressed Send is waiting for the outcome.
_MAX_TRIES = 3


def jobs(sender: MailSender) -> list[Job]:
    async def run_send_text(payload: Payload, last_try: bool) -> None:
        gateway = choose_sms_gateway(sender.settings)
        await send_text(sender.database, gateway, UUID(payload["text_message_id"]), last_try=last_try)

    def send_emails_in(queue: Queue) -> Callable[[Payload, bool], Awaitable[None]]:
        async def run(payload: Payload, last_try: bool) -> None:
            await send_email(sender, UUID(payload["email_id"]), last_try=last_try, queue=queue)

        return run

    return [
        Job(
            "messaging.send_email",
            on="email.requested",
            run=send_emails_in(MESSAGES_QUEUE),
            max_tries=_MAX_TRIES,
            queue=MESSAGES_QUEUE,
        ),
        Job(
            "messaging.send_sign_in_email",
            on="sign_in_email.requested",
            run=send_emails_in(SIGN_IN_QUEUE),
            max_tries=_MAX_TRIES,
            queue=SIGN_IN_QUEUE,
        ),
        Job(
            "messaging.send_email_through_provider",
            on="provider_email.requested",
            run=send_emails_in(PROVIDERS_QUEUE),
            max_tries=_MAX_TRIES,
            queue=PROVIDERS_QUEUE,
        ),
        Job(
            "messaging.send_email_through_endpoint",
            on="endpoint_email.requested",
            run=send_emails_in(ENDPOINTS_QUEUE),
            max_tries=_MAX_TRIES,
            queue=ENDPOINTS_QUEUE,
        ),
        Job(
            "messaging.send_text",
            on="text_message.requested",
            run=run_send_text,
            max_tries=_MAX_TRIES,
            queue=MESSAGES_QUEUE,
        ),
        Job(
            "messaging.send_sign_in_text",
            on="sign_in_text.requested",
            run=run_send_text,
            max_tries=_MAX_TRIES,
            queue=SIGN_IN_QUEUE,
        ),
    ]


def choose_sms_gateway(settings: MessagingSettings) -> SmsGateway | None:
    return TwilioGateway(settings.twilio) if settings.offers_texts else None
