"""Chooses a mailer. Each mail provider is one file with one method.

To add a provider, copy one of the files and add a line to `MAILERS`.
"""

from collections.abc import Callable

from cairn.messaging.configuration import Configuration, Provider
from cairn.messaging.email import Mailer
from cairn.messaging.mailers.custom import CustomMailer
from cairn.messaging.mailers.mailbox import MailboxMailer
from cairn.messaging.mailers.mock import MockMailer
from cairn.messaging.mailers.resend import ResendMailer
from cairn.messaging.mailers.sendgrid import SendgridMailer
from cairn.messaging.mailers.smtp import SmtpMailer
from cairn.messaging.settings import MessagingSettings

__all__ = ["MAILERS", "MailboxMailer", "company_mailer", "server_mailer"]


def server_mailer(settings: MessagingSettings) -> Mailer:
    """Returns the mailer for companies that have not chosen a provider."""
    if settings.smtp is None:
        return MailboxMailer()
    return SmtpMailer(settings.smtp, settings.sender)


MAILERS: dict[Provider, Callable[[Configuration, MessagingSettings], Mailer]] = {
    "service": lambda _, settings: server_mailer(settings),
    "mock": lambda _, __: MockMailer(),
    "resend": ResendMailer,
    "sendgrid": SendgridMailer,
    "custom": CustomMailer,
}


def company_mailer(configuration: Configuration, settings: MessagingSettings) -> Mailer:
    return MAILERS[configuration.provider](configuration, settings)
