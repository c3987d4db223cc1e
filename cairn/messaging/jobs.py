"""What messaging does after a commit."""

from typing import Any
from uuid import UUID

from cairn.jobs import Job
from cairn.messaging.send_email import send_email
from cairn.messaging.send_text import send_text
from cairn.messaging.sender import MailSender
from cairn.messaging.settings import MessagingSettings
from cairn.messaging.sms import SmsGateway, TwilioGateway


def jobs(room: MailSender) -> list[Job]:
    async def send(facts: dict[str, Any], last_try: bool) -> None:
        await send_email(room, UUID(facts["email_id"]), last_try=last_try)

    async def text(facts: dict[str, Any], last_try: bool) -> None:
        sms_gateway = choose_sms_gateway(room.settings)
        await send_text(room.database, sms_gateway, UUID(facts["text_message_id"]), last_try=last_try)

    # Few and quick tries: whoever pressed Send is waiting to hear what became of it.
    return [
        Job("messaging.send_email", on="email.requested", run=send, tries=3),
        Job("messaging.send_text", on="text_message.requested", run=text, tries=3),
    ]


def choose_sms_gateway(settings: MessagingSettings) -> SmsGateway | None:
    return TwilioGateway(settings.twilio) if settings.offers_texts else None
