from ipaddress import IPv4Network, IPv6Network
from typing import Literal

from pydantic import BaseModel, SecretStr

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
    # Private networks, besides the public internet, in which a company's endpoint may be.
    endpoint_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    # How long a company's endpoint may take to accept an email. The DNS lookup may take as long again.
    endpoint_timeout_seconds: float = 5.0

    @property
    def offers_texts(self) -> bool:
        return self.twilio.is_complete
