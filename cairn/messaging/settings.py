from typing import Literal

from pydantic import BaseModel, SecretStr

from cairn.messaging.sms import TwilioSettings


class SmtpSettings(BaseModel, frozen=True):
    host: str
    port: int = 587
    username: str | None = None
    password: SecretStr | None = None
    security: Literal["none", "starttls", "tls"] = "starttls"
    timeout_seconds: float = 10.0


class MessagingSettings(BaseModel, frozen=True):
    """Without `smtp` mails are kept in the local mailbox and say so; without `twilio` there are no text messages."""

    smtp: SmtpSettings | None = None
    sender: str = "waivers@localhost"
    twilio: TwilioSettings = TwilioSettings()
