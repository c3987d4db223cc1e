from typing import Literal

from pydantic import BaseModel, SecretStr


class SmtpSettings(BaseModel, frozen=True):
    host: str
    port: int = 587
    username: str | None = None
    password: SecretStr | None = None
    security: Literal["none", "starttls", "tls"] = "starttls"
    timeout_seconds: float = 10.0


class MessagingSettings(BaseModel, frozen=True):
    """Without `smtp` mails are kept in the local mailbox and say so."""

    smtp: SmtpSettings | None = None
    sender: str = "waivers@localhost"
