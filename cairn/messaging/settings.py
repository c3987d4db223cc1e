from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network
from typing import Literal

from pydantic import BaseModel, Field, SecretStr

from cairn.messaging.mail_limits import MailLimits
from cairn.messaging.sms import TextLimits, TwilioSettings
from cairn.messaging.suppression import ReportSettings


class SmtpSettings(BaseModel, frozen=True):
    host: str
    port: int = 587
    username: str | None = None
    password: SecretStr | None = None
    security: Literal["none", "starttls", "tls"] = "starttls"
    timeout_seconds: float = 10.0


class MessagingSettings(BaseModel, frozen=True):
    """Without `smtp`, emails stay in the local mailbox as `kept`; without `twilio`, no text messages are sent."""

    smtp: SmtpSettings | None = None
    sender: str = "waivers@localhost"
    twilio: TwilioSettings = TwilioSettings()
    texts: TextLimits = TextLimits()
    emails: MailLimits = MailLimits()
    reports: ReportSettings = ReportSettings()
    resend_url: str = "https://api.resend.com"
    sendgrid_url: str = "https://api.sendgrid.com"
    # Private networks, besides the public internet, in which a company's email endpoint may be.
    endpoint_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    # How long a company's email endpoint may take to accept an email. The DNS lookup may take as long again.
    endpoint_timeout_seconds: float = 5.0

    # Emails that are about no waiver are deleted after this time. Those about a waiver are erased with it.
    email_retention: timedelta = Field(default=timedelta(days=730), ge=timedelta(days=1))
    # Emails and text messages with a link or code for signing in are deleted after this time.
    sign_in_message_retention: timedelta = Field(default=timedelta(days=30), ge=timedelta(days=1))
    # Notifications are deleted after this time, read or not.
    notification_retention: timedelta = Field(default=timedelta(days=365), ge=timedelta(days=1))

    @property
    def offers_texts(self) -> bool:
        return self.twilio.is_complete
